package difftest

import (
	"fmt"
	"math/rand"
	"regexp"
	"strings"

	"github.com/memc-lang/memc/internal/diag"
	"github.com/memc-lang/memc/internal/driver"
	"github.com/memc-lang/memc/internal/memcheck"
	"github.com/memc-lang/memc/internal/pipeline"
)

// maxShares and shareTries bound how many blocks of a program are shared, and how
// many pairs are tried.
const (
	maxShares  = 4
	shareTries = 16
)

var allocation = regexp.MustCompile(`(?m)^( *)let ([A-Za-z_][A-Za-z0-9_']*) = alloc (.*)$`)

// Share gives a program in explicit form in which blocks are shared in ways that
// are legal: two blocks become one, as large as the larger, where the static checker
// then proves the program memory-correct. It gives nil where no two can be.
//
// It works on the text: a name is bound once per function, and no two functions of
// a generated program have names in common.
func Share(s *Subject, seed int64) *Subject {
	p, _, err := driver.Explicit(diag.NewFile(s.Name, s.Text), pipeline.All()[:1], pipeline.Options{})
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

// shareTwo makes one block of two, the first one of the text.
func shareTwo(text string, r *rand.Rand) (string, bool) {
	found := allocation.FindAllStringSubmatchIndex(text, -1)
	if len(found) < 2 {
		return "", false
	}
	// Blocks near each other are more often of one function, and of one size.
	k := r.Intn(len(found) - 1)
	l := min(k+1+r.Intn(3), len(found)-1)
	a, b := found[k], found[l]
	part := func(m []int, n int) string { return text[m[2*n]:m[2*n+1]] }
	keep, gone := part(a, 2), part(b, 2)
	size := part(a, 3)
	if other := part(b, 3); other != size {
		size = fmt.Sprintf("max(%s, %s)", size, other)
	}
	one := fmt.Sprintf("%slet %s = alloc %s", part(a, 1), keep, size)
	out := text[:a[0]] + one + text[a[1]:b[0]] + strings.TrimPrefix(text[b[1]:], "\n")
	word := regexp.MustCompile(`\b` + regexp.QuoteMeta(gone) + `\b`)
	return word.ReplaceAllString(out, keep), true
}
