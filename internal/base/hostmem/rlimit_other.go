//go:build !linux

package hostmem

// Left returns the memory that the system lets the process take, where that is limited.
func Left() (left int64, limited bool) { return 0, false }
