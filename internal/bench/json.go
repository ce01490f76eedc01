package bench

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/memc-lang/memc/runtime"
)

// jsonProgram is what stands at a program's name, as in `futhark bench --json`.
// A data set that failed is a string instead: its error message.
type jsonProgram struct {
	Datasets map[string]json.RawMessage `json:"datasets"`
}

// jsonSet is what stands at a data set's name. Runtimes, bytes and stderr are Futhark's; the
// rest is memc's own.
type jsonSet struct {
	Bytes  map[string]int64 `json:"bytes"` // peak, per kind of memory
	Stderr string           `json:"stderr"`
	*Outcome
}

// Way names a configuration, and the allocator where it is not the default.
func (o *Outcome) Way() string {
	if o.Allocator == "" || o.Allocator == runtime.DefaultAllocator {
		return o.Config
	}
	return o.Config + " " + o.Allocator
}

// key names a program, its entry where that is not main, and the way it ran:
// "benchmarks/nw/nw.ir [both]", "prog.ir:step [none driver]".
func (o *Outcome) key() string {
	name := o.Program
	if o.Entry != "main" {
		name += ":" + o.Entry
	}
	return name + " [" + o.Way() + "]"
}

// parseKey takes a key apart. A report of Futhark's own has no configuration.
func parseKey(key string) (program, entry, config, allocator string) {
	program, entry = key, "main"
	if i := strings.LastIndex(program, " ["); i >= 0 && strings.HasSuffix(program, "]") {
		config, allocator, _ = strings.Cut(program[i+2:len(program)-1], " ")
		program = program[:i]
	}
	if i := strings.LastIndexByte(program, ':'); i >= 0 {
		program, entry = program[:i], program[i+1:]
	}
	return
}

// WriteJSON writes a report.
func (r *Report) WriteJSON(w io.Writer) error {
	all := map[string]jsonProgram{}
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		var entry any = o.Error
		if o.Error == "" {
			entry = jsonSet{Outcome: o, Bytes: map[string]int64{"device": o.PeakBytes}}
		}
		text, err := json.Marshal(entry)
		if err != nil {
			return err
		}
		if _, ok := all[o.key()]; !ok {
			all[o.key()] = jsonProgram{map[string]json.RawMessage{}}
		}
		all[o.key()].Datasets[o.Set] = text
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(all)
}

// ReadJSON reads a report of memc's or Futhark's. Outcomes come by program, data
// set and, in the order of ConfigNames, configuration.
func ReadJSON(rd io.Reader) (*Report, error) {
	var all map[string]jsonProgram
	if err := json.NewDecoder(rd).Decode(&all); err != nil {
		return nil, fmt.Errorf("not a report of benchmarks: %w", err)
	}
	r := &Report{}
	for key, p := range all {
		if p.Datasets == nil {
			return nil, fmt.Errorf("not a report of benchmarks: %q has no datasets", key)
		}
		program, entry, config, allocator := parseKey(key)
		for set, text := range p.Datasets {
			o := Outcome{Program: program, Entry: entry, Config: config, Allocator: allocator, Set: set}
			if json.Unmarshal(text, &o.Error) != nil {
				s := jsonSet{Outcome: &o}
				if err := json.Unmarshal(text, &s); err != nil {
					return nil, fmt.Errorf("%s, %s: %w", key, set, err)
				}
				for _, n := range s.Bytes {
					o.PeakBytes = max(o.PeakBytes, n)
				}
			}
			r.Outcomes = append(r.Outcomes, o)
		}
	}
	slices.SortFunc(r.Outcomes, func(a, b Outcome) int {
		return cmp.Or(cmp.Compare(a.Program, b.Program), cmp.Compare(a.Entry, b.Entry), cmp.Compare(a.Set, b.Set),
			cmp.Compare(configOrder(a.Config), configOrder(b.Config)), cmp.Compare(a.Config, b.Config), cmp.Compare(a.Allocator, b.Allocator))
	})
	return r, nil
}

// configOrder is the place of a configuration among those with a name of their own; others
// come last.
func configOrder(name string) int {
	if i := slices.Index(ConfigNames, name); i >= 0 {
		return i
	}
	return len(ConfigNames)
}
