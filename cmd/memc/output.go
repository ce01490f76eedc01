package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// A result is what is written to a path ("-" or "": standard output).
type result struct {
	path  string
	write func(io.Writer) error
}

// text is a result that is a text.
func text(path, s string) result {
	return result{path, func(w io.Writer) error { _, err := io.WriteString(w, s); return err }}
}

// writeOutput writes a result. A file is written beside its place and then moved
// there, so that no half-written file is ever left.
func (a *app) writeOutput(path string, write func(io.Writer) error) error {
	return a.writeOutputs(result{path, write})
}

// writeOutputs writes results that belong together: nothing is moved into place
// before all of them are written.
func (a *app) writeOutputs(results ...result) error {
	var moves []func() error
	for _, r := range results {
		move, remove, err := a.stage(r)
		defer remove()
		if err != nil {
			return cannotWrite(r.path, err)
		}
		moves = append(moves, move)
	}
	for i, move := range moves {
		if err := move(); err != nil {
			return cannotWrite(results[i].path, err)
		}
	}
	return nil
}

// cannotWrite says which output failed and why; the name of the temporary file
// means nothing to a user. What went wrong in making the result stays as it is.
func cannotWrite(path string, err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case path == "" || path == "-":
		return err
	case errors.As(err, &p):
		err = p.Err
	case errors.As(err, &l):
		err = l.Err
	default:
		return err
	}
	return fmt.Errorf("cannot write %s: %w", path, err)
}

// stage writes a result as far as that can be undone. move completes it, remove
// deletes what is not complete.
func (a *app) stage(r result) (move func() error, remove func(), err error) {
	remove = func() {}
	if r.path == "" || r.path == "-" {
		return func() error { return buffered(a.stdout, r.write) }, remove, nil
	}
	if st, err := os.Stat(r.path); err == nil && !st.Mode().IsRegular() {
		if st.IsDir() {
			return nil, remove, &fs.PathError{Op: "open", Path: r.path, Err: syscall.EISDIR}
		}
		// A device or a pipe cannot be replaced.
		return func() error { return writeDirect(r.path, r.write) }, remove, nil
	}
	f, err := os.CreateTemp(filepath.Dir(r.path), ".memc-*")
	if err != nil {
		return nil, remove, err
	}
	remove = func() { os.Remove(f.Name()) } // fails once the file was moved, as it should
	err = buffered(f, r.write)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return func() error { return os.Rename(f.Name(), r.path) }, remove, err
}

func buffered(w io.Writer, write func(io.Writer) error) error {
	b := bufio.NewWriter(w)
	if err := write(b); err != nil {
		return err
	}
	return b.Flush()
}

func writeDirect(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	err = buffered(f, write)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// A checkedWriter remembers the first error of a stream that many verbs write
// to without looking.
type checkedWriter struct {
	io.Writer
	err error
}

func (w *checkedWriter) Write(b []byte) (int, error) {
	n, err := w.Writer.Write(b)
	if w.err == nil {
		w.err = err
	}
	return n, err
}
