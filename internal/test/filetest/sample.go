package filetest

import (
	"io/fs"
	"path/filepath"
	"strings"
)

// HostSample returns the programs below testdata with which a host emitter is tested, since
// building all of them would take too long: from the folders with programs of the language every
// fifth one, and all those with control flow on the host. If all is set, it returns all programs of
// testdata.
func HostSample(testdata string, all bool) ([]string, error) {
	dirs := []string{"lang", "explicit", "imp", "device-heap"}
	if all {
		dirs = []string{"."}
	}
	var paths []string
	n := 0
	for _, dir := range dirs {
		err := filepath.WalkDir(filepath.Join(testdata, dir), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".ir") {
				return err
			}
			name, _ := filepath.Rel(testdata, path)
			if n++; all || n%5 == 0 || strings.Contains(name, "loop") || strings.Contains(name, "if/") || strings.Contains(name, "call") {
				paths = append(paths, path)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return paths, nil
}
