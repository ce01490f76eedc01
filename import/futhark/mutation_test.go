package futhark

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	"github.com/memc-lang/memc/internal/diag"
)

// TestMutations changes tokens of real dumps: what comes out may be refused,
// and must not make the import panic.
func TestMutations(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/futhark/[a-f]*.fut_*_mem")
	if err != nil || len(paths) == 0 {
		t.Fatal(err, "no dumps")
	}
	rng := rand.New(rand.NewSource(1))
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		toks := lex(diag.NewFile(path, text))
		for range 30 {
			if err := importing(mutate(rng, text, toks)); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
		}
	}
}

// mutate replaces a token by another of the file, or leaves one out.
func mutate(rng *rand.Rand, text string, toks []token) string {
	a, b := toks[rng.Intn(len(toks)-1)], toks[rng.Intn(len(toks)-1)]
	with := text[b.span.Start:b.span.End]
	if rng.Intn(3) == 0 {
		with = ""
	}
	return text[:a.span.Start] + with + text[a.span.End:]
}

func importing(text string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v\n%s", r, debug.Stack())
		}
	}()
	_, list := Import(diag.NewFile("x.fut_gpu_mem", text))
	for _, d := range list.All {
		if d.Severity == diag.Bug {
			return d
		}
	}
	return nil
}
