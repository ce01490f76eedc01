//go:build cgo

package runtime

// #include "cl.h"
// #include "native/c/base.c"
// #include "native/c/cl/properties.c"
import "C"

import (
	"strings"
	"unsafe"

	"github.com/jgillich/go-opencl/cl"
)

// infoText returns a property of a device, or "" if the device does not know it. The binding's
// own query fails from 1,024 bytes on.
func infoText(id C.cl_device_id, what C.cl_device_info) string {
	text := C.memc_device_text(id, what)
	defer C.free(unsafe.Pointer(text))
	return strings.TrimRight(C.GoString(text), " ")
}

// describe asks a device for all that DeviceInfo holds.
func describe(index int, platform string, dev *cl.Device) DeviceInfo {
	id := deviceHandle(dev)
	var p C.struct_memc_properties
	C.memc_properties_of(id, &p)
	return DeviceInfo{
		Index: index, Platform: platform, dev: dev,
		Name: infoText(id, C.CL_DEVICE_NAME), Version: infoText(id, C.CL_DEVICE_VERSION), Driver: infoText(id, C.CL_DRIVER_VERSION),
		GPU: p.gpu != 0, CPU: p.cpu != 0,
		Memory: int64(p.memory), MaxAlloc: int64(p.alloc), MaxGroup: int64(p.group), Local: int64(p.local),
		Items: int64(p.items), Wave: int64(p.wave), Several: p.several != 0, Waits: p.waits != 0,
		FP64: p.f64 != 0, Int64Atomics: p.wide != 0, ExactDivide: p.exact != 0,
	}
}
