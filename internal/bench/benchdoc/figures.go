package benchdoc

import (
	"path"
	"slices"
	"strings"

	"github.com/memc-lang/memc/internal/bench"
)

// A Named is a report and the name of the file it was kept in.
type Named struct {
	Name   string
	Report *bench.Report
}

// Figures are one program on one data set, by configuration.
type Figures struct {
	Program, Set string
	ways         map[string]*bench.Outcome
	order        []string
}

// A Section is the figures of one device, in the order of programs and sizes.
type Section struct {
	Name   string // pocl, h100
	Device string
	Runs   int // the most runs of any
	All    []*Figures
}

// setOrder are the data sets from the smallest to the largest.
var setOrder = []string{"tiny", "finpar-small", "small", "medium", "large"}

// section groups a report.
func section(n Named) *Section {
	s := &Section{Name: strings.TrimSuffix(path.Base(n.Name), path.Ext(n.Name))}
	index := map[[2]string]*Figures{}
	for i := range n.Report.Outcomes {
		o := &n.Report.Outcomes[i]
		k := [2]string{o.Title(), o.Set}
		f := index[k]
		if f == nil {
			f = &Figures{Program: k[0], Set: k[1], ways: map[string]*bench.Outcome{}}
			index[k] = f
			s.All = append(s.All, f)
		}
		f.ways[o.Way()] = o
		f.order = append(f.order, o.Way())
		if o.Device != "" {
			s.Device = o.Device
		}
		s.Runs = max(s.Runs, len(o.Runtimes))
	}
	slices.SortStableFunc(s.All, func(a, b *Figures) int {
		if c := strings.Compare(a.Program, b.Program); c != 0 {
			return c
		}
		return slices.Index(setOrder, a.Set) - slices.Index(setOrder, b.Set)
	})
	return s
}

// way returns the outcome of a configuration that ran, or nil.
func (f *Figures) way(name string) *bench.Outcome {
	if o := f.ways[name]; o != nil && o.Error == "" {
		return o
	}
	return nil
}

// lower is what no configuration's blocks could be made to share below; 0 where
// nothing is known.
func (f *Figures) lower() int64 {
	var least int64
	for _, o := range f.ways {
		if o.Error == "" && o.Lower > 0 && (least == 0 || o.Lower < least) {
			least = o.Lower
		}
	}
	return least
}

// saved is the share of a configuration's peak that merging saves.
func (f *Figures) saved(from string) (float64, bool) {
	a, b := f.way(from), f.way("both")
	if a == nil || b == nil || a.PeakBytes == 0 {
		return 0, false
	}
	return 1 - float64(b.PeakBytes)/float64(a.PeakBytes), true
}

// largest returns a program's figures on its largest data set.
func (s *Section) largest(program string) *Figures {
	var last *Figures
	for _, f := range s.All {
		if f.Program == program && f.way("none") != nil && f.way("both") != nil {
			last = f
		}
	}
	return last
}

// on returns a program's figures on a data set, or nil.
func (s *Section) on(program, set string) *Figures {
	for _, f := range s.All {
		if f.Program == program && f.Set == set {
			return f
		}
	}
	return nil
}

// programs returns the names, each once.
func (s *Section) programs() []string {
	var names []string
	for _, f := range s.All {
		if !slices.Contains(names, f.Program) {
			names = append(names, f.Program)
		}
	}
	return names
}
