package plan

import (
	"math/rand"
	"reflect"
	"slices"
	"testing"
)

// A forgetful tree looks at the whole span of every union.
type forgetful struct{ *tree }

func (t forgetful) swap(old, new []*group) bool {
	t.high = nil
	return t.tree.swap(old, new)
}

// To look first where a sum rose before refuses the same unions.
func TestHighSegments(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	shared, looked := 0, false
	for range 300 {
		p := random(rng, 8+rng.Intn(60))
		for _, o := range orders {
			plan := func(account func(*frame) account) [][]int {
				f := newFrame(p)
				l := account(f)
				f.greedy(l, o)
				var out [][]int
				for _, g := range l.groups() {
					out = append(out, g.members())
				}
				slices.SortFunc(out, slices.Compare)
				return out
			}
			var used *tree
			got := plan(func(f *frame) account { used = newTree(f); return used })
			want := plan(func(f *frame) account { return forgetful{newTree(f)} })
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%v, and %v without memory", got, want)
			}
			shared += len(p.Blocks) - len(got)
			looked = looked || len(used.high) > 0
		}
	}
	if shared < 1000 || !looked {
		t.Errorf("%d blocks were shared, unions were refused: %t", shared, looked)
	}
}
