package pipeline

import (
	"fmt"
	"io"

	"github.com/memc-lang/memc/transform"
)

// Printing tells which programs to print between passes: the flags
// --print-after=p,q, --print-after-all and --print-changed=diff.
type Printing struct {
	After       []string // after these passes
	AfterAll    bool     // after every pass
	ChangedDiff bool     // a diff after every pass that changed the program
}

// Check tells whether every pass named is known.
func (o Printing) Check() error {
	for _, name := range o.After {
		if Lookup(name) == nil {
			return unknown(name)
		}
	}
	return nil
}

// Hook returns the Options.After that prints to w, or nil where nothing is to be
// printed.
func (o Printing) Hook(w io.Writer) func(pass *transform.Pass, before, after string) {
	if len(o.After) == 0 && !o.AfterAll && !o.ChangedDiff {
		return nil
	}
	named := map[string]bool{}
	for _, name := range o.After {
		named[name] = true
	}
	return func(pass *transform.Pass, before, after string) {
		if o.AfterAll || named[pass.Name] {
			fmt.Fprintf(w, "-- after %s\n%s\n", pass.Name, after)
		}
		switch {
		case !o.ChangedDiff:
		case before == after:
			fmt.Fprintf(w, "-- %s changed nothing\n", pass.Name)
		default:
			fmt.Fprintf(w, "-- %s changed\n%s\n", pass.Name, Diff(before, after))
		}
	}
}
