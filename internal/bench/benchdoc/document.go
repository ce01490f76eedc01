package benchdoc

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"path"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/memc-lang/memc/internal/bench"
)

// A Document is everything that bench/programs/report.md is made of.
type Document struct {
	Thesis   []Thesis
	Futhark  []Futhark
	Notes    Notes
	sections []*Section
	made     string // the command that makes it
	out      string // its path; "": standard output, without charts
}

// Add adds a kept report.
func (d *Document) Add(n Named) { d.sections = append(d.sections, section(n)) }

// Sections returns the sections, one per report.
func (d *Document) Sections() []*Section { return d.sections }

// Unexplained returns the cases without a note.
func (d *Document) Unexplained() []Case {
	var all []Case
	for _, c := range d.Cases() {
		if d.Notes[c.Key] == "" {
			all = append(all, c)
		}
	}
	return all
}

const intro = `# Benchmarks: what memory merging is worth

` + "`%s`" + `
makes this page from the reports in bench/programs; do not edit it by hand. ` + "`make bench`" + ` measures the reduced sizes
anew. [benchmarks/README.md](../../benchmarks/README.md) describes the programs.

**How it is measured.** A *configuration* is a way to compile a program:

- *scope*: the explicit form, with blocks held to the end of their scopes;
- *none*: the explicit form, with blocks freed after their last use;
- *coalesce*, *reuse*: one of the passes;
- *both*: both passes, which is the default.

All configurations must give the same results, or the report says so. Peaks are bytes in live blocks, including
arguments and results. The *bound* is the most bytes of contents that a watched run needs at one time
(internal/bench/bound.go); no sharing of blocks can hold less. The tables show the least bound of all configurations.
Times are medians without transfers, with half the range between the quartiles; the configurations take turns. ~ marks
a difference that may be noise: the middle halves overlap, or there are fewer than four runs.

`

