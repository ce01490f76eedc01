package sym

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"sync"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym/integer"
)

const (
	// maxKey is the length up to which an atom's canonical text is its key;
	// beyond it, a digest is. Nested atoms would else have long keys each.
	maxKey = 512
	// maxSize is where sizes saturate.
	maxSize = 1 << 30
)

// An atom is an expression that is not interpreted.
type atom struct {
	exp  ir.Exp
	size int // nodes of exp
	// operands are those of a min or max, sorted.
	operands []Poly

	once      sync.Once
	mentioned []string
}

// opaqueAtom makes an atom of an expression with normalised parts.
func opaqueAtom(key string, exp ir.Exp, size int) Poly {
	if len(key) > maxKey {
		sum := sha256.Sum256([]byte(key))
		key = "#" + hex.EncodeToString(sum[:])
	}
	return Poly{integer.Atom(key), map[string]*atom{key: {exp: exp, size: min(size, maxSize)}}}
}

// names gives all names mentioned, sorted. It walks the expression at the first
// demand only: most atoms are never asked.
func (a *atom) names() []string {
	a.once.Do(func() {
		ir.WalkExp(a.exp, func(e ir.Exp) bool {
			if x, ok := e.(*ir.Exist); ok {
				a.mentioned = append(a.mentioned, x.Name)
			}
			return true
		})
		ir.ExpNames(a.exp, func(n string) { a.mentioned = append(a.mentioned, n) })
		slices.Sort(a.mentioned)
		a.mentioned = slices.Compact(a.mentioned)
	})
	return a.mentioned
}
