package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/ir"
)

// A corpus is memc opt --stats of several programs, or of the programs in directories.
type corpus struct {
	flags   *pipelineFlags
	sizes   []string
	json    bool
	compare string
	failed  error // of the first program without figures
}

// isCorpus reports whether arguments name more than one program.
func isCorpus(args []string, compare string) bool {
	info, err := os.Stat(args[0])
	return len(args) > 1 || compare != "" || err == nil && info.IsDir()
}

func (k *corpus) write(a *app, c *cobra.Command, args []string, w io.Writer) error {
	var was []pipeline.Row
	var err error
	if k.compare != "" {
		if was, err = readRows(k.compare); err != nil {
			return err
		}
	}
	now, err := k.rows(a, c, args)
	if err != nil {
		return err
	}
	switch {
	case k.compare != "":
		return pipeline.WriteComparison(w, was, now)
	case k.json:
		return pipeline.WriteRows(w, now)
	}
	return pipeline.WriteTable(w, now)
}

// rows returns the figures of all programs; an argument that ends with .json holds those of an earlier
// call.
func (k *corpus) rows(a *app, c *cobra.Command, args []string) ([]pipeline.Row, error) {
	if len(args) == 1 && filepath.Ext(args[0]) == ".json" {
		return readRows(args[0])
	}
	named, rest, err := k.values(c)
	if err != nil {
		return nil, err
	}
	files, err := corpusFiles(args)
	if err != nil {
		return nil, err
	}
	var out []pipeline.Row
	var known []*ir.Program
	for _, file := range files {
		p, report, err := k.flags.run(a, c, file)
		if err != nil {
			first, _, _ := strings.Cut(err.Error(), "\n")
			if k.failed == nil {
				k.failed = fmt.Errorf("some programs have no figures; the first: %s", first)
			}
			out = append(out, pipeline.Row{File: file, Error: first})
			continue
		}
		known = append(known, p)
		out = append(out, report.Rows(file, sizesOf(p, named), rest)...)
	}
	return out, knownSizes(c, named, known...)
}

// values reads --size: NAME=N, or N for all sizes that are not named.
func (k *corpus) values(c *cobra.Command) (named map[string]int64, rest *int64, err error) {
	var texts []string
	for _, t := range k.sizes {
		if n, err := strconv.ParseInt(t, 10, 64); err == nil && n >= 0 {
			rest = &n
			continue
		}
		texts = append(texts, t)
	}
	named, err = sizeValues(c, texts)
	return named, rest, err
}

// corpusFiles lists files, and the programs in directories in the order of their names.
func corpusFiles(args []string) ([]string, error) {
	var out []string
	for _, arg := range args {
		err := filepath.WalkDir(arg, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name := d.Name()
			if !d.IsDir() && (path == arg || filepath.Ext(name) == ".ir" || strings.Contains(name, ".fut_") && strings.HasSuffix(name, "_mem")) {
				out = append(out, path)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func readRows(path string) ([]pipeline.Row, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := pipeline.ReadRows(f)
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: path, Err: err}
	}
	return rows, nil
}
