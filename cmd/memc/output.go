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

	"github.com/memc-lang/memc/internal/base/hostmem"
)

// A result is what is written to a path ("-" or "": standard output).
type result struct {
	path  string
	write func(io.Writer) error
	// inPlace: the path may be that of an input, because the user asked for that.
	inPlace bool
}

func (r result) isFile() bool { return r.path != "" && r.path != "-" }

// text is a result that is a text.
func text(path, s string) result {
	return result{path: path, write: func(w io.Writer) error { _, err := io.WriteString(w, s); return err }}
}

// writeOutput writes a result. A file is written beside its place and then moved
// there, so that no half-written file is ever left.
func (a *app) writeOutput(path string, write func(io.Writer) error) error {
	return a.writeOutputs(result{path: path, write: write})
}

// writeOutputs writes results that belong together: nothing is moved into place
// before all of them are written. None takes the place of an input or of another one.
func (a *app) writeOutputs(results ...result) error {
	if err := noInputs(results); err != nil {
		return err
	}
	var moves []func() error
	for _, r := range results {
		move, remove, err := a.stage(r)
		defer remove()
		if err != nil {
			return cannotWrite(r.path, err)
		}
		moves = append(moves, move)
	}
	if err := noInputs(results); err != nil { // what wrote them may have read more
		return err
	}
	for i, move := range moves {
		if err := move(); err != nil {
			return cannotWrite(results[i].path, err)
		}
	}
	return nil
}

// noInputs refuses results that would destroy an input or each other.
func noInputs(results []result) error {
	places := map[string]bool{}
	for _, r := range results {
		if !r.isFile() {
			continue
		}
		if !r.inPlace && hostmem.IsInput(r.path) {
			return fmt.Errorf("cannot write %s: it is an input; name another file", r.path)
		}
		place, err := filepath.Abs(target(r.path))
		if err != nil {
			return err
		}
		if st, err := os.Stat(place); places[place] && (err != nil || st.Mode().IsRegular()) {
			return fmt.Errorf("cannot write %s: two outputs have this name", r.path)
		}
		places[place] = true
	}
	return nil
}

// target is the file that a path leads to: a link stays a link.
func target(path string) string {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		return to
	}
	return path
}

// cannotWrite says which output failed and why; the name of the temporary file
// means nothing to a user. What went wrong in making the result stays as it is.
func cannotWrite(path string, err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case !(result{path: path}).isFile():
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
	if !r.isFile() {
		return func() error { return buffered(a.stdout, r.write) }, remove, nil
	}
	path, mode := target(r.path), fs.FileMode(0o644)
	if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() {
		mode = st.Mode().Perm()
	} else if err == nil {
		if st.IsDir() {
			return nil, remove, &fs.PathError{Op: "open", Path: r.path, Err: syscall.EISDIR}
		}
		// A device or a pipe cannot be replaced.
		return func() error { return writeDirect(r.path, r.write) }, remove, nil
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".memc-*")
	if err != nil {
		return nil, remove, err
	}
	remove = func() { os.Remove(f.Name()) } // fails once the file was moved, as it should
	err = buffered(f, r.write)
	if err == nil {
		err = f.Chmod(mode)
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return func() error { return os.Rename(f.Name(), path) }, remove, err
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
