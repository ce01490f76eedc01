package memcheck_test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/base/diag"
	"github.com/memc-lang/memc/internal/oracle/memcheck"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/parser"
	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/explicit"
)

// sources returns the .ir files below the directories of the repository.
func sources(t *testing.T, dirs ...string) []string {
	t.Helper()
	var files []string
	for _, dir := range dirs {
		must.Do(t, filepath.WalkDir(filepath.Join("..", "..", "..", dir), func(path string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".ir") {
				files = append(files, path)
			}
			return err
		}))
	}
	return files
}

// load returns the explicit form of a file, or nil where memc refuses it.
func load(t *testing.T, path string) *ir.Program {
	t.Helper()
	data := must.Read(t, path)
	return prepare(t, diag.NewFile(filepath.Base(path), data))
}

func prepare(t testing.TB, file *diag.File) *ir.Program {
	t.Helper()
	p, list := parser.Parse(file)
	if list.Failed() {
		return nil
	}
	if more := check.Program(p); more.Failed() {
		return nil
	}
	c := transform.NewContext("explicit", &diag.List{File: file}, transform.Unlimited)
	if explicit.Pass.Run(p, c) != nil {
		return nil
	}
	return p
}

// Every program of the repository whose places are meant to be right is proven
// right: those in explicit form, and those that the pass explicit has made so.
func TestAccepts(t *testing.T) {
	// What only a run can tell is tested then: these are limitations, no proofs.
	tested := map[string]bool{"pos-by-hand.ir": true, "pos-by-thread.ir": true, "pos-chosen-block.ir": true, "pos-several-parts.ir": true, "reuse-size-known-late.ir": true,
		"coalesce-block-too-small.ir": true, "reuse-block-too-small.ir": true, "group-block-too-small.ir": true,
		"coalesce-room-behind-assert.ir": true, "reuse-argument-in-given-block.ir": true, "kernel-copy-within-given-block.ir": true, "group-turns-while-other-is-used.ir": true,
		"group-block-of-all-bytes.ir": true, "group-blocks-wrap-together.ir": true,
		"reuse-initial-block-while-other-is-used.ir": true, "checker-part-of-what-is-tested.ir": true, "place-of-parameter-divides.ir": true,
		"shift-with-stride-of-run.ir": true, "coalesce-into-place-that-does-not-fit.ir": true, "reuse-part-longer-than-cell.ir": true, "reuse-part-behind-cell.ir": true, "place-of-negative-lengths.ir": true, "place-reshape-of-other-number.ir": true}
	checked := 0
	for _, path := range sources(t, "testdata", "examples") {
		if tested[filepath.Base(path)] || filepath.Base(filepath.Dir(path)) == "memcheck" && strings.HasPrefix(filepath.Base(path), "neg-") {
			continue
		}
		p := load(t, path)
		if p == nil {
			continue
		}
		checked++
		list := memcheck.Check(p).List(nil)
		if len(list.All) > 0 {
			var b strings.Builder
			list.Render(&b, false)
			t.Errorf("%s:\n%s", path, b.String())
		}
	}
	if checked < 100 {
		t.Errorf("only %d programs were checked", checked)
	}
}
