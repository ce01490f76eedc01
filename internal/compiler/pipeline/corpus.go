package pipeline

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"strconv"
	"text/tabwriter"

	"github.com/memc-lang/memc/analysis/peak"
)

// A Row is what the passes did to one function of a corpus of programs: one line of JSON.
type Row struct {
	File      string  `json:"file"`
	Function  string  `json:"function,omitempty"`
	Coalesced int     `json:"coalesced"`
	Before    Figures `json:"before"`
	After     Figures `json:"after"`
	// Bound is the plan bound.
	Bound      string `json:"plan_bound"`
	BoundBytes *int64 `json:"plan_bound_bytes,omitempty"`
	// Error says why a program has no figures.
	Error string `json:"error,omitempty"`
}

// Figures are the counts of a function, and its peak as a formula and, where its names have values, in
// bytes.
type Figures struct {
	Alloc int    `json:"alloc"`
	Copy  int    `json:"copy"`
	Peak  string `json:"peak"`
	Bytes *int64 `json:"bytes,omitempty"`
}

// Rows returns the rows of a program. Sizes without a value of their own have that of rest, if that is
// not nil.
func (r *Report) Rows(file string, sizes map[string]int64, rest *int64) []Row {
	var out []Row
	r.At(sizes)
	for _, f := range r.Functions {
		figures := func(p Footprint) Figures {
			return Figures{p.Alloc, p.Copy, f.shown(p.Peak.String()), f.bytes(p.Peak, rest)}
		}
		out = append(out, Row{File: file, Function: f.Name, Coalesced: f.Coalesced, Before: figures(f.Before), After: figures(f.After),
			Bound: f.shown(f.Lower.String()), BoundBytes: f.bytes(f.Lower, rest)})
	}
	return out
}

// bytes evaluates a formula; nil: names have no values, and rest is nil.
func (f *FuncReport) bytes(of peak.Formula, rest *int64) *int64 {
	if f.sizes == nil {
		return nil
	}
	of = of.With(f.Derived)
	values := maps.Clone(f.sizes)
	for _, p := range of.Sums {
		for _, n := range p.Names() {
			if _, given := values[n]; !given && rest != nil {
				values[n] = *rest
			}
		}
	}
	if n, err := of.Bytes(values); err == nil {
		return &n
	}
	return nil
}

// WriteRows writes rows as lines of JSON.
func WriteRows(w io.Writer, rows []Row) error {
	for _, r := range rows {
		text, err := json.Marshal(r)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s\n", text); err != nil {
			return err
		}
	}
	return nil
}

// ReadRows reads what WriteRows wrote.
func ReadRows(r io.Reader) ([]Row, error) {
	var out []Row
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<24) // formulas may be long
	for n := 1; lines.Scan(); n++ {
		var row Row
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		out = append(out, row)
	}
	return out, lines.Err()
}

// WriteTable writes rows as a table, and their sums.
func WriteTable(w io.Writer, rows []Row) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "file\tfunction\tcoalesced\tallocations\tcopies\tpeak\tplan bound")
	var before, after Figures
	functions, failed := 0, 0
	for _, r := range rows {
		if r.Error != "" {
			failed++
			fmt.Fprintf(t, "%s\t\t\t\t\t%s\t\n", r.File, short(r.Error))
			continue
		}
		functions++
		before.Alloc, before.Copy = before.Alloc+r.Before.Alloc, before.Copy+r.Before.Copy
		after.Alloc, after.Copy = after.Alloc+r.After.Alloc, after.Copy+r.After.Copy
		fmt.Fprintf(t, "%s\t%s\t%d\t%d -> %d\t%d -> %d\t%s -> %s\t%s\n", r.File, r.Function, r.Coalesced, r.Before.Alloc, r.After.Alloc,
			r.Before.Copy, r.After.Copy, r.Before.bytes(), r.After.bytes(), number(r.BoundBytes, r.Bound))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%d functions: allocations %d -> %d, copies %d -> %d%s\n", functions, before.Alloc, after.Alloc, before.Copy, after.Copy, without(failed))
	return err
}

func without(failed int) string {
	if failed == 0 {
		return ""
	}
	return fmt.Sprintf("; %d programs have no figures", failed)
}

func (f Figures) bytes() string { return number(f.Bytes, f.Peak) }

// number writes bytes, or else a formula.
func number(bytes *int64, formula string) string {
	if bytes != nil {
		return strconv.FormatInt(*bytes, 10)
	}
	return short(formula)
}

// short cuts a text to the width of a table's cell.
func short(text string) string {
	const most = 40
	if len(text) > most {
		return text[:most-2] + ".."
	}
	return text
}

// WriteComparison writes a line for every function whose figures at the end differ between two corpora,
// and how many got better or worse. Peaks without values of all their sizes are compared as texts.
func WriteComparison(w io.Writer, was, now []Row) error {
	type key struct{ file, function string }
	old := map[key]Row{}
	for _, r := range was {
		old[key{r.File, r.Function}] = r
	}
	count := map[string]int{}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "file\tfunction\tallocations\tcopies\tpeak\t")
	common := 0
	for _, r := range now {
		o, ok := old[key{r.File, r.Function}]
		if !ok || r.Error != "" || o.Error != "" {
			continue
		}
		common++
		verdict := change(o.After, r.After)
		if count[verdict]++; verdict != "equal" {
			fmt.Fprintf(t, "%s\t%s\t%d -> %d\t%d -> %d\t%s -> %s\t%s\n", r.File, r.Function, o.After.Alloc, r.After.Alloc,
				o.After.Copy, r.After.Copy, o.After.bytes(), r.After.bytes(), verdict)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%d functions: %d better, %d worse, %d better and worse, %d with another formula, %d equal; only in one: %d\n",
		common, count["better"], count["worse"], count["better and worse"], count["other formula"], count["equal"], len(was)+len(now)-2*common)
	return err
}

// change says in a word what became of a function.
func change(was, now Figures) string {
	better, worse := now.Alloc < was.Alloc || now.Copy < was.Copy, now.Alloc > was.Alloc || now.Copy > was.Copy
	other := false
	switch {
	case was.Bytes != nil && now.Bytes != nil:
		better, worse = better || *now.Bytes < *was.Bytes, worse || *now.Bytes > *was.Bytes
	default:
		other = was.Peak != now.Peak
	}
	switch {
	case better && worse:
		return "better and worse"
	case better:
		return "better"
	case worse:
		return "worse"
	case other:
		return "other formula"
	}
	return "equal"
}
