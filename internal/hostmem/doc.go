// Package hostmem tells how much memory this process may still take, so that who needs
// much of it can refuse in time: Go's own answer to an allocation that fails is the end
// of the process, and the kernel's to one that was promised too much is worse.
//
// What counts is the least of: what the machine can give without swapping
// (/proc/meminfo), what the control groups of the process leave (both versions, and
// the groups around them), the address space that ulimit -v leaves, and GOMEMLIMIT.
// Where none of them can be found out, as on systems without /proc, a fixed bound
// takes their place.
//
// It imports nothing of this module.
package hostmem
