package opencl

// An API that is put around a host program (HostOptions.API) writes C as this
// package does.

// Quote returns s as a C string literal.
func Quote(s string) string { return cString(s) }

// Comment makes text safe inside a C comment.
func Comment(s string) string { return cComment(s) }
