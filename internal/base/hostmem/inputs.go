package hostmem

import (
	"io/fs"
	"os"
	"sync"
)

// inputs are the regular files that this process has opened to read what the user gave.
var inputs struct {
	sync.Mutex
	files []fs.FileInfo
}

// Open is os.Open for a file that is an input: no output may take its place (IsInput).
func Open(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err == nil {
		AddInput(f)
	}
	return f, err
}

// AddInput makes an open file an input. A device or a pipe is none: what is written to it destroys nothing.
func AddInput(f *os.File) {
	st, err := f.Stat()
	if err != nil || !st.Mode().IsRegular() {
		return
	}
	inputs.Lock()
	defer inputs.Unlock()
	inputs.files = append(inputs.files, st)
}

// IsInput reports whether a path leads to an input, by whatever name: links and the case of letters
// do not matter.
func IsInput(path string) bool {
	st, err := os.Stat(path)
	if err != nil {
		return false
	}
	inputs.Lock()
	defer inputs.Unlock()
	for _, in := range inputs.files {
		if os.SameFile(in, st) {
			return true
		}
	}
	return false
}
