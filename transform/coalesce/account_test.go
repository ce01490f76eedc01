package coalesce

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/internal/fuzz/progen"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/parser"
	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/explicit"
	"github.com/memc-lang/memc/transform/hoist"
)

// The account that transactions keep is the account of the program that they make. The proofs of
// later moves depend on it.
func TestAccountIsKept(t *testing.T) {
	files, _ := filepath.Glob("../../testdata/coalesce/*/*.ir")
	moves := 0
	for _, name := range files {
		text := must.Get(os.ReadFile(name))(t)
		moves += accountIsKept(t, name, string(text))
	}
	for seed := int64(1); seed <= 150; seed++ {
		g := progen.Generate(seed, progen.Options{Without: []string{"large", "wild"}})
		moves += accountIsKept(t, g.Text, g.Text)
	}
	if moves < 100 {
		t.Errorf("only %d moves were made", moves)
	}
}

func accountIsKept(t *testing.T, name, text string) (moves int) {
	t.Helper()
	p, list := parser.Parse(diag.NewFile("test.ir", text))
	if list.Failed() {
		return 0 // a program of an error
	}
	if list := check.Program(p); list.Failed() {
		return 0
	}
	for _, pass := range []*transform.Pass{explicit.Pass, hoist.Lift} {
		if pass.Run(p, transform.NewContext(pass.Name, nil, transform.Unlimited)) != nil {
			return 0 // a known limitation
		}
	}
	for _, f := range p.Funcs {
		if !ir.IsExplicit(f) {
			continue
		}
		analyse := func() (*liveness.Table, *accesses.Table) {
			return accesses.WithLives(p, f, aliases.Analyze(p).Indexed)
		}
		lv, ac := analyse()
		a := newAttempt(f, transform.NewContext("coalesce", nil, transform.Unlimited), alternative{})
		s := newState(&job{prog: p}, a, lv, ac)
		s.all()
		moves += len(a.made)
		lv, ac = analyse()
		anew := peak.Open(peak.Spans(f, lv.Aliases, lv, ac), maxRanges)
		for _, b := range lv.Aliases.BlockNames() {
			kept, made := s.account().Range(b), anew.Range(b)
			if kept == nil || made == nil || lv.Aliases.Existential(b) {
				continue
			}
			if kept.Span != made.Span && (kept.From <= kept.To || made.From <= made.To && len(s.byBlockNow(b)) > 0) {
				t.Errorf("%s: `%s` is held at %v, by the account at %v\n%s", name, b, made.Span, kept.Span, p)
			}
		}
	}
	return moves
}

// byBlockNow returns the arrays that lie in a block.
func (s *state) byBlockNow(b string) []string {
	var out []string
	for _, x := range s.al.Names() {
		if s.array(x) && s.block(x) == b {
			out = append(out, x)
		}
	}
	return out
}
