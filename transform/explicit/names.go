package explicit

import "strconv"

// names hands out names that a function does not use yet, in a deterministic
// way: base itself, else base_1, base_2, ...
type names struct {
	used map[string]bool
	next map[string]int // the number to try first, so that many requests stay linear
}

func (n *names) fresh(base string) string {
	name := base
	for n.used[name] {
		n.next[base]++
		name = base + "_" + strconv.Itoa(n.next[base])
	}
	n.used[name] = true
	return name
}
