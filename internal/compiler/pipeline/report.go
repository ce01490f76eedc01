package pipeline

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/memc-lang/memc/ir/diag"
)

// Counts are the static counts of a program, as in a test block's structure
// line: allocations, copies that really move data, kernels.
type Counts struct {
	Alloc  int `json:"alloc"`
	Copy   int `json:"copy"`
	Kernel int `json:"kernel"`
	Thread int `json:"thread,omitempty"` // of Alloc: by threads, alloc@thread
}

// A PassReport describes one run of one pass. Time is omitted from the
// JSON form, which is the same for every run.
type PassReport struct {
	Name     string        `json:"name"`
	Rewrites int           `json:"rewrites"`
	Time     time.Duration `json:"-"`
}

// A Report tells what a pipeline did to a program. It counts from where every function has
// memory: a memory-agnostic one has no allocations to compare with.
type Report struct {
	Before Counts       `json:"before"` // after the pass explicit, where it runs
	After  Counts       `json:"after"`
	Passes []PassReport `json:"passes"`
	// Functions tells what became of each function's memory, where
	// Options.Footprints asks for it.
	Functions []FuncReport `json:"functions,omitempty"`
	Remarks   *diag.List   `json:"-"`
	// Unproven is what the static checker of memory could neither prove nor refute
	// after a pass, where Options.Memcheck asks for it.
	Unproven []*diag.Diagnostic `json:"-"`

	speak func(msg string) string        // puts the user's names into a message
	shown func() func(msg string) string // with the lines of several that have one name
}

// JSON returns the report as one JSON object on one line.
func (r *Report) JSON() string {
	text, err := json.Marshal(r)
	if err != nil { // a struct of numbers and strings always has a JSON form
		return "{}"
	}
	return string(text)
}

// WriteStats writes the report as text for people.
func (r *Report) WriteStats(w io.Writer) {
	fmt.Fprintf(w, "%-12s %8s %8s\n", "", "before", "after")
	fmt.Fprintf(w, "%-12s %8d %8d\n", "alloc", r.Before.Alloc, r.After.Alloc)
	fmt.Fprintf(w, "%-12s %8d %8d\n", "copy", r.Before.Copy, r.After.Copy)
	fmt.Fprintf(w, "%-12s %8d %8d\n", "kernel", r.Before.Kernel, r.After.Kernel)
	for _, p := range r.Passes {
		fmt.Fprintf(w, "pass %-12s %8d rewrites\n", p.Name, p.Rewrites)
	}
}
