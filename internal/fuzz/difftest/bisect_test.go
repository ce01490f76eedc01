package difftest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/fuzz/difftest"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/explicit"
)

// planted is a pass that makes blocks larger, one rewrite each, and one of them
// smaller.
func planted(wrong int) *transform.Pass {
	return &transform.Pass{
		Name: "plant", Doc: "makes blocks larger, and one smaller",
		Run: func(p *ir.Program, c *transform.Context) error {
			n := 0
			for _, f := range p.Funcs {
				ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
					op, ok := s.Op.(*ir.Alloc)
					if !ok {
						return true
					}
					n++
					delta := int64(4)
					if n == wrong {
						delta = -400
					}
					if c.Rewrite(s.Span, "block %d becomes larger by %d", n, delta) {
						op.Size = &ir.Binary{Op: "+", X: op.Size, Y: ir.IntLit(delta), T: ir.I64}
					}
					c.Remark(s.Span, "[C%d] block %d stays where it is", n%5+1, n)
					return true
				})
			}
			return nil
		},
	}
}

func chain(n int) *difftest.Subject {
	var b strings.Builder
	b.WriteString("-- ==\n-- input { [1i32, 2i32] }\n-- output auto\nentry main [n] (a0: [n]i32) : [n]i32 = {\n")
	for k := range n {
		fmt.Fprintf(&b, "  let a%d = map (t%d < n) { in a%d[t%d] + 1 }\n", k+1, k, k, k)
	}
	fmt.Fprintf(&b, "  in a%d\n}\n", n)
	s, err := difftest.Read(diag.NewFile("chain.ir", b.String()))
	if err != nil {
		panic(err)
	}
	s.Text = b.String()
	return s
}

// The rewrite that breaks a program is found among many, with its remark, also
// where the pass runs twice.
func TestBisect(t *testing.T) {
	s := chain(20)
	for _, wrong := range []int{1, 2, 7, 20} {
		bad := planted(wrong)
		for _, passes := range [][]*transform.Pass{
			{explicit.Pass, bad},
			{explicit.Pass, planted(0), bad, planted(0)},
		} {
			found := difftest.Bisect(s, difftest.Options{Passes: passes})
			if found == nil {
				t.Fatalf("block %d: the program does not fail", wrong)
			}
			want := wrong + 20*(len(found.Passes)-2)
			if found.Pass != "plant" || found.Rewrite != want || found.Rewrites != 20*(len(found.Passes)-1) {
				t.Errorf("block %d: found %v, expected rewrite %d", wrong, found, want)
			}
			if text := fmt.Sprintf("plant: block %d becomes larger by -400", wrong); found.Remark == nil || found.Remark.Msg != text {
				t.Errorf("block %d: remark %v, expected %q", wrong, found.Remark, text)
			}
		}
	}
	if found := difftest.Bisect(s, difftest.Options{Passes: []*transform.Pass{explicit.Pass, planted(0)}}); found != nil {
		t.Errorf("a program that does not fail is said to fail: %v", found)
	}
}

// A pass that breaks a program without a rewrite is named.
func TestBisectWithoutRewrite(t *testing.T) {
	silent := &transform.Pass{Name: "silent", Doc: "breaks", Run: func(p *ir.Program, _ *transform.Context) error {
		for _, f := range p.Funcs {
			ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
				if op, ok := s.Op.(*ir.Alloc); ok {
					op.Size = ir.IntLit(0)
				}
				return true
			})
		}
		return nil
	}}
	found := difftest.Bisect(chain(3), difftest.Options{Passes: []*transform.Pass{explicit.Pass, silent}})
	if found == nil || found.Pass != "silent" || found.Rewrite != 0 {
		t.Errorf("found %v", found)
	}
}

// What passes did is counted: rewrites, and refusals by their codes.
func TestPassTable(t *testing.T) {
	s := chain(7)
	out := difftest.Run(s, difftest.Options{Passes: []*transform.Pass{explicit.Pass, planted(0), planted(0)}})
	if out.Failure != nil {
		t.Fatal(out.Failure)
	}
	row := out.Passes.Row("plant")
	if row.Programs != 1 || row.Runs != 2 || row.Rewrites != 14 || row.Codes["C2"] != 4 || row.Codes["C5"] != 2 {
		t.Errorf("counted %+v", row)
	}
	var b strings.Builder
	out.Passes.Write(&b)
	if !strings.Contains(b.String(), "refused [C2]") {
		t.Errorf("the table has no row for [C2]:\n%s", b.String())
	}
}

// Random pipelines obey the constraints, are the same for a seed, and hold every pass
// and every switch now and then.
func TestRandomPipeline(t *testing.T) {
	different, held := map[string]bool{}, map[string]bool{}
	for seed := range int64(400) {
		passes := difftest.RandomPipeline(seed)
		text := pipeline.String(passes)
		if again := pipeline.String(difftest.RandomPipeline(seed)); again != text {
			t.Fatalf("seed %d gives two pipelines: %s and %s", seed, text, again)
		}
		if _, err := pipeline.Parse(text); err != nil {
			t.Errorf("seed %d: %s: %v", seed, text, err)
		}
		different[text] = true
		explicit := 0
		for _, p := range passes {
			held[p.Name] = true
			for _, s := range p.Off {
				held[p.Name+":-"+s] = true
			}
			if p.Name == "explicit" {
				explicit++
			}
		}
		if explicit == 0 || len(passes) < 2 {
			t.Errorf("seed %d: %s", seed, text)
		}
	}
	if len(different) < 100 {
		t.Errorf("only %d pipelines", len(different))
	}
	for _, p := range pipeline.All() {
		for _, name := range append([]string{p.Name}, p.Switches...) {
			if name != p.Name {
				name = p.Name + ":-" + name
			}
			if !held[name] {
				t.Errorf("no pipeline has %s", name)
			}
		}
	}
}
