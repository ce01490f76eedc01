package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/memc-lang/memc/runtime"
)

// jsonProgram is what stands at a program's name, as in `futhark bench --json`.
// A data set that failed is a string instead: its error message.
type jsonProgram struct {
	Datasets map[string]json.RawMessage `json:"datasets"`
}

// jsonSet is what stands at a data set's name. The first three fields are
// Futhark's; the rest is memc's own.
type jsonSet struct {
	Runtimes []int64          `json:"runtimes"` // microseconds
	Bytes    map[string]int64 `json:"bytes"`    // peak, per kind of memory
	Stderr   string           `json:"stderr"`

	Device       string   `json:"memc_device"`
	Passes       []string `json:"memc_passes"`
	Allocator    string   `json:"memc_allocator"`
	Same         string   `json:"memc_same_as,omitempty"`
	PeakHeld     int64    `json:"memc_peak_held_bytes"`
	Lower        int64    `json:"memc_lower_bound_bytes"`
	Allocs       int64    `json:"memc_allocations"`
	DriverAllocs int64    `json:"memc_driver_allocations"`
	SteadyAllocs int64    `json:"memc_driver_allocations_steady"`
	CopiedBytes  int64    `json:"memc_copied_bytes"`
	Kernels      int64    `json:"memc_kernel_launches"`
	Static       Static   `json:"memc_static"`
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
			entry = jsonSet{
				Runtimes: o.Runtimes, Bytes: map[string]int64{"device": o.PeakBytes},
				Device: o.Device, Passes: o.Passes, Allocator: o.Allocator, Same: o.Same, PeakHeld: o.PeakHeld, Lower: o.Lower,
				Allocs: o.Allocs, DriverAllocs: o.DriverAllocs, SteadyAllocs: o.SteadyAllocs,
				CopiedBytes: o.CopiedBytes, Kernels: o.Kernels, Static: o.Static,
			}
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
				var s jsonSet
				if err := json.Unmarshal(text, &s); err != nil {
					return nil, fmt.Errorf("%s, %s: %w", key, set, err)
				}
				o.Runtimes, o.Passes, o.Device, o.Static = s.Runtimes, s.Passes, s.Device, s.Static
				o.Allocator, o.Same, o.PeakHeld, o.Lower, o.SteadyAllocs = s.Allocator, s.Same, s.PeakHeld, s.Lower, s.SteadyAllocs
				o.Allocs, o.DriverAllocs, o.CopiedBytes, o.Kernels = s.Allocs, s.DriverAllocs, s.CopiedBytes, s.Kernels
				for _, n := range s.Bytes {
					o.PeakBytes = max(o.PeakBytes, n)
				}
			}
			r.Outcomes = append(r.Outcomes, o)
		}
	}
	sort.Slice(r.Outcomes, func(i, j int) bool { return less(&r.Outcomes[i], &r.Outcomes[j]) })
	return r, nil
}

func less(a, b *Outcome) bool {
	if x, y := configOrder(a.Config), configOrder(b.Config); a.Program == b.Program && a.Entry == b.Entry && a.Set == b.Set && x != y {
		return x < y
	}
	for _, x := range [][2]string{{a.Program, b.Program}, {a.Entry, b.Entry}, {a.Set, b.Set}} {
		if x[0] != x[1] {
			return x[0] < x[1]
		}
	}
	if a.Config != b.Config {
		return a.Config < b.Config
	}
	return a.Allocator < b.Allocator
}

func configOrder(name string) int {
	for i, n := range ConfigNames {
		if n == name {
			return i
		}
	}
	return len(ConfigNames)
}
