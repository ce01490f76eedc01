// Package rules lists the special rules of the analyses and passes, and switches them off for
// measurements. Without a rule every program has the same results; some take more memory, copies, or
// checks at run time. `memc bench ledger` measures how many do.
package rules

import (
	"slices"
	"sync"
)

// A Rule is a special case that a pass or an analysis knows.
type Rule struct {
	Name string // the pass or analysis, and a word: coalesce.start
	Code string // what serves it alone, below the root: FILE, or FILE:FUNCTION,FUNCTION; several with spaces
	Does string
}

var (
	off   []string
	asked func(string)
)

// Off reports whether a rule is switched off.
func Off(name string) bool {
	if asked != nil {
		asked(name)
	}
	return len(off) > 0 && slices.Contains(off, name)
}

// Asked returns the rules for which Off is called while a function runs. Without any other rule, the
// function does the same. Nothing else may call Off meanwhile.
func Asked(do func()) map[string]bool {
	names := map[string]bool{}
	var lock sync.Mutex
	asked = func(name string) {
		lock.Lock()
		names[name] = true
		lock.Unlock()
	}
	do()
	asked = nil
	return names
}

// Switch switches off the rules that are named, and all others on. No pass may run meanwhile.
func Switch(names ...string) { off = names }

// Names returns the names of all rules.
func Names() []string {
	names := make([]string, len(List))
	for k, r := range List {
		names[k] = r.Name
	}
	return names
}
