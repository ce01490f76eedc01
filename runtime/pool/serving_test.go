//go:build cgo

package pool

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"text/tabwriter"
)

// A step of a trace: size and tag of the block that it requests, or which request's block it frees.
type step struct {
	size int64
	tag  int
	free int // of the trace's requests, by position among them; or one of these
}

const (
	request = -1 // the step requests a block
	turn    = -2 // a call begins
)

// A serving is a trace of a process that serves calls for hours: a call with large temporaries, then
// calls whose results the caller keeps, then the first call again. Sizes drift from call to call.
type serving struct {
	rng   *rand.Rand
	steps []step
	count int
	live  []int // results that are kept, the oldest first
}

func (s *serving) get(size int64, tag int) int {
	s.steps = append(s.steps, step{max(size, 1), tag, request})
	s.count++
	return s.count - 1
}

func (s *serving) put(id int) { s.steps = append(s.steps, step{free: id}) }

// about returns a size near n.
func (s *serving) about(n int64, drift float64) int64 {
	return int64(float64(n) * (1 + drift*(2*s.rng.Float64()-1)))
}

// newServing makes the trace of a seed. A third keeps all results, a third the last few, and a third
// frees them in any order.
func newServing(seed int64) []step {
	rng := rand.New(rand.NewSource(seed))
	s := &serving{rng: rng}
	large := make([]int64, 1+rng.Intn(3))
	for i := range large {
		large[i] = 1<<20 + rng.Int63n(60<<20)
	}
	small := make([]int64, 1+rng.Intn(4))
	for i := range small {
		small[i] = large[0] / (10 + rng.Int63n(1000))
	}
	drift := []float64{0, 0.02, 0.3}[rng.Intn(3)]
	keep, window, factor := int(seed%3), 5+rng.Intn(60), 1+rng.Int63n(12)
	for range 4 + rng.Intn(40) {
		s.steps = append(s.steps, step{free: turn})
		var temps []int
		for i, n := range large {
			temps = append(temps, s.get(s.about(n, drift), i))
		}
		for _, id := range temps {
			s.put(id)
		}
		for range 1 + rng.Intn(40) {
			s.steps = append(s.steps, step{free: turn})
			i := rng.Intn(len(small))
			n := s.about(small[i], drift)
			temp := s.get(n*factor, 10+2*i)
			s.live = append(s.live, s.get(n, 11+2*i))
			s.put(temp)
			if keep > 0 && len(s.live) > window {
				at := 0
				if keep == 2 {
					at = rng.Intn(len(s.live))
				}
				s.put(s.live[at])
				s.live = append(s.live[:at], s.live[at+1:]...)
			}
		}
	}
	return s.steps
}

// playSteps makes the requests of a trace; blocks that it gets no room for are left out.
func playSteps(p *cPool, steps []step) (failed int) {
	for _, b := range playOn(p, steps, nil) {
		if b == nil {
			failed++
		}
	}
	return failed
}

// playOn plays a part of a trace, after those whose blocks are given.
func playOn(p *cPool, steps []step, blocks []Block) []Block {
	for _, s := range steps {
		if s.free == turn {
			p.Turn()
		} else if s.free == request {
			b, _ := p.Get(s.size, s.tag)
			blocks = append(blocks, b)
		} else if b := blocks[s.free]; b != nil {
			p.Put(b)
		}
	}
	return blocks
}

// needs returns the most bytes of a trace that are live at one time.
func needs(t *testing.T, steps []step) int64 {
	p := newPool(t, &hugeSource{}, Options{Policy: Driver})
	playSteps(p, steps)
	return p.Stats().PeakAsked
}

