// Package hostmem tells how much memory this process may still take, so that code that needs
// much can refuse in time. If an allocation fails, Go ends the process; if the kernel promised
// too much, it kills the process later.
//
// The answer is the least of: the memory that the machine can give without swapping
// (/proc/meminfo), the memory that the control groups of the process leave (both versions, and
// the groups around them), the memory that ulimit -v and -d leave, and GOMEMLIMIT. If none of
// them is known, as on systems without /proc, a fixed bound takes their place.
//
// It imports nothing of this module.
package hostmem
