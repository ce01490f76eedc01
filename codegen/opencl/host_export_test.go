package opencl

// What the tests of package opencl_test see of the host writer.
const HostHead = hostHead + stdHead

// CString is cString.
func CString(s string) string { return cString(s) }

// RuntimePart returns a part of the C runtime.
func RuntimePart(name string) string {
	text, err := runtimeSources.ReadFile("c/" + name + ".c")
	if err != nil {
		panic(err)
	}
	return string(text)
}
