package benchdoc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/memc-lang/memc/internal/base/hostmem"
	"github.com/memc-lang/memc/internal/bench"
)

// Read reads reports, and from a folder thesis.csv, futhark.csv and notes.md; those
// that are missing are left out.
func Read(paths []string, figures string) (*Document, error) {
	d := &Document{}
	for _, path := range paths {
		r, err := ReadReport(path)
		if err != nil {
			return nil, err
		}
		d.Add(Named{filepath.ToSlash(path), r})
	}
	for _, f := range []struct {
		name string
		read func(io.Reader) error
	}{
		{"thesis.csv", func(r io.Reader) (err error) { d.Thesis, err = ReadThesis(r); return }},
		{"futhark.csv", func(r io.Reader) (err error) { d.Futhark, err = ReadFuthark(r); return }},
		{"notes.md", func(r io.Reader) (err error) { d.Notes, err = ReadNotes(r); return }},
	} {
		path := filepath.Join(figures, f.name)
		text, err := hostmem.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = f.read(bytes.NewReader(text))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return d, nil
}

// ReadReport reads one report.
func ReadReport(path string) (*bench.Report, error) {
	f, err := hostmem.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := bench.ReadJSON(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// Command tells the document how it is made: of which reports, and into which file;
// "-" is no file, and has no charts.
func (d *Document) Command(reports []string, out string) {
	d.made = "memc bench report " + strings.Join(reports, " ")
	if out != "-" {
		d.out = filepath.ToSlash(out)
		d.made += " -o " + d.out
	}
}

// Chart returns the path of a section's chart, beside the document.
func (d *Document) Chart(s *Section, what string) string {
	return strings.TrimSuffix(d.out, filepath.Ext(d.out)) + "-" + s.Name + "-" + what + ".svg"
}
