package main

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
)

// writeOutput writes a result to path ("-" or "": standard output). A file is
// written beside its place and then moved there, so that no half-written file
// is ever left.
func (a *app) writeOutput(path string, write func(io.Writer) error) error {
	if path == "" || path == "-" {
		b := bufio.NewWriter(a.stdout)
		if err := write(b); err != nil {
			return err
		}
		return b.Flush()
	}
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() {
		return writeDirect(path, write) // a device or a pipe cannot be replaced
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".memc-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails once the file was moved, as it should
	b := bufio.NewWriter(f)
	err = write(b)
	if err == nil {
		err = b.Flush()
	}
	if err == nil {
		err = f.Chmod(0o644)
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func writeDirect(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	err = write(f)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}
