package opencl

import (
	"cmp"

	"github.com/memc-lang/memc/codegen/imp"
)

// entry writes the parts for calling an entry with slots: its parameters and results as tables, and
// a function that binds the sizes, takes the blocks and returns the results.
func (w *hostWriter) entry(i int, e *imp.Entry) {
	w.entryTables(i, e)
	w.f("static int memc_entry_%d(struct memc_context *memc_ctx, union memc_slot *memc_out, const union memc_slot *memc_in)\n{\n", i)
	sizes := w.entryLocals(e)
	if w.apart && !w.p.Tasks {
		w.f("  memc_ctx->entry = %d;\n", i)
	}
	w.entryBinds(i, e, sizes)
	w.entryCall(i, e, sizes)
	w.WriteString("cleanup:\n")
	for k, q := range e.Params {
		if q.Array {
			w.f("  memc_release(memc_ctx, &memc_b%d);\n", k)
		}
	}
	for k, r := range e.Results {
		if r.Array {
			w.f("  memc_release(memc_ctx, &memc_r%d);\n", k)
		}
	}
	w.WriteString("  return memc_err;\n}\n\n")
}

func (w *hostWriter) entryTables(i int, e *imp.Entry) {
	w.f("static const struct memc_param memc_params_%d[] = {\n", i)
	for _, q := range e.Params {
		rank, consumed := len(q.Shape), 0
		if q.Array && q.Unique {
			consumed = 1
		}
		w.f("  {%s, %s, %s, %s, %d, %d},\n", cString(q.Name), cString(q.Type()), cString(w.p.File.Locate(q.Span)),
			primConst(q.Prim), rank, consumed)
	}
	w.WriteString("  {NULL, NULL, NULL, 0, 0, 0}\n};\n")
	w.f("static const struct memc_result memc_results_%d[] = {", i)
	for _, r := range e.Results {
		rank := 0
		if r.Array {
			rank = r.Rank
		}
		size := 0
		if r.Size {
			size = 1
		}
		w.f("{%s, %d, %d}, ", primConst(r.Prim), rank, size)
	}
	w.WriteString("{0, 0, 0}};\n\n")
}

// entryLocals declares the variables; it gives the number of each size name's
// variable. A scalar argument binds the size of its name.
func (w *hostWriter) entryLocals(e *imp.Entry) map[string]int {
	sizes := map[string]int{}
	add := func(name, init string) {
		if _, ok := sizes[name]; !ok {
			sizes[name] = len(sizes)
			w.f("  struct memc_size memc_s%d = {%s, NULL, 0, 0};%s\n", sizes[name], cString(name), init)
		}
	}
	for _, q := range e.Params {
		for _, d := range q.Shape {
			if d.Name != "" {
				add(d.Name, "")
			}
		}
	}
	for _, name := range e.Sizes {
		add(name, "")
	}
	for k, q := range e.Params {
		if q.Array {
			w.f("  struct memc_block *memc_b%d = NULL;\n", k)
		}
	}
	for k, r := range e.Results {
		if !r.Array {
			w.f("  %s memc_r%d = 0;\n", CType(r.Prim), k)
			continue
		}
		w.f("  struct memc_block *memc_r%d = NULL;\n  int64_t memc_d%d[%d] = {0};\n", k, k, max(1, r.Rank))
	}
	w.WriteString("  int memc_err = MEMC_OK;\n  (void)memc_ctx;\n  (void)memc_in;\n  (void)memc_out;\n")
	return sizes
}

func (w *hostWriter) entryBinds(i int, e *imp.Entry, sizes map[string]int) {
	for k, q := range e.Params {
		if s, ok := sizes[q.Name]; ok && !q.Array {
			w.f("  memc_s%d.bound = 1;\n  memc_s%d.value = memc_in[%d].scalar.i64;\n", s, s, k)
		}
	}
	for k, q := range e.Params {
		for d, dim := range q.Shape {
			at := "memc_ctx, &memc_params_%d[%d], memc_in[%d].array, %d"
			if dim.Name == "" {
				w.f("  if ((memc_err = memc_bind_const("+at+", %d)))\n    goto cleanup;\n", i, k, k, d, dim.Const)
			} else {
				w.f("  if ((memc_err = memc_bind("+at+", &memc_s%d)))\n    goto cleanup;\n", i, k, k, d, sizes[dim.Name])
			}
		}
	}
	for k, q := range e.Params {
		if q.Array {
			w.f("  if ((memc_err = memc_take(memc_ctx, &memc_params_%d[%d], memc_in[%d].array, &memc_b%d)))\n    goto cleanup;\n", i, k, k, k)
		}
	}
}

func (w *hostWriter) entryCall(i int, e *imp.Entry, sizes map[string]int) {
	w.f("  if ((memc_err = %s(memc_ctx", w.funcs[e.Func])
	for k, r := range e.Results {
		w.f(", &memc_r%d", k)
		for d := range r.Rank {
			if r.Array {
				w.f(", &memc_d%d[%d]", k, d)
			}
		}
	}
	for _, name := range e.Sizes {
		w.f(", memc_s%d.value", sizes[name])
	}
	for k, q := range e.Params {
		if q.Array {
			w.f(", memc_b%d", k)
		} else {
			w.f(", memc_in[%d].scalar.%s", k, field(q.Prim))
		}
	}
	w.WriteString(")))\n    goto cleanup;\n")
	for k, r := range e.Results {
		if r.Array {
			w.f("  if ((memc_err = memc_give(memc_ctx, &memc_results_%d[%d], memc_r%d, memc_d%d, &memc_out[%d].array)))\n    goto cleanup;\n", i, k, k, k, k)
		} else {
			w.f("  memc_out[%d].scalar.%s = memc_r%d;\n", k, field(r.Prim), k)
		}
	}
}

// entryTable writes the table of all entries. It ends with one without a name.
func (w *hostWriter) entryTable() {
	w.WriteString("static MEMC_UNUSED const struct memc_entry memc_entries[] = {\n")
	for i, e := range w.p.Entries {
		rehearsable := 0
		if imp.Rehearsable(e.Func) {
			rehearsable = 1
		}
		w.f("  {%s, %s, %d, %d, %d, memc_params_%d, memc_results_%d, memc_entry_%d},\n",
			cString(cmp.Or(e.Alias, e.Name)), cString(signature(e)), len(e.Params), len(e.Results), rehearsable, i, i, i)
	}
	w.WriteString("  {NULL, NULL, 0, 0, 0, NULL, NULL, NULL}\n};\n")
}
