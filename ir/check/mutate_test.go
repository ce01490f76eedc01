package check_test

import (
	"math/rand"
	"regexp"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/parser"
)

var tokens = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_']*|[0-9]+|[^\sA-Za-z0-9_]`)

// mutate replaces a few tokens of a program by others of the same kind (name,
// number, sign) from the same program, so that many results still parse.
func mutate(r *rand.Rand, text string) string {
	for range 1 + r.Intn(2) {
		at := tokens.FindAllStringIndex(text, -1)
		a := at[r.Intn(len(at))]
		var same [][]int
		for _, b := range at {
			if kind(text[b[0]:b[1]]) == kind(text[a[0]:a[1]]) {
				same = append(same, b)
			}
		}
		b := same[r.Intn(len(same))]
		text = text[:a[0]] + text[b[0]:b[1]] + text[a[1]:]
	}
	return text
}

var (
	types    = regexp.MustCompile(`^([iuf][0-9]+|bool|mem)$`)
	keywords = regexp.MustCompile(`^(let|in|if|then|else|loop|for|while|entry|fun|assert|with|op|neutral|commutative|` +
		`map|reduce|scan|scatter|hist|copy|concat|scratch|iota|replicate|reshape|rearrange|alloc|LMAD|Direct|Permute|Slice|Reshape)$`)
)

func kind(s string) int {
	switch c := s[0]; {
	case c >= '0' && c <= '9':
		return 0
	case types.MatchString(s):
		return 1
	case keywords.MatchString(s):
		return 2
	case c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
		return 3
	}
	return 4
}

// TestMutated checks thousands of programs that are a little wrong: none makes
// the checker panic or report a bug of its own, and one that it accepts, it
// also accepts when its inferred types are written.
func TestMutated(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	refused, accepted := 0, 0
	var texts []string
	for _, path := range append(programs(t, "pos-"), programs(t, "neg-")...) {
		var code []string
		for _, line := range strings.Split(must.Read(t, path), "\n") {
			if !strings.HasPrefix(line, "--") {
				code = append(code, line)
			}
		}
		texts = append(texts, strings.Join(code, "\n"))
	}
	for range 12000 {
		text := mutate(r, texts[r.Intn(len(texts))])
		p, l := parser.Parse(diag.NewFile("mutated.ir", text))
		if l.Failed() {
			continue
		}
		got := check.Program(p)
		for _, d := range got.All {
			if d.Severity == diag.Bug {
				t.Fatalf("a bug is reported for\n%s\n%s", text, render(&got))
			}
		}
		if got.Failed() {
			refused++
			continue
		}
		accepted++
		inScope(t, p, check.Obligations(p))
		showTypes(p)
		full := p.String()
		q, l := parser.Parse(diag.NewFile("full.ir", full))
		if l.Failed() {
			t.Fatalf("accepted, but what it prints does not parse:\n%s\n%s\n%s", text, full, render(&l))
		}
		if again := check.Program(q); again.Failed() {
			t.Fatalf("accepted, but refused with its types written:\n%s\n%s", text, render(&again))
		}
	}
	if refused < 100 || accepted < 100 {
		t.Errorf("only %d refused and %d accepted: the mutation is of no use", refused, accepted)
	}
}
