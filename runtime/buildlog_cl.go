//go:build cgo

package runtime

// #define CL_TARGET_OPENCL_VERSION 120
// #ifdef __APPLE__
// #include <OpenCL/cl.h>
// #else
// #include <CL/cl.h>
// #endif
import "C"

import (
	"reflect"
	"strings"
	"unsafe"
)

// log is the build log for the program's first device; the binding gives it only
// where a build has failed.
func (m *clModule) log() string {
	program := C.cl_program(reflect.ValueOf(m.program).Elem().FieldByName("clProgram").UnsafePointer())
	var dev C.cl_device_id
	if C.clGetProgramInfo(program, C.CL_PROGRAM_DEVICES, C.size_t(unsafe.Sizeof(dev)), unsafe.Pointer(&dev), nil) != C.CL_SUCCESS {
		return ""
	}
	var n C.size_t
	if C.clGetProgramBuildInfo(program, dev, C.CL_PROGRAM_BUILD_LOG, 0, nil, &n) != C.CL_SUCCESS || n == 0 {
		return ""
	}
	buf := make([]byte, n)
	if C.clGetProgramBuildInfo(program, dev, C.CL_PROGRAM_BUILD_LOG, n, unsafe.Pointer(&buf[0]), nil) != C.CL_SUCCESS {
		return ""
	}
	return strings.TrimSpace(strings.TrimRight(string(buf), "\x00"))
}
