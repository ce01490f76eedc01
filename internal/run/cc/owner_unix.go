//go:build unix

package cc

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// others tells whether somebody besides the user can write to a directory.
func others(dir string, st fs.FileInfo) error {
	if sys, ok := st.Sys().(*syscall.Stat_t); ok && int64(sys.Uid) != int64(os.Geteuid()) {
		return fmt.Errorf("%s belongs to another user", dir)
	}
	if st.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("others can write to %s", dir)
	}
	return nil
}
