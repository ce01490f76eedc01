package opencl

import (
	"fmt"
	"strings"

	"github.com/memc-lang/memc/codegen/imp"
)

// keywords are the words of C and C++ that no parameter of a header can be called.
var keywords = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`alignas alignof and and_eq asm atomic_cancel atomic_commit atomic_noexcept auto
bitand bitor bool break case catch char char8_t char16_t char32_t class compl concept const consteval constexpr constinit
const_cast continue co_await co_return co_yield decltype default delete do double dynamic_cast else enum explicit export
extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq
private protected public reflexpr register reinterpret_cast requires restrict return short signed sizeof static
static_assert static_cast struct switch synchronized template this thread_local throw true try typedef typeid typename
typeof union unsigned using virtual void volatile wchar_t while xor xor_eq unix linux errno assert main near far`) {
		m[w] = true
	}
	return m
}()

// headerNames names the results and arguments of an entry in the header as the program
// does. Names that start with a capital or _ may be macros of somebody's.
func headerNames(p *imp.Program, e *imp.Entry) (outs, ins []string) {
	used := map[string]bool{"ctx": true}
	name := func(source, other string) string {
		n := cIdent(imp.SourceName(p.File, source))
		if source == "" {
			n = other
		}
		if keywords[n] || n[0] == '_' || n[0] >= 'A' && n[0] <= 'Z' {
			n = "x_" + strings.TrimLeft(n, "_")
		}
		for try, i := n, 1; ; i++ {
			if !used[try] {
				used[try] = true
				return try
			}
			try = fmt.Sprintf("%s_%d", n, i)
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
