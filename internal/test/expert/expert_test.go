package expert_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/test/filetest"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/metrics"
)

const folder = "../../../testdata/expert"

// A pair is a program and the same one placed by hand.
type pair struct {
	name        string // such as numerics/leapfrog
	plain, hand *diag.File
	sizes       map[string]int64
	short       string // why memc needs more; "": it does not

	naive, memc, best figures
}

// figures tell what a program needs.
type figures struct {
	bytes       int64 // its peak, for the pair's sizes
	alloc, copy int   // in its text
}

func (f figures) worse(g figures) bool {
	return f.bytes > g.bytes || f.alloc > g.alloc || f.copy > g.copy
}

func (f figures) String() string {
	return fmt.Sprintf("%d bytes in %d blocks, %d copies", f.bytes, f.alloc, f.copy)
}

// TestPairs compares memc with every program by hand, and testdata/expert/README.md with the figures.
func TestPairs(t *testing.T) {
	var pairs []*pair
	files := must.Get(filepath.Glob(filepath.Join(folder, "*", "*.ir")))(t)
	hands := must.Get(filepath.Glob(filepath.Join(folder, "*", "*.hand.ir")))(t)
	if len(files) != 2*len(hands) {
		t.Errorf("%d files are no pairs of %d programs", len(files), len(hands))
	}
	for _, path := range hands {
		name := strings.TrimSuffix(must.Get(filepath.Rel(folder, path))(t), ".hand.ir")
		t.Run(name, func(t *testing.T) {
			p := read(t, filepath.ToSlash(name))
			compare(t, p)
			pairs = append(pairs, p)
		})
	}
	if len(pairs) == len(hands) { // else -run chose some, or one failed
		checkTable(t, pairs)
	}
}

// read reads a pair's two files and the header of the first.
func read(t *testing.T, name string) *pair {
	t.Helper()
	file := func(end string) *diag.File {
		return diag.NewFile(name+end, must.Read(t, filepath.Join(folder, name+end)))
	}
	p := &pair{name: name, plain: file(".ir"), hand: file(".hand.ir"), sizes: map[string]int64{}}
	header, _, _ := strings.Cut(p.plain.Text, "\n-- ==\n")
	sizes := regexp.MustCompile(`(?m)^-- sizes \{ (.+) \}$`).FindStringSubmatch(header)
	if sizes == nil {
		t.Fatalf("the header has no line such as: -- sizes { n = 1000 }")
	}
	for _, s := range strings.Split(sizes[1], ", ") {
		of, n, _ := strings.Cut(s, " = ")
		p.sizes[of] = must.Get(strconv.ParseInt(n, 10, 64))(t)
	}
	if m := regexp.MustCompile(`(?m)^-- short: (.+)$`).FindStringSubmatch(header); m != nil {
		p.short = m[1]
	}
	return p
}

// compare demands that the two programs of a pair give the same values, and that memc's needs no
// more memory than the other, or says why.
func compare(t *testing.T, p *pair) {
	t.Helper()
	found := must.Get(driver.CheckMemory(p.hand))(t)
	for _, d := range found.All {
		t.Errorf("the places by hand: %v", d)
	}
	for _, r := range must.Get(filetest.Run([]string{filepath.Join(folder, p.name+".ir")}, filetest.Options{Device: filetest.NoDevice}))(t) {
		if r.Err != nil {
			t.Errorf("line %d: %v", r.Line, r.Err)
		}
		if r.Unproven != nil {
			t.Errorf("memc's places: %v", r.Unproven)
		}
	}
	_, p.naive = compiled(t, p, p.plain, "inline,explicit")
	memc, a := compiled(t, p, p.plain, pipeline.Default())
	hand, b := compiled(t, p, p.hand, "")
	p.memc, p.best = a, b
	measured, least := runs(t, p, memc, hand)
	t.Logf("naive %v; memc %v (measured %d); by hand %v (measured %d)", p.naive, p.memc, measured, p.best, least)
	switch worse := p.memc.worse(p.best) || measured > least; {
	case worse && p.short == "":
		t.Errorf("memc needs %v (%d measured), and by hand it is %v (%d)", p.memc, measured, p.best, least)
	case !worse && p.short != "":
		t.Errorf("memc needs no more than by hand, so this line is wrong: -- short: %s", p.short)
	case !worse && p.best.worse(p.memc):
		t.Errorf("memc needs %v, so by hand %v is not the least", p.memc, p.best)
	}
}

// compiled runs passes over a file and returns the program and what it needs.
func compiled(t *testing.T, p *pair, f *diag.File, passes string) (*ir.Program, figures) {
	t.Helper()
	list := must.Get(pipeline.Parse(passes))(t)
	q, report, err := driver.Explicit(f, list, pipeline.Options{Footprints: true})
	must.Do(t, err)
	for _, fn := range report.Functions {
		if fn.Name == "main" {
			bytes := must.Get(fn.After.Peak.With(fn.Derived).Bytes(p.sizes))(t)
			return q, figures{bytes, metrics.Count(q).Device(), report.After.Copy}
		}
	}
	t.Fatalf("%s has no function main", f.Name)
	return nil, figures{}
}

// runs demands that both programs give the same values by memory as the plain one by value, and
// returns the sums of their peaks.
func runs(t *testing.T, p *pair, memc, hand *ir.Program) (measured, least int64) {
	t.Helper()
	source, list := driver.Check(p.plain)
	must.Do(t, list.Err())
	for _, b := range must.Get(filetest.Blocks(p.plain.Text, folder))(t) {
		for _, c := range b.Cases {
			if !c.HasInput {
				continue
			}
			args := must.Get(filetest.ReadValues("input", c.Input, source.Func("main")))(t)
			want, err := interp.ByValue(source, "main", args, interp.Options{})
			must.Do(t, err)
			byMemory := func(q *ir.Program, who string) int64 {
				var stats interp.Stats
				got, err := interp.ByMemory(q, "main", args, interp.Options{Stats: &stats})
				must.Do(t, err)
				for k := range want {
					if d := value.Diff(want[k], got[k], c.Within); d != "" {
						t.Errorf("line %d, %s: result %d: %s", c.Line, who, k+1, d)
					}
				}
				return stats.PeakBytes
			}
			measured += byMemory(memc, "memc")
			least += byMemory(hand, "by hand")
		}
	}
	return measured, least
}
