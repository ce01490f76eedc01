package places

import (
	"flag"
	"math/rand/v2"
	"testing"
)

var instances = flag.Int("instances", 1_000_000, "number of concrete instances of the random test")

var seed = flag.Uint64("seed", 22, "of the random tests")

var showMissed = flag.Bool("missed", false, "print the questions whose answer was missed")

// perQuestion instances are drawn of a question, and patience more of one that
// seems to be missed.
const (
	perQuestion = 400
	patience    = 2000
)

// tally counts questions by what was claimed and what was seen.
type tally struct{ claimed, missed, refuted int }

func (s *tally) count(claimed, seen bool) {
	switch {
	case claimed:
		s.claimed++
	case seen:
		s.missed++
	default:
		s.refuted++
	}
}

func (s *tally) log(t *testing.T, what string) {
	t.Logf("%-16s claimed %5d, held in all instances but not claimed %5d (%.1f%% of those that held), refuted by an instance %5d",
		what, s.claimed, s.missed, 100*float64(s.missed)/float64(max(1, s.claimed+s.missed)), s.refuted)
}

// A question is a pair of symbolic index functions and facts, what the package
// claims, and what instances have shown.
type question struct {
	rels         []relation
	a, b         olmad
	elemA, elemB int64
	p            sum // for AtLeast

	disjoint, same, atLeast bool
	// What held in all instances so far.
	sawDisjoint, sawSame, sawAtLeast bool
	instances, telling               int
}

func (r maker) question() *question {
	q := &question{rels: r.relations(), a: r.lmad(), p: r.offset().minus(r.offset())}
	if q.b = r.relative(q.a); r.IntN(3) == 0 {
		q.b = r.lmad()
	}
	q.sizes(r)
	return q
}

func (q *question) sizes(r maker) {
	sizes := [][2]int64{{1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 2}, {2, 1}, {2, 3}, {4, 4}}
	s := sizes[r.IntN(len(sizes))]
	q.elemA, q.elemB = s[0], s[1]
}

func (q *question) facts() Facts {
	f := small(oracleNames...)
	for _, x := range q.rels {
		f = f.comparison(x.op, x.a.sym(), x.b.sym())
	}
	return f
}

func (q *question) ask() {
	f, a, b := q.facts(), q.a.fun(), q.b.fun()
	q.disjoint = Disjoint(f, a, b, q.elemA, q.elemB)
	q.same = Same(f, a, b)
	q.atLeast = f.AtLeast(q.p.sym(), 0)
	q.sawDisjoint, q.sawSame, q.sawAtLeast = true, true, true
}

// instance draws values below top, mostly, that satisfy the relations.
func (r maker) instance(q *question, e *env, top int) bool {
	for range 60 {
		for k := range e {
			e[k] = int64(r.IntN(top))
		}
		if r.IntN(8) == 0 {
			e[r.IntN(numNames)] = int64(r.IntN(12) - 3)
		}
		for _, x := range q.rels { // help the equalities
			if x.op == "==" && len(x.a) == 1 && len(x.a[0].vs) == 1 {
				e[x.a[0].vs[0]] = x.b.at(e)
			}
		}
		ok := true
		for _, x := range q.rels {
			ok = ok && x.holds(e)
		}
		if ok {
			return true
		}
	}
	return false
}

// check runs one instance.
func (q *question) check(t *testing.T, w *board, e *env) bool {
	w.now += 2
	na, ok := q.a.positions(e, q.elemA, func(p int64) { w.stamp[p] = w.now })
	if !ok {
		return false
	}
	disjoint := true
	nb, ok := q.b.positions(e, q.elemB, func(p int64) {
		disjoint = disjoint && w.stamp[p] != w.now
	})
	if !ok {
		return false
	}
	same := len(q.a.dims) == len(q.b.dims) && q.a.off.at(e) == q.b.off.at(e)
	for k := 0; same && k < len(q.a.dims); k++ {
		d, c := q.a.dims[k], q.b.dims[k]
		same = d.len.at(e) == c.len.at(e) && (d.stride.at(e) == c.stride.at(e) || d.len.at(e) == 1)
	}
	atLeast := q.p.at(e) >= 0
	fail := func(what string) {
		t.Errorf("claimed %s, wrong for %v\nfacts %v\na %v\nb %v\np %v\nelements %d and %d bytes",
			what, e, q.rels, q.a, q.b, q.p.sym(), q.elemA, q.elemB)
	}
	if q.disjoint && !disjoint {
		fail("disjoint")
	}
	if q.same && !same {
		fail("same")
	}
	if q.atLeast && !atLeast {
		fail("at least 0")
	}
	q.sawDisjoint = q.sawDisjoint && disjoint
	q.sawSame = q.sawSame && same
	q.sawAtLeast = q.sawAtLeast && atLeast
	q.instances++
	if na > 0 && nb > 0 {
		q.telling++
	}
	return true
}

