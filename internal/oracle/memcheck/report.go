package memcheck

import (
	"github.com/memc-lang/memc/ir/diag"
)

// A Finding is a diagnostic about one function. An error is certain; a
// limitation: the checker cannot prove it, though it may be right.
type Finding struct {
	Func string
	Diag *diag.Diagnostic
}

// Certain reports whether the program is wrong, rather than not proven right.
func (f Finding) Certain() bool { return f.Diag.Severity != diag.Limitation }

// A Report holds the findings of Check, in the order of the functions.
type Report struct {
	File     *diag.File
	Findings []Finding
}

// List returns the findings for which keep holds; nil keeps all.
func (r *Report) List(keep func(Finding) bool) *diag.List {
	l := &diag.List{File: r.File}
	for _, f := range r.Findings {
		if keep == nil || keep(f) {
			l.All = append(l.All, f.Diag)
		}
	}
	return l
}

type reported struct {
	span diag.Span
	name string
}

// report adds a finding, one per place and name. Both texts are of the rule of that code.
func (f *function) report(code diag.Code, certain bool, at diag.Span, name, wrong, unproven string) *diag.Diagnostic {
	certain = certain && f.doubt == 0
	d := &diag.Diagnostic{Severity: diag.Error, Code: code, File: f.file, Span: at, Msg: wrong}
	if !certain {
		d.Severity, d.Msg = diag.Limitation, unproven
	}
	key := reported{at, name}
	if f.reported[key] {
		return d // notes to it go nowhere
	}
	f.reported[key] = true
	f.findings = append(f.findings, Finding{f.fn.Name, d})
	return d
}

// destroyed reports that a is used after w may have been written over it.
func (f *function) destroyed(a *array, w *write, certain bool, at diag.Span, how string) {
	at = at.Or(a.span)
	block := "block `" + w.block.canon().name + "`"
	d := f.report(diag.Overwritten, certain, at, a.name,
		"`"+a.name+"` is "+how+", but `"+w.name+"` has overwritten its contents in "+block,
		"cannot prove that `"+a.name+"` still holds its contents where it is "+how+": `"+w.name+"` may have overwritten them in "+block)
	d.With(w.span, "`%s` is written here", w.name)
	d.With(a.span, "`%s` is made here", a.name)
}

// race reports two threads that touch one element.
func (f *function) race(w, o *access, certain bool) {
	what := "read"
	if o.write {
		what = "written"
	}
	place := "block `" + w.places[0].block.canon().name + "`"
	d := f.report(diag.Race, certain, w.span.Or(o.span), w.name+" "+o.name,
		"two threads touch one element: `"+w.name+"` is written by one, `"+o.name+"` is "+what+" by another, in "+place,
		"cannot prove that threads keep apart: `"+w.name+"` is written by one, `"+o.name+"` is "+what+" by another, in "+place)
	d.With(w.span, "`%s` is written here", w.name)
	if o.span != w.span {
		d.With(o.span, "`%s` is %s here", o.name, what)
	}
}
