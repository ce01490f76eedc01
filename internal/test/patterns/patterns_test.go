package patterns_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/oracle/memcheck"
	"github.com/memc-lang/memc/internal/test/filetest"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/internal/test/patterns"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

const testdata = "../../../testdata"

// A program is a file of the rooms that this package judges.
type program struct {
	name   string // below testdata
	file   *diag.File
	header *patterns.Header
	inputs []filetest.Case
}

// programs reads all of them, in order.
func programs(t *testing.T) []*program {
	t.Helper()
	var all []*program
	for _, room := range []string{"coalesce", "reuse", "mix"} {
		must.Do(t, filepath.WalkDir(filepath.Join(testdata, room), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".ir") {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			name, err := filepath.Rel(testdata, path)
			if err != nil {
				return err
			}
			p := &program{name: filepath.ToSlash(name), file: diag.NewFile(path, string(data))}
			if p.header, err = patterns.ReadHeader(string(data)); err != nil {
				t.Errorf("%s: %v", path, err)
				return nil
			}
			blocks, err := filetest.Blocks(string(data), filepath.Dir(path))
			if err != nil {
				t.Errorf("%s: %v", path, err)
				return nil
			}
			for _, b := range blocks {
				for _, c := range b.Cases {
					if c.HasInput {
						p.inputs = append(p.inputs, c)
					}
				}
			}
			all = append(all, p)
			return nil
		}))
	}
	if len(all) == 0 {
		t.Fatal("no programs found")
	}
	return all
}

// plain brings a program into explicit form.
func (p *program) plain(t *testing.T) (source, explicit *ir.Program, report *pipeline.Report) {
	t.Helper()
	source, list := driver.Check(p.file)
	if list.Err() != nil {
		t.Fatalf("%s: %v", p.name, list.Err())
	}
	passes := must.Get(pipeline.Parse("explicit"))(t)
	explicit, report, err := driver.Explicit(p.file, passes, pipeline.Options{Verify: true, Memcheck: true})
	if err != nil {
		t.Fatalf("%s: %v", p.name, err)
	}
	return source, explicit, report
}

// differs runs a program by memory on all inputs and tells on how many of them it
// does not do what the source does by value, with the first difference.
func (p *program) differs(t *testing.T, source, explicit *ir.Program) (n int, first string) {
	t.Helper()
	note := func(text string) {
		if n++; first == "" {
			first = text
		}
	}
	for _, c := range p.inputs {
		args, err := filetest.ReadValues("input", c.Input, source.Func(c.Entry))
		if err != nil {
			t.Fatalf("%s:%d: %v", p.name, c.Line, err)
		}
		want, wantErr := interp.ByValue(source, c.Entry, args, interp.Options{})
		got, gotErr := interp.ByMemory(explicit, c.Entry, args, interp.Options{})
		switch {
		case wantErr != nil && gotErr == nil:
			note("succeeds where it must fail: " + wantErr.Error())
		case wantErr != nil: // both fail; texts of errors are checked by the test block
		case gotErr != nil:
			note(gotErr.Error())
		default:
			for i := range want {
				if d := value.Diff(want[i], got[i], value.DefaultTolerance); d != "" {
					note(d)
					break
				}
			}
		}
	}
	return n, first
}

// Every program says what is asked for, has inputs enough, and does the right
// thing by memory in the plain explicit form, so that what a pass breaks is the
// pass's doing.
func TestPrograms(t *testing.T) {
	for _, p := range programs(t) {
		source, explicit, report := p.plain(t)
		base := filepath.Base(p.name)
		if !strings.HasPrefix(base, "pos-") && !strings.HasPrefix(base, "neg-") {
			t.Errorf("%s: the name begins neither with pos- nor with neg-", p.name)
		}
		if len(p.header.Targets) == 0 {
			t.Errorf("%s: no target line", p.name)
		}
		if len(p.inputs) < 2 {
			t.Errorf("%s: %d inputs, expected two or more", p.name, len(p.inputs))
		}
		for _, g := range p.header.Targets {
			// Reuse may make blocks before a loop of one in it; coalescing makes none.
			if g.Alloc > report.After.Alloc && g.Name == "coalesce" || g.Copy > report.After.Copy {
				t.Errorf("%s:%d: the plain explicit form is better already: Alloc %d Copy %d", p.name, g.Line, report.After.Alloc, report.After.Copy)
			}
		}
		if n, first := p.differs(t, source, explicit); n > 0 {
			t.Errorf("%s: by memory, plain, %d inputs go wrong: %s", p.name, n, first)
		}
	}
}

