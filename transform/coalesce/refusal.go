package coalesce

import (
	"fmt"
	"strconv"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// A refusal says which condition a candidate fails, and why. Code is empty if it fails none.
type refusal struct{ Code, Why string }

func refuse(code, format string, args ...any) refusal {
	return refusal{code, fmt.Sprintf(format, args...)}
}

func (r refusal) refused() bool { return r.Code != "" }

// because adds the position of an access to a refusal.
func (s *state) because(code string, a *accesses.Access, format string, args ...any) refusal {
	r := refuse(code, format, args...)
	if p := position(s.file, a.Stmt); p != "" {
		r.Why += " (" + p + ")"
	}
	return r
}

// position returns "line:column" of a statement.
func position(f *diag.File, st *ir.Stmt) string {
	if f == nil || st == nil || !st.Span.Known() {
		return ""
	}
	line, col := f.Position(st.Span.Start)
	return strconv.Itoa(line) + ":" + strconv.Itoa(col)
}
