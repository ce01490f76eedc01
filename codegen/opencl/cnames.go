package opencl

import (
	"fmt"
	"strings"

	"github.com/memc-lang/memc/codegen/imp"
)

// headerNames names the results and arguments of an entry in the header as the program does, with an
// underscore at the end: so none is a keyword, a type or a macro of somebody's (imp, Note [Names apart]).
func headerNames(p *imp.Program, e *imp.Entry) (outs, ins []string) {
	used := map[string]bool{}
	name := func(source, other string) string {
		n := strings.Trim(cIdent(imp.SourceName(p.File, source)), "_")
		if n == "" || n[0] <= '9' {
			n = other
		}
		for try, i := n+"_", 1; ; i++ {
			if !used[try] {
				used[try] = true
				return try
			}
			try = fmt.Sprintf("%s_%d_", n, i)
		}
	}
	for k, r := range e.Results {
		outs = append(outs, name(r.Name, fmt.Sprintf("out%d", k)))
	}
	for k, q := range e.Params {
		ins = append(ins, name(q.Name, fmt.Sprintf("in%d", k)))
	}
	return outs, ins
}

// numberedNames are the names that the functions themselves use.
func numberedNames(e *imp.Entry) (outs, ins []string) {
	for k := range e.Results {
		outs = append(outs, fmt.Sprintf("out%d", k))
	}
	for k := range e.Params {
		ins = append(ins, fmt.Sprintf("in%d", k))
	}
	return outs, ins
}
