package benchdoc

import (
	"fmt"
	"strings"

	"github.com/memc-lang/memc/internal/bench"
)

// A Case is a figure that needs an explanation.
type Case struct {
	Key
	Device string
	What   string // the figures
}

// slack is what is not counted as a difference: 1 % of a peak.
const slack = 0.01

// Cases lists what needs an explanation, by section and program.
func (d *Document) Cases() []Case {
	var all []Case
	for _, s := range d.sections {
		for _, f := range s.All {
			all = append(all, d.slower(s, f)...)
			all = append(all, d.aboveBound(s, f)...)
		}
		for _, p := range s.programs() {
			all = append(all, d.less(s, p)...)
			all = append(all, d.aboveFuthark(s, p)...)
			all = append(all, d.behind(s, p)...)
		}
	}
	return all
}

// less: the thesis's best variant of the benchmark saved a larger share of its
// peak, with one of its pipelines, than merging does here on the largest data set.
func (d *Document) less(s *Section, program string) []Case {
	f := s.largest(program)
	if f == nil {
		return nil
	}
	ours, _ := f.saved("none")
	var best Saving
	for _, t := range savings(d.Thesis, program) {
		if t.Peak > best.Peak {
			best = t
		}
	}
	if ours >= best.Peak-slack {
		return nil
	}
	what := fmt.Sprintf("%s saves %s of its peak; in the thesis, %s saves %s (%s)", f.Set, share(ours), best.Benchmark, share(best.Peak), best.Pipeline)
	if scope, ok := f.saved("scope"); ok {
		what += fmt.Sprintf("; memc saves %s compared with scope", share(scope))
	}
	return []Case{{Key{program, Less}, s.Name, what}}
}

// fewest is how many runs a difference of times needs: with fewer, the middle halves
// of two and two equal measurements are apart too often.
const fewest = 4

// slower: the median is more than 5 % longer with merging, the middle halves are
// apart, and so are the best runs.
func (d *Document) slower(s *Section, f *Figures) []Case {
	none, both := f.way("none"), f.way("both")
	if none == nil || both == nil || both.Same != "" && both.Same == none.Way() || none.Same != "" && none.Same == both.Way() {
		return nil
	}
	a, b := bench.Summarise(none.Runtimes), bench.Summarise(both.Runtimes)
	if len(none.Runtimes) < fewest || len(both.Runtimes) < fewest || b.Median <= 1.05*a.Median || !b.Apart(a) || b.Min <= 1.05*a.Min || f.Set == "tiny" {
		return nil
	}
	return []Case{{Key{f.Program, Slower}, s.Name, fmt.Sprintf("%s takes %s, %s without merging", f.Set, bench.Micros(b.Median), bench.Micros(a.Median))}}
}

// aboveBound: the peak is above the plan bound of the data set.
func (d *Document) aboveBound(s *Section, f *Figures) []Case {
	both, least := f.way("both"), f.lower()
	if both == nil || least == 0 || float64(both.PeakBytes) <= (1+slack)*float64(least) {
		return nil
	}
	return []Case{{Key{f.Program, Bound}, s.Name, fmt.Sprintf("%s peaks at %s, %s above the bound", f.Set, bench.Bytes(both.PeakBytes), share(float64(both.PeakBytes)/float64(least)-1))}}
}

// aboveFuthark: the peak is above that of today's Futhark on the same size.
func (d *Document) aboveFuthark(s *Section, program string) []Case {
	var all []Case
	for _, t := range d.Futhark {
		f := s.on(t.Program, t.Set)
		if t.Program != program || f == nil || f.way("both") == nil || f.way("both").PeakBytes <= t.Peak {
			continue
		}
		all = append(all, Case{Key{program, Above}, s.Name, fmt.Sprintf("%s peaks at %s, Futhark at %s", t.Data, bench.Bytes(f.way("both").PeakBytes), bench.Bytes(t.Peak))})
	}
	return all
}

// besideFuthark reports whether times of a device may be held against Futhark's, which are an H200's.
// An H100 is the same chip with slower memory, so Futhark has the advantage there.
func besideFuthark(device string) bool {
	return strings.Contains(device, "H100") || strings.Contains(device, "H200")
}

// behind: the median is more than a tenth longer than Futhark's on the same size.
func (d *Document) behind(s *Section, program string) []Case {
	var all []Case
	for _, t := range d.Futhark {
		f := s.on(t.Program, t.Set)
		if t.Program != program || f == nil || f.way("both") == nil || !besideFuthark(s.Device) {
			continue
		}
		if ours := bench.Summarise(f.way("both").Runtimes).Median; t.Time > 0 && ours > 1.1*t.Time {
			all = append(all, Case{Key{program, Behind}, s.Name, fmt.Sprintf("%s takes %s, Futhark %s", t.Data, bench.Micros(ours), bench.Micros(t.Time))})
		}
	}
	return all
}

// share writes a share as a percentage.
func share(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }
