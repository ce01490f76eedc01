package futhark

// nameFunctions chooses a name of memc's for every function of a dump: an entry's
// own where memc can have it, and names made from the dump's for the others, which
// may hold operators. It ends the import where two functions have one name.
func (t *translator) nameFunctions() {
	t.names = map[*fun]string{}
	save, kern := t.used, t.kern
	t.used, t.kern = map[string]bool{}, nil
	defer func() { t.used, t.kern = save, kern }()
	entries := map[string]bool{}
	for _, f := range t.tree.funs {
		if t.funs[f.name] != f || f.entry != "" && entries[f.entry] {
			t.wrong(f.span, "there are two functions named `%s`", f.name)
		}
		entries[f.entry] = true
		if f.entry != "" && usable(f.entry) {
			t.used[f.entry], t.names[f] = true, f.entry
		}
	}
	for _, entry := range []bool{true, false} {
		for _, f := range t.tree.funs {
			switch {
			case entry != (f.entry != "") || t.names[f] != "":
			case entry:
				t.names[f] = t.fresh(f.entry)
			default:
				t.names[f] = t.fresh(f.name)
			}
		}
	}
}

// usable reports whether memc can have a name of the dump as it is.
func usable(name string) bool {
	t := &translator{used: map[string]bool{}}
	return t.fresh(name) == name
}