// TestRandom: whatever is claimed holds in every instance. How often something
// held in all instances that was not claimed is an upper bound of what is
// missed: other instances might have refuted it.
func TestRandom(t *testing.T) {
	r := maker{rand.New(rand.NewPCG(4, *seed))}
	w := &board{}
	var disjoint, same, atLeast tally
	// Only instances in which both arrays have elements count.
	total, questions, empty := 0, 0, 0
	for total < *instances && !t.Failed() {
		q := r.question()
		q.ask()
		questions++
		var e env
		for range perQuestion {
			if !r.instance(q, &e, 5) {
				break
			}
			q.check(t, w, &e)
		}
		for range patience {
			if q.telling < perQuestion/8 || q.disjoint || !q.sawDisjoint || !r.instance(q, &e, 9) {
				break
			}
			q.check(t, w, &e)
		}
		total += q.telling
		empty += q.instances - q.telling
		// Questions about arrays that are hardly ever there tell nothing.
		if q.telling < perQuestion/8 {
			continue
		}
		if *showMissed && !q.disjoint && q.sawDisjoint {
			t.Logf("not seen to be disjoint: facts %v\na %v\nb %v\nelements %d and %d bytes", q.rels, q.a, q.b, q.elemA, q.elemB)
		}
		disjoint.count(q.disjoint, q.sawDisjoint)
		same.count(q.same, q.sawSame)
		atLeast.count(q.atLeast, q.sawAtLeast)
	}
	t.Logf("%d instances of %d questions, and %d with an empty array", total, questions, empty)
	disjoint.log(t, "disjoint")
	same.log(t, "same")
	atLeast.log(t, "p >= 0")
	if total >= 100_000 && (disjoint.claimed < 100 || disjoint.refuted < 100) {
		t.Error("the random questions are not worth asking")
	}
}

// TestRandomThreads: what is claimed of all pairs of threads holds for each.
func TestRandomThreads(t *testing.T) {
	r := maker{rand.New(rand.NewPCG(5, *seed))}
	w := &board{}
	var stat tally
	total := 0
	for total < *instances/20 && !t.Failed() {
		q := r.question()
		q.disjoint = disjointThreads(q.facts(), q.a.fun(), q.b.fun(), q.elemA, q.elemB, []string{"i"}, []string{"j"})
		seen, telling := true, 0
		var e env
		for n := 0; n < perQuestion || n < patience && !q.disjoint && seen; n++ {
			if !r.instance(q, &e, 5+n/perQuestion) {
				break
			}
			other := e
			other[vi], other[vj] = int64(r.IntN(5)), int64(r.IntN(5))
			ok := other[vi] != e[vi]
			for _, x := range q.rels {
				ok = ok && x.holds(&other)
			}
			if !ok {
				continue
			}
			w.now += 2
			disjoint := true
			na, ok := q.a.positions(&e, q.elemA, func(p int64) { w.stamp[p] = w.now })
			if !ok {
				continue
			}
			nb, ok := q.b.positions(&other, q.elemB, func(p int64) { disjoint = disjoint && w.stamp[p] != w.now })
			if !ok {
				continue
			}
			total++
			if na > 0 && nb > 0 {
				telling++
			}
			seen = seen && disjoint
			if q.disjoint && !disjoint {
				t.Errorf("claimed for threads %v and %v\nfacts %v\na %v\nb %v", e, other, q.rels, q.a, q.b)
			}
		}
		if *showMissed && telling >= 10 && !q.disjoint && seen {
			t.Logf("threads not seen to be disjoint: facts %v\na %v\nb %v", q.rels, q.a, q.b)
		}
		if telling >= 10 {
			stat.count(q.disjoint, seen)
		}
	}
	t.Logf("%d instances", total)
	stat.log(t, "threads disjoint")
}
