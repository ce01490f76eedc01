package main

import (
	"bytes"
	"os"

	"github.com/memc-lang/memc/internal/test/futharktest"
	"github.com/memc-lang/memc/transform"
)

// writeTable puts the table that compares Futhark and memc behind what a file
// says in front of its table.
func writeTable(path string, samples []futharktest.Sample, passes []*transform.Pass) error {
	rows := futharktest.Compare(samples, passes)
	if path == "-" {
		return futharktest.Write(os.Stdout, rows)
	}
	var out bytes.Buffer
	if old, err := os.ReadFile(path); err == nil {
		head, _, _ := bytes.Cut(old, []byte("\n| "))
		out.Write(append(bytes.TrimRight(head, "\n"), "\n\n"...))
	}
	if err := futharktest.Write(&out, rows); err != nil {
		return err
	}
	return os.WriteFile(path, out.Bytes(), 0o666)
}
