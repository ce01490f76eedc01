package opencl

// What the tests of package opencl_test see of the host writer.
const HostHead = hostHead + stdHead

// CString is cString.
func CString(s string) string { return cString(s) }

// RuntimePart returns a part of the C runtime.
func RuntimePart(name string) string {
	text, err := runtimePart(name)
	if err != nil {
		panic(err)
	}
	return text
}
