package futharktest

import (
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/memc-lang/memc/import/futhark"
)

// A Sample is one dump with the values for its entries.
type Sample struct {
	Name  string // "kmeans"
	Stage string // "gpu-before"
	Path  string
	Cases []Case
}

// A Case is an input of one entry with the output expected.
type Case struct{ Entry, In, Out string }

// Samples finds the dumps in a directory whose file names match the pattern
// ("" for all), in the order of their names.
func Samples(dir, pattern string) ([]Sample, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	sort.Strings(names)
	var out []Sample
	for _, n := range names {
		if !futhark.Is(n) {
			continue
		}
		if ok, err := filepath.Match(pattern, n); pattern != "" && (err != nil || !ok) {
			if err != nil {
				return nil, err
			}
			continue
		}
		parts := strings.SplitN(n, ".", 3)
		s := Sample{Name: parts[0], Path: filepath.Join(dir, n)}
		if len(parts) == 3 {
			s.Stage = parts[1]
		}
		s.Cases = cases(dir, s.Name, names)
		out = append(out, s)
	}
	return out, nil
}

func cases(dir, name string, names []string) []Case {
	var cs []Case
	for _, n := range names {
		stem, ok := strings.CutSuffix(n, ".in")
		if !ok {
			continue
		}
		entry := "main"
		if stem != name {
			if entry, ok = strings.CutPrefix(stem, name+"."); !ok || strings.Contains(entry, ".") {
				continue
			}
		}
		c := Case{Entry: entry, In: filepath.Join(dir, n), Out: filepath.Join(dir, stem+".out")}
		if _, err := os.Stat(c.Out); err == nil {
			cs = append(cs, c)
		}
	}
	return cs
}
