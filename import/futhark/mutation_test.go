package futhark

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
)

// TestMutations changes tokens of real dumps: what comes out may be refused, at a
// position, and must not make the import panic.
func TestMutations(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/futhark/[a-f]*.fut_*_mem")
	if err != nil || len(paths) == 0 {
		t.Fatal(err, "no dumps")
	}
	rng := rand.New(rand.NewSource(1))
	for _, path := range paths {
		text := must.Read(t, path)
		toks := lex(diag.NewFile(path, text))
		for range 30 {
			a, b := rng.Intn(len(toks)-1), rng.Intn(len(toks)-1)
			if err := importing(mutate(text, toks, a, b, rng.Intn(3) == 0)); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
		}
		for range 10 {
			if err := importing(mutateLines(text, rng)); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
		}
	}
}

// FuzzImport changes a token of a dump, whose text the fuzzer changes as well.
func FuzzImport(f *testing.F) {
	for _, pattern := range []string{"constructs/*.fut_*_mem", "map_*.fut_*_mem", "accumulators_direct.*_mem", "loop_*.fut_*_mem"} {
		paths, err := filepath.Glob(filepath.Join("../../testdata/futhark", pattern))
		if err != nil {
			f.Fatal(err)
		}
		for i, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(data), uint(31*i), uint(57*i), i%3 == 0)
		}
	}
	f.Add("types { type \"t\" = record { a: i32 b: opaque \"t\" } } entry(\"e\", {x: opaque \"t\"}, {i32}) e (a_1 : i32) : {i32} = {a_1}", uint(0), uint(0), false)
	f.Add("fun f (a_1 : acc(c_2, [3i64], {i32})) : {i32} = {1i32}", uint(0), uint(1), true)
	f.Fuzz(func(t *testing.T, text string, a, b uint, drop bool) {
		toks := lex(diag.NewFile("x.fut_gpu_mem", text))
		if n := uint(len(toks) - 1); n > 0 {
			text = mutate(text, toks, int(a%n), int(b%n), drop)
		}
		must.Do(t, importing(text))
	})
}

// mutate replaces token a by token b, or leaves it out.
func mutate(text string, toks []token, a, b int, drop bool) string {
	with := text[toks[b].span.Start:toks[b].span.End]
	if drop {
		with = ""
	}
	return text[:toks[a].span.Start] + with + text[toks[a].span.End:]
}

// mutateLines cuts a dump off, or swaps, doubles or drops lines of it.
func mutateLines(text string, rng *rand.Rand) string {
	lines := strings.Split(text, "\n")
	a, b := rng.Intn(len(lines)), rng.Intn(len(lines))
	switch rng.Intn(4) {
	case 0:
		return text[:rng.Intn(len(text))]
	case 1:
		lines[a], lines[b] = lines[b], lines[a]
	case 2:
		lines = slices.Insert(lines, a, lines[b])
	default:
		lines = slices.Delete(lines, a, min(a+1+rng.Intn(3), len(lines)))
	}
	return strings.Join(lines, "\n")
}

// importing tells of a panic, of a fault of memc's own, and of a message without
// a position.
func importing(text string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v\n%s", r, debug.Stack())
		}
	}()
	p, list := Import(diag.NewFile("x.fut_gpu_mem", text))
	if !list.Failed() {
		more := check.Program(p)
		list.All = append(list.All, more.All...)
	}
	for _, d := range list.All {
		if d.Severity == diag.Bug {
			return d
		}
		if s := d.Span; s.Start < 0 || s.Start > s.End || s.End > len(text) || s.End == 0 && len(text) > 0 {
			return fmt.Errorf("no position (%v): %s", s, d.Msg)
		}
	}
	return nil
}
