package difftest

import (
	"fmt"
	"math/rand"
	"regexp"
	"strings"

	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/oracle/memcheck"
	"github.com/memc-lang/memc/ir/diag"
)

// maxShares and shareTries bound how many blocks of a program are shared, and how
// many pairs are tried.
const (
	maxShares  = 4
	shareTries = 16
)

var allocation = regexp.MustCompile(`(?m)^( *)let ([A-Za-z_][A-Za-z0-9_']*) = alloc (.*)$`)

// Share returns a program in explicit form in which blocks share in legal ways: two blocks become
// one, as large as the larger, if the static checker then proves the program memory-correct. It
// returns nil if no two blocks can.
//
// It works on the text: a name is bound once per function, and no two functions of a generated
// program have names in common.
func Share(s *Subject, seed int64) *Subject {
	p, _, err := driver.Explicit(diag.NewFile(s.Name, s.Text), pipeline.MemoryPasses()[:2], pipeline.Options{})
	if err != nil {
		return nil
	}
	r := rand.New(rand.NewSource(seed))
	text, shared := p.String(), 0
	for try := 0; try < shareTries && shared < maxShares; try++ {
		next, ok := shareTwo(text, r)
		if !ok {
			break
		}
		q, list := driver.Check(diag.NewFile(s.Name, next))
		if !list.Failed() && len(memcheck.Check(q).Findings) == 0 {
			text = next
			shared++
		}
	}
	if shared == 0 {
		return nil
	}
	return &Subject{Name: s.Name, Text: text, Entry: s.Entry, Inputs: s.Inputs}
}

// An allocated is an alloc of a text.
type allocated struct{ indent, name, size string }

// allocs lists the allocs of a text.
func allocs(text string) []allocated {
	var out []allocated
	for _, m := range allocation.FindAllStringSubmatch(text, -1) {
		out = append(out, allocated{m[1], m[2], m[3]})
	}
	return out
}

// replaced puts lines, each of them indented, in place of an alloc.
func replaced(text string, a allocated, lines ...string) string {
	var out strings.Builder
	for _, line := range lines {
		out.WriteString(a.indent + line + "\n")
	}
	return strings.Replace(text, fmt.Sprintf("%slet %s = alloc %s\n", a.indent, a.name, a.size), out.String(), 1)
}

// twoAllocs chooses two, near each other: these are more often of one function, and of
// one size.
func twoAllocs(text string, r *rand.Rand) (a, b allocated, ok bool) {
	all := allocs(text)
	if len(all) < 2 {
		return a, b, false
	}
	k := r.Intn(len(all) - 1)
	return all[k], all[min(k+1+r.Intn(3), len(all)-1)], true
}

// greater returns a size that has room for either.
func greater(a, b allocated) string {
	if a.size == b.size {
		return a.size
	}
	return fmt.Sprintf("max(%s, %s)", a.size, b.size)
}

// merged makes one block of two, where the first one was.
func merged(text string, a, b allocated, size string) string {
	text = replaced(text, b)
	text = replaced(text, a, fmt.Sprintf("let %s = alloc %s", a.name, size))
	return regexp.MustCompile(`\b`+regexp.QuoteMeta(b.name)+`\b`).ReplaceAllString(text, a.name)
}

// shareTwo makes one block of two.
func shareTwo(text string, r *rand.Rand) (string, bool) {
	a, b, ok := twoAllocs(text, r)
	return merged(text, a, b, greater(a, b)), ok
}
