package progen

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"

	"github.com/memc-lang/memc/internal/base/value"
)

// A Program is a generated program: its text, and arguments of its entry "main".
type Program struct {
	Seed   int64
	Text   string
	Inputs [][]value.Value
	// More are further ones, for a program of which something is in doubt.
	More [][]value.Value
}

// Options of a generated program. The zero Options are good.
type Options struct {
	// Statements is about how many statements the program has; 0: drawn from
	// the seed.
	Statements int
	// Without names Traits that the program must not have.
	Without []string
}

// Generate writes the program of a seed.
func Generate(seed int64, opt Options) *Program {
	g := &gen{Rand: rand.New(rand.NewSource(seed)), consumed: map[int]bool{}, unowned: map[int]bool{}, factor: 1}
	g.draw(rand.New(rand.NewSource(^seed)), opt.Without)
	size := opt.Statements
	if size == 0 {
		// Mostly small: what goes wrong shows in small programs too, and far more of
		// them can be tried.
		size = 2 + g.Intn(8)
		if g.one(30) {
			size += g.Intn(30)
		}
	}
	helpers := g.Intn(3)
	if g.joined {
		helpers = max(helpers, 1)
	}
	for range helpers {
		g.helper(2 + g.Intn(4))
	}
	if g.calling {
		for range 1 + g.Intn(2) {
			g.inner(2 + g.Intn(4))
		}
	}
	params := g.entry(size)
	p := &Program{Seed: seed, Text: g.out.String(), Inputs: g.inputs(params)}
	if g.maxInput == smallInput {
		p.More = g.inputsOf(params, []int64{1, 2, 3, 3, 4, 4, 6, 7, 8, 9, 11, 16})
	}
	return p
}

// gen is the state of the generator.
type gen struct {
	*rand.Rand
	out   strings.Builder
	depth int // indentation
	next  int // number of names so far
	// live are the names of the function that may be in scope, free those that are not any
	// more.
	live, free []string
	budget     int // statements left in the function

	scope
	funcs []*signature

	// groups: arrays that may share memory (see variable.groups)
	group    int
	consumed map[int]bool
	unowned  map[int]bool // parameters without "*" and arrays that may be one
	barrier  int          // groups below it must not be consumed here: an enclosing loop or kernel would consume them again

	kernel bool          // within a kernel body
	team   bool          // within the body of a kernel of groups, outside of the kernels in it
	asTeam bool          // the next body is one
	accs   []accumulator // of the map around
	thread string        // the number of its thread
	traits
	nesting int   // bodies around
	factor  int64 // how often the current statement may run
	asserts []string
}

func (g *gen) one(n int) bool { return g.Intn(n) == 0 }

func (g *gen) name(prefix string) string {
	if g.reused && len(g.free) > 0 && g.one(2) {
		k := g.Intn(len(g.free))
		n := g.free[k]
		g.free = slices.Delete(g.free, k, k+1)
		g.live = append(g.live, n)
		return n
	}
	n := g.global(prefix)
	g.live = append(g.live, n)
	return n
}

// global returns a name that nothing else has.
func (g *gen) global(prefix string) string {
	g.next++
	return fmt.Sprintf("%s%d", prefix, g.next)
}

// release records that the names after the first n are out of scope.
func (g *gen) release(n int) {
	g.free = append(g.free, g.live[n:]...)
	g.live = g.live[:n]
}

func (g *gen) line(format string, args ...any) {
	g.out.WriteString(strings.Repeat("  ", g.depth))
	fmt.Fprintf(&g.out, format, args...)
	g.out.WriteByte('\n')
}

func pick[T any](g *gen, list []T) T { return list[g.Intn(len(list))] }

// stmts writes up to n statements.
func (g *gen) stmts(n int) {
	for range n {
		if g.budget <= 0 {
			return
		}
		g.budget--
		g.stmt()
	}
}

// A choice is a kind of statement; it comes as often as its weight says.
type choice struct {
	weight int
	write  func(*gen) bool // false: not possible here, nothing was written
}

var hostChoices, kernelChoices, ownChoices, teamChoices, ownTeamChoices []choice

func init() {
	both := []choice{
		{6, (*gen).scalarLet}, {10, (*gen).fresh}, {10, (*gen).view}, {9, (*gen).update},
	}
	hostChoices = append([]choice{
		{5, (*gen).ifStmt}, {5, (*gen).forLoop}, {2, (*gen).whileLoop}, {1, (*gen).endlessLoop}, {3, (*gen).inPlaceLoop},
		{8, (*gen).mapStmt}, {4, (*gen).foldStmt}, {4, (*gen).scatter}, {4, (*gen).hist}, {4, (*gen).intoStmt},
		{3, (*gen).call}, {4, (*gen).newDim}, {1, (*gen).assertion}, {14, (*gen).feed},
	}, both...)
	kernelChoices = append([]choice{
		{4, (*gen).ifStmt}, {4, (*gen).forLoop}, {2, (*gen).whileLoop}, {1, (*gen).endlessLoop}, {4, (*gen).inPlaceLoop},
	}, both...)
	teamChoices = append([]choice{
		{8, (*gen).mapStmt}, {6, (*gen).foldStmt}, {4, (*gen).scatter}, {4, (*gen).hist}, {3, (*gen).intoStmt},
	}, kernelChoices...)
	own := []choice{{8, (*gen).ownDim}, {3, (*gen).newDim}, {5, (*gen).growing}}
	ownChoices = append(own[:3:3], kernelChoices...)
	ownTeamChoices = append(own[:3:3], teamChoices...)
}

func (g *gen) stmt() {
	choices := hostChoices
	if g.kernel {
		choices = kernelChoices
		switch {
		case g.team && g.own && g.one(2): // else a group hardly ever runs together
			choices = ownTeamChoices
		case g.team:
			choices = teamChoices
		case g.own:
			choices = ownChoices
		}
	}
	for _, c := range []struct {
		has   bool
		write func(*gen) bool
	}{
		{g.wild, (*gen).wildDim}, {g.striped, (*gen).stripes}, {g.kernel && g.branchy, (*gen).ifStmt}, {g.kernel && g.calling, (*gen).call}, {g.accs != nil, (*gen).accumulate}, {g.accs != nil, (*gen).accumulate},
		{g.joined && !g.kernel, (*gen).joinedThenRead}, {g.mirrored && !g.kernel, (*gen).mirroredParts},
	} {
		if c.has && g.one(6) && c.write(g) {
			return
		}
	}
	total := 0
	for _, c := range choices {
		total += c.weight
	}
	for range 4 {
		k := g.Intn(total)
		for _, c := range choices {
			if k -= c.weight; k < 0 {
				if c.write(g) {
					return
				}
				break
			}
		}
	}
	g.scalarLet()
}
