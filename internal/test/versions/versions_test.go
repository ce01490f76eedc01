package versions

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/filetest"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/parser"
)

const folder = "../../../testdata/versions"

// TestEveryVersion runs the programs of each version by value and by memory, after every pass.
func TestEveryVersion(t *testing.T) {
	for v := 1; v <= ir.Version; v++ {
		dir := filepath.Join(folder, strconv.Itoa(v))
		files := must.Get(filepath.Glob(filepath.Join(dir, "*.ir")))(t)
		if len(files) < 30 {
			t.Errorf("%s has %d programs; a version needs 30 or more", dir, len(files))
		}
		for _, path := range files {
			if p := must.Get(parser.ParseText(path, must.Read(t, path)))(t); p.Version != v {
				t.Errorf("%s states version %d", path, p.Version)
			}
		}
		for _, r := range must.Get(filetest.Run(files, filetest.Options{Device: filetest.NoDevice}))(t) {
			if r.Err != nil {
				t.Errorf("%s:%d: %v", r.Path, r.Line, r.Err)
			}
		}
	}
}

// TestFrozen compares the files with their hashes.
func TestFrozen(t *testing.T) {
	lists := must.Get(filepath.Glob(filepath.Join(folder, "*", "SHA256SUMS")))(t)
	if len(lists) != ir.Version {
		t.Fatalf("%d lists of hashes for %d versions", len(lists), ir.Version)
	}
	for _, list := range lists {
		listed := map[string]bool{}
		for _, line := range strings.Split(strings.TrimSpace(must.Read(t, list)), "\n") {
			sum, name, _ := strings.Cut(line, "  ")
			listed[name] = true
			path := filepath.Join(filepath.Dir(list), name)
			if got := fmt.Sprintf("%x", sha256.Sum256([]byte(must.Read(t, path)))); got != sum {
				t.Errorf("%s was changed. Programs of a version stay as they are: mend memc, or add a version.", path)
			}
		}
		for _, path := range must.Get(filepath.Glob(filepath.Join(filepath.Dir(list), "*.ir")))(t) {
			if !listed[filepath.Base(path)] {
				t.Errorf("%s is not listed in %s: add its line of `sha256sum`", path, list)
			}
		}
	}
}