// TestServing prints how the policies serve 120 traces: under limits near the peak, how many traces
// have a request that fails, and how many requests do; without a limit, the most that is held, and the
// buffers that the driver makes.
func TestServing(t *testing.T) {
	const traces = 120
	limits := []int64{105, 110, 125}
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "allocator\tfail at 1.05\t1.10\t1.25\trequests\theld/peak\tworst\tbuffers per 1000 requests\t")
	for policy := range Policies {
		var traced, requests [3]int
		var sum, worst float64
		var made, asked int64
		for seed := range int64(traces) {
			steps := newServing(seed)
			peak := needs(t, steps)
			for i, limit := range limits {
				p := newPool(t, &hugeSource{}, Options{Policy: Policy(policy), Limit: peak / 100 * limit})
				if n := playSteps(p, steps); n > 0 {
					traced[i]++
					requests[i] += n
				}
			}
			p := newPool(t, &hugeSource{}, Options{Policy: Policy(policy)})
			playSteps(p, steps)
			s := p.Stats()
			held := float64(s.PeakHeld) / float64(s.PeakAsked)
			sum += held / traces
			worst = max(worst, held)
			made += s.Creates
			asked += s.Requests
		}
		fmt.Fprintf(w, "%v\t%d\t%d\t%d\t%d\t%.3f\t%.2f\t%.0f\t\n", Policy(policy), traced[0], traced[1], traced[2], requests,
			sum, worst, 1000*float64(made)/float64(asked))
		if Policy(policy) == Region && (traced[0] > 10 || traced[2] > 1 || sum > 1.15 || worst > 1.9 || made*10 > asked) {
			t.Errorf("%d and %d traces fail, %.2f of the peak are held, at worst %.2f, with %d buffers", traced[0], traced[2], sum, worst, made)
		}
	}
	w.Flush()
	t.Log("\n" + out.String())
}

// sameCall returns what writes the trace of one call: its large temporaries, and smaller ones with
// their results, which are the caller's.
func sameCall(rng *rand.Rand) (call func(s *serving) (results []int)) {
	large, small := make([]int64, 1+rng.Intn(3)), make([]int64, 1+rng.Intn(20))
	for i := range large {
		large[i] = 1<<20 + rng.Int63n(60<<20)
	}
	for i := range small {
		small[i] = large[0] / (1 + rng.Int63n(200))
	}
	return func(s *serving) (results []int) {
		s.steps = append(s.steps, step{free: turn})
		var temps []int
		for i, n := range large {
			temps = append(temps, s.get(n, i))
		}
		for _, id := range temps {
			s.put(id)
		}
		for i, n := range small {
			temp := s.get(3*n, 10+2*i)
			results = append(results, s.get(n, 11+2*i))
			s.put(temp)
		}
		return results
	}
}

// TestServingSame makes one call again and again. Its results are freed before the next call, or
// only after it.
func TestServingSame(t *testing.T) {
	const loops, calls = 200, 60
	for _, later := range []bool{false, true} {
		var made [calls]int // loops that made buffers in a call
		last, held := 0, 0.0
		for seed := range int64(loops) {
			rng := rand.New(rand.NewSource(seed))
			call := sameCall(rng)
			p := newPool(t, &hugeSource{}, Options{Policy: Region})
			s := &serving{}
			var old []int
			var ends []int
			for range calls {
				results := call(s)
				if later {
					old, results = results, old
				}
				for _, id := range results {
					s.put(id)
				}
				ends = append(ends, len(s.steps))
			}
			var blocks []Block
			at := 0
			for i, end := range ends {
				before := p.Stats().Creates
				blocks = playOn(p, s.steps[at:end], blocks)
				at = end
				if n := int(p.Stats().Creates - before); n > 0 {
					made[i]++
					last = max(last, i+1)
				}
			}
			held += float64(p.Stats().PeakHeld) / float64(p.Stats().PeakAsked) / loops
		}
		if !later && (made[1] > 4 || last > 2) || later && made[9] > 20 {
			t.Errorf("results freed after the next call %v: loops ask the driver for buffers for %d calls: %v", later, last, made)
		}
		t.Logf("results freed after the next call %v: of %d loops, %v ask the driver for buffers in their first calls; the last in call %d; held/peak %.2f",
			later, loops, made[:8], last, held)
	}
}
