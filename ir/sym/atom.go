package sym

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"sync"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym/integer"
)

const (
	// maxKey is the greatest length of an atom's canonical text that serves as its key. A longer
	// text is replaced by a digest, so that keys of nested atoms stay short.
	maxKey = 512
	// maxSize is the value at which sizes saturate.
	maxSize = 1 << 30
)

// An atom is an expression that is not interpreted.
type atom struct {
	key  string
	exp  ir.Exp
	size int // nodes of exp
	// operands of a min or max, sorted.
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
	return Poly{integer.Atom(key), atoms{{key: key, exp: exp, size: min(size, maxSize)}}}
}

// atoms is a list of atoms with different keys, in the keys' order. It is not written to.
type atoms []*atom

func byKey(a, b *atom) int { return cmp.Compare(a.key, b.key) }

// of returns the atom with a key, or nil.
func (as atoms) of(key string) *atom {
	if len(as) <= 4 {
		for _, a := range as {
			if a.key == key {
				return a
			}
		}
		return nil
	}
	if k, ok := slices.BinarySearchFunc(as, key, func(a *atom, key string) int { return cmp.Compare(a.key, key) }); ok {
		return as[k]
	}
	return nil
}

// and returns the atoms of both lists.
func (as atoms) and(bs atoms) atoms {
	switch {
	case len(bs) == 0:
		return as
	case len(as) == 0 || &as[0] == &bs[0] && len(as) == len(bs):
		return bs
	}
	out := make(atoms, 0, len(as)+len(bs))
	for len(as) > 0 && len(bs) > 0 {
		c := byKey(as[0], bs[0])
		if c <= 0 {
			out, as = append(out, as[0]), as[1:]
		} else {
			out = append(out, bs[0])
		}
		if c >= 0 {
			bs = bs[1:]
		}
	}
	return append(append(out, as...), bs...)
}

// names returns all names mentioned, sorted. It walks the expression at the first request: most
// atoms get none.
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