// The pipelines reach the targets, and the programs still do the right thing.
// What cannot be judged yet is said on the log.
func TestTargets(t *testing.T) {
	missing := map[string]int{} // pass that does not exist: targets that need it
	judged, better, short := 0, 0, 0
	for _, p := range programs(t) {
		source, list := driver.Check(p.file)
		if list.Err() != nil {
			t.Fatalf("%s: %v", p.name, list.Err())
		}
		for _, g := range p.header.Targets {
			if lack := firstMissing(g.Passes); lack != "" {
				missing[lack]++ // TestPrograms runs it in the plain form
				continue
			}
			judged++
			passes, err := pipeline.Parse(strings.Join(g.Passes, ","))
			if err != nil {
				t.Fatalf("%s:%d: %v", p.name, g.Line, err)
			}
			optimised, report, err := driver.Explicit(p.file, passes, pipeline.Options{Verify: true, Memcheck: true})
			if err != nil {
				t.Errorf("%s:%d: target %s: %v", p.name, g.Line, g.Name, err)
				continue
			}
			for _, d := range report.Unproven {
				t.Logf("%s:%d: target %s: unproven: %v", p.name, g.Line, g.Name, d)
			}
			got := report.After
			if g.Now != nil {
				if got.Alloc != g.Now.Alloc || got.Copy != g.Now.Copy {
					t.Errorf("%s:%d: target %s: Alloc %d Copy %d, but the file says it is now Alloc %d Copy %d", p.name, g.Line, g.Name, got.Alloc, got.Copy, g.Now.Alloc, g.Now.Copy)
				}
				short++
				t.Logf("%s:%d: target %s falls short: %s", p.name, g.Line, g.Name, g.Now.Why)
				g.Alloc, g.Copy = g.Now.Alloc, g.Now.Copy
			}
			if got.Alloc > g.Alloc || got.Copy > g.Copy {
				t.Errorf("%s:%d: target %s: Alloc %d Copy %d, expected at most Alloc %d Copy %d", p.name, g.Line, g.Name, got.Alloc, got.Copy, g.Alloc, g.Copy)
			} else if got.Alloc < g.Alloc || got.Copy < g.Copy {
				better++
				t.Logf("%s:%d: target %s: Alloc %d Copy %d, better than Alloc %d Copy %d", p.name, g.Line, g.Name, got.Alloc, got.Copy, g.Alloc, g.Copy)
			}
			if n, first := p.differs(t, source, optimised); n > 0 {
				t.Errorf("%s:%d: after %s %d inputs go wrong: %s", p.name, g.Line, g.Name, n, first)
			}
		}
	}
	t.Logf("%d targets judged, %d of them surpassed, %d not reached yet (their files say why)", judged, better, short)
	var names []string
	for name := range missing {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		t.Logf("%d targets wait for pass %s, which does not exist; TestPrograms has run their programs in the plain explicit form", missing[name], name)
	}
}

// firstMissing returns the first pass of a pipeline that does not exist, or "".
func firstMissing(passes []string) string {
	for _, name := range passes {
		name, _, _ = strings.Cut(name, ":")
		if pipeline.Lookup(name) == nil {
			return name
		}
	}
	return ""
}

// What is forbidden goes wrong if it is done: statically and on an input, or it
// cannot be written at all because a place would need a later name.
func TestForbidden(t *testing.T) {
	done, refused := 0, 0 // refused: no programs any more
	for _, p := range programs(t) {
		source, explicit, _ := p.plain(t)
		for _, f := range p.header.Forbidden {
			done++
			wrong, err := patterns.Force(explicit, f.Moves)
			if err != nil {
				switch f.Condition {
				case "C2", "C5", "loop":
					refused++
					t.Logf("%s:%d: %s: no program: %v", p.name, f.Line, f.Condition, err)
					continue
				}
				t.Errorf("%s:%d: %v", p.name, f.Line, err)
				continue
			}
			if len(memcheck.Check(wrong).Findings) == 0 {
				t.Errorf("%s:%d: the static checker finds nothing wrong", p.name, f.Line)
			}
			if n, _ := p.differs(t, source, wrong); n == 0 {
				t.Errorf("%s:%d: no input shows that it is wrong", p.name, f.Line)
			}
		}
	}
	t.Logf("%d forbidden sharings, %d of them no programs", done, refused)
	if done == 0 {
		t.Error("no program forbids anything")
	}
}
