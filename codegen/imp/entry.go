package imp

import (
	"strings"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// How entries are told to their users, whatever language those write.

// Type returns a parameter's type as the IR writes it: "[n]i32".
func (q EntryParam) Type() string { return Dims(q.Shape) + q.Prim.String() }

// Dims returns "[n][m]".
func Dims(shape []ir.Dim) string {
	text := ""
	for _, d := range shape {
		text += "[" + d.String() + "]"
	}
	return text
}

// Signature returns an entry's head as the IR writes it, without places.
func (e *Entry) Signature() string {
	text := e.Name
	for _, s := range e.Sizes {
		text += " [" + s + "]"
	}
	var params, results []string
	for _, q := range e.Params {
		star := ""
		if q.Array && q.Unique {
			star = "*"
		}
		params = append(params, q.Name+": "+star+q.Type())
	}
	for _, r := range e.Results {
		t := Dims(r.Shape) + r.Prim.String()
		if r.Name != "" {
			t = r.Name + ": " + t
		}
		results = append(results, t)
	}
	text += " (" + strings.Join(params, ", ") + ")"
	if len(results) == 1 {
		return text + " : " + results[0]
	}
	return text + " : (" + strings.Join(results, ", ") + ")"
}

// SourceName returns a parameter's name in the source of a program: in a dump of Futhark's
// compiler every name ends with a number that the source does not have.
func SourceName(f *diag.File, name string) string {
	i := strings.LastIndexByte(name, '_')
	if i <= 0 || f == nil || !strings.Contains(f.Name, ".fut_") || strings.Trim(name[i+1:], "0123456789") != "" {
		return name
	}
	return name[:i]
}
