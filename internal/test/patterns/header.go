package patterns

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Pipelines are the short names of targets, with the passes that they stand for.
// Coalescing is not weighed against scattered accesses: asked is what can be done.
// A target that begins with "sequentialise" runs that pass before all others.
var Pipelines = map[string]string{
	"coalesce": "explicit,lift,coalesce:-access,lower",
	"reuse":    "explicit,reuse",
	"default":  "explicit,lift,coalesce:-access,lower,reuse",
	// Freely: where memory may be traded for copies.
	"coalesce-freely": "explicit,lift,coalesce:-access:-peak,lower",
	"default-freely":  "explicit,lift,coalesce:-access:-peak,lower,reuse",
}

// sequentialise is the pass that turns kernels into loops.
const sequentialise = "sequentialise"

// A Target bounds the counts after a pipeline.
type Target struct {
	Line        int
	Name        string   // as written: "sequentialise coalesce"
	Passes      []string // the passes it stands for
	Alloc, Copy int
	// Now is what the passes reach today, where that is less than asked, and why.
	Now *Reached
}

// Reached are counts that fall short of a target.
type Reached struct {
	Alloc, Copy int
	Why         string
}

// A Forbidden names a sharing of memory that must be refused.
type Forbidden struct {
	Line      int
	Condition string // C1 to C5, if, loop, or "" for reuse
	Moves     []Move
}

// A Move puts an array at a place.
type Move struct{ Array, Place string }

// A Header is a file's requirements on the passes.
type Header struct {
	Targets   []Target
	Forbidden []Forbidden
}

var (
	nowForm    = regexp.MustCompile(`^-- now ((?:sequentialise )?[a-z-]+): Alloc (\d+) Copy (\d+): (.+)$`)
	targetForm = regexp.MustCompile(`^-- target ((?:sequentialise )?[a-z-]+): Alloc (\d+) Copy (\d+)$`)
	// moveForm is the head of a move; a place may hold semicolons too.
	moveForm      = regexp.MustCompile(`(?:^|; )([A-Za-z_][A-Za-z0-9_']*) @ `)
	forbiddenForm = regexp.MustCompile(`^-- forbidden(?: (C[1-5]|if|loop))?: (.+)$`)
)

// ReadHeader reads the target and forbidden lines of a source text.
func ReadHeader(src string) (*Header, error) {
	h := &Header{}
	for i, l := range strings.Split(src, "\n") {
		fail := func(format string, args ...any) (*Header, error) {
			return nil, fmt.Errorf("line %d: %s", i+1, fmt.Sprintf(format, args...))
		}
		l = strings.TrimRight(l, " ")
		switch {
		case strings.HasPrefix(l, "-- target "):
			m := targetForm.FindStringSubmatch(l)
			if m == nil {
				return fail("malformed target, expected: -- target coalesce: Alloc 1 Copy 0")
			}
			t := Target{Line: i + 1, Name: m[1]}
			short, sequential := strings.CutPrefix(m[1], sequentialise+" ")
			passes := Pipelines[short]
			if passes == "" {
				return fail("unknown pipeline %q", short)
			}
			t.Passes = strings.Split(passes, ",")
			if sequential {
				t.Passes = append([]string{sequentialise}, t.Passes...)
			}
			t.Alloc, _ = strconv.Atoi(m[2]) // digits only
			t.Copy, _ = strconv.Atoi(m[3])
			h.Targets = append(h.Targets, t)
		case strings.HasPrefix(l, "-- now "):
			m := nowForm.FindStringSubmatch(l)
			if m == nil {
				return fail("malformed line, expected: -- now coalesce: Alloc 2 Copy 1: what is missing")
			}
			k := slices.IndexFunc(h.Targets, func(t Target) bool { return t.Name == m[1] })
			if k < 0 {
				return fail("no target %s stands above", m[1])
			}
			r := &Reached{Why: m[4]}
			r.Alloc, _ = strconv.Atoi(m[2]) // digits only
			r.Copy, _ = strconv.Atoi(m[3])
			h.Targets[k].Now = r
		case strings.HasPrefix(l, "-- forbidden"):
			m := forbiddenForm.FindStringSubmatch(l)
			if m == nil {
				return fail("malformed line, expected: -- forbidden C3: row @ m_table -> Direct(m, n) -> Slice(r, (0, n))")
			}
			f := Forbidden{Line: i + 1, Condition: m[1]}
			at := moveForm.FindAllStringSubmatchIndex(m[2], -1)
			if len(at) == 0 || at[0][0] != 0 {
				return fail("expected ARRAY @ PLACE; ..., found %q", m[2])
			}
			for k, a := range at {
				end := len(m[2])
				if k+1 < len(at) {
					end = at[k+1][0]
				}
				f.Moves = append(f.Moves, Move{m[2][a[2]:a[3]], m[2][a[1]:end]})
			}
			h.Forbidden = append(h.Forbidden, f)
		}
	}
	return h, nil
}