// Write writes the document.
func (d *Document) Write(to io.Writer) error {
	w := bufio.NewWriter(to)
	fmt.Fprintf(w, intro, d.made)
	for _, s := range d.sections {
		d.summary(w, s)
	}
	fmt.Fprintln(w)
	for _, s := range d.sections {
		fmt.Fprintf(w, "## %s: %s\n\n", s.Name, s.Device)
		for _, c := range []string{"peak", "time"} {
			if d.out != "" {
				fmt.Fprintf(w, "![%s](%s)\n", c, path.Base(d.Chart(s, c)))
			}
		}
		fmt.Fprint(w, "\n### The largest data set of each program\n\n"+
			"Below 1: merging, or memc beside Futhark 0.25.37 on the same data, takes less time.\n\n")
		d.suite(w, s)
		fmt.Fprint(w, "\n### Memory\n\nAllocations and copied bytes are those of one run. Copies are statements of the program that move data.\n\n")
		memoryTable(s).Write(w)
		fmt.Fprintf(w, "\n### Time\n\nUp to %d runs each.\n\n", s.Runs)
		timeTable(s).Write(w)
		if t := allocatorTable(s); len(t.Rows) > 0 {
			fmt.Fprint(w, "\n### Allocators\n\nWith both passes: the most bytes that the allocator holds, divided by the peak; the buffers that it requests from the\ndriver in a run after the first; and the time, divided by that of `region`, the default.\n\n")
			t.Write(w)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprint(w, "## Beside the thesis\n\n"+
		"The table shows how many percent of the peak and of the time merging saves (negative: it costs more). The\n"+
		"[thesis](../../docs/bibliography.md) has averages over its data sets (appendix B; GTX 960M and a CPU; times of chapter 10), memc\n"+
		"has the largest set measured. Before merging, the thesis holds blocks longer than needed: in canny, all ten arrays at\n"+
		"once (10,551,876 bytes at 512 x 512). memc's *none* frees them after their last use. The column *scope* compares like\n"+
		"with like: it holds blocks to the end of their scopes.\n\n")
	d.thesisTable().Write(w)
	fmt.Fprint(w, "\n## Beside today's Futhark\n\n"+
		"Futhark 0.25.37, OpenCL on an H200, programs of futhark-benchmarks. Times of an H100 stand beside Futhark's: it is the\n"+
		"same chip with slower memory (a copy moves 2.9 TB/s, on an H200 4.1), so the comparison favours Futhark.\n\n")
	d.futharkTable().Write(w)
	d.ratio(w)
	d.explanations(w)
	return w.Flush()
}

// ratio tells for each device how long memc takes beside Futhark. Of several programs for the same work the
// fastest counts.
func (d *Document) ratio(w io.Writer) {
	for _, s := range d.sections {
		best := map[Futhark]float64{}
		for _, v := range d.Futhark {
			f := s.on(v.Program, v.Set)
			if f == nil || f.way("both") == nil || v.Time == 0 || !besideFuthark(s.Device) {
				continue
			}
			work := v
			work.Program = ""
			x := bench.Summarise(f.way("both").Runtimes).Median / v.Time
			if old, ok := best[work]; !ok || x < old {
				best[work] = x
			}
		}
		if len(best) == 0 {
			continue
		}
		sum, faster := 0.0, 0
		for _, x := range best {
			sum += math.Log(x)
			if x < 1 {
				faster++
			}
		}
		fmt.Fprint(w, "\n", wrap(fmt.Sprintf("The fastest of memc's programs for the same work takes less time than Futhark's for %d of %d figures (%s), and %.2f of its time in the geometric mean. These are programs written by hand for memc, on another card than Futhark's: the figure compares programs, not compilers.",
			faster, len(best), s.Name, math.Exp(sum/float64(len(best)))), ""), "\n")
	}
}

// summary tells the outcome in one paragraph.
func (d *Document) summary(w io.Writer, s *Section) {
	var saved []float64
	sets, rises, atBound, slower, faster, failed := 0, 0, 0, 0, 0, 0
	for _, f := range s.All {
		for _, o := range f.ways {
			if o.Error != "" {
				failed++
			}
		}
		none, both := f.way("none"), f.way("both")
		if none == nil || both == nil {
			continue
		}
		sets++
		if both.PeakBytes > none.PeakBytes {
			rises++
		}
		if least := f.lower(); least > 0 && float64(both.PeakBytes) <= (1+slack)*float64(least) {
			atBound++
		}
		x, _ := f.saved("none")
		saved = append(saved, x)
		a, b := bench.Summarise(none.Runtimes), bench.Summarise(both.Runtimes)
		if len(d.slower(s, f)) > 0 {
			slower++
		}
		if len(none.Runtimes) >= fewest && len(both.Runtimes) >= fewest && a.Median > 1.05*b.Median && b.Apart(a) && a.Min > 1.05*b.Min && both.Same != none.Way() {
			faster++
		}
	}
	if sets == 0 {
		return
	}
	sort.Float64s(saved)
	fmt.Fprint(w, wrap(fmt.Sprintf("**%s** (%s): %d programs on %d data sets, %d failures. Merging raises the peak of %d; the peak of %d is within 1 %% of the bound. "+
		"The median saving is %s of the peak, the largest %s. Merging makes the program faster by more than 5 %% and beyond noise on %d, slower on %d.",
		s.Name, s.Device, len(s.programs()), sets, failed, rises, atBound, share(saved[len(saved)/2]), share(saved[len(saved)-1]), faster, slower), ""), "\n\n")
}

// explanations weaves the notes in.
func (d *Document) explanations(w io.Writer) {
	headings := map[string]string{
		Less: "Saves less than in the thesis", Slower: "Slower with merging", Above: "Peak above Futhark's",
		Bound: "Peak above the bound", Behind: "Slower than Futhark", general: "",
	}
	byProgram := map[string][]Case{}
	for _, c := range d.Cases() {
		byProgram[c.Program] = append(byProgram[c.Program], c)
	}
	names := map[string]bool{}
	for k := range d.Notes {
		if k.Kind == general {
			names[k.Program] = true
		}
	}
	for p := range byProgram {
		names[p] = true
	}
	fmt.Fprint(w, "\n## Explanations\n\nThis section explains every program for which merging saves less than in the thesis, costs time, or leaves the peak\nabove Futhark's or the bound, and every program that is slower than Futhark's.\n")
	for _, p := range sorted(names) {
		fmt.Fprintf(w, "\n### %s\n\n", p)
		for _, kind := range kinds {
			var what []string
			for _, c := range byProgram[p] {
				if c.Kind == kind {
					what = append(what, c.What+" ("+c.Device+")")
				}
			}
			note := d.Notes[Key{p, kind}]
			switch {
			case kind == general && note != "":
				fmt.Fprintln(w, wrap("- "+capital(note), "  "))
			case len(what) > 0:
				if note == "" {
					note = "**Not explained yet.**"
				}
				fmt.Fprintln(w, wrap(fmt.Sprintf("- *%s:* %s. %s", headings[kind], strings.Join(what, "; "), capital(note)), "  "))
			}
		}
	}
}

// wrap breaks a paragraph into lines of at most 120 columns; later ones are indented.
func wrap(text, indent string) string {
	var b strings.Builder
	column := 0
	for k, word := range strings.Fields(text) {
		switch n := utf8.RuneCountInString(word); {
		case k == 0:
			column = n
		case column+1+n > 120:
			b.WriteString("\n" + indent)
			column = len(indent) + n
		default:
			b.WriteByte(' ')
			column += 1 + n
		}
		b.WriteString(word)
	}
	return b.String()
}

// capital begins a sentence.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func sorted(set map[string]bool) []string {
	var names []string
	for n := range set {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}
