package imp

import (
	"strconv"
	"strings"
)

// Names that every kernel has besides its variables.
const gtid = "gtid" // the work-item's number in the grid

// reserved are names that mean something in C99 or OpenCL C, or in the usual
// headers, as far as they look like names of a program.
var reserved = set(`auto break case char const continue default do double else enum extern float for goto if inline int long
register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while bool true false
half uchar ushort uint ulong size_t ptrdiff_t intptr_t uintptr_t quad complex imaginary event_t sampler_t queue_t
kernel global local constant private generic read_only write_only read_write pipe unroll asm typeof main unix linux
local_id group_id num_groups gtid fault barrier mem_fence read_mem_fence write_mem_fence printf select mix step dot cross
min max abs sign fdiv fmod sqrt rsqrt exp exp2 exp10 log log2 log10 sin cos tan asin acos atan atan2 sinh cosh tanh pow
floor ceil round trunc fma isnan isinf popcount clz ctz rint fabs fmin fmax rotate clamp shuffle distance length normalize
mad isequal isnotequal isgreater isless isfinite isnormal isordered hypot cbrt erf erfc tgamma lgamma ldexp frexp modf remainder remquo nan any all signbit prefetch wait_group_events
malloc calloc realloc free memcpy memset memmove strlen strcmp exit errno stdin stdout stderr fopen fclose fread fwrite
int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t static_assert alignas alignof thread_local noreturn
index y0 y1 yn j0 j1 jn gamma time clock signal remove rename read write open close`)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// taken reports whether a C program may know the name already. Macros are written
// in capitals, as a rule; vector types end in their length.
func taken(name string) bool {
	if reserved[name] || name[0] == '_' {
		return true
	}
	for _, prefix := range []string{"memc", "cl_", "CL", "get_", "as_", "convert_", "atom_", "atomic_", "vload", "vstore", "async_", "native_", "half_", "image", "sub_group", "work_group"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	if base := strings.TrimRight(name, "0123456789"); base != name {
		switch base {
		case "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double", "half", "bool":
			return true
		}
	}
	capitals := strings.IndexFunc(name, func(r rune) bool { return r >= 'a' && r <= 'z' }) < 0
	return capitals && (len(name) > 1 || name == "I")
}

// identifier makes a C identifier of an IR name, not yet a unique one.
func identifier(name string) string {
	name = strings.ReplaceAll(name, "'", "_p")
	if taken(name) { // "v_..." is never taken
		if name[0] == '_' || strings.HasPrefix(name, "memc") || strings.HasSuffix(name, "_") {
			return "v_" + strings.TrimLeft(name, "_")
		}
		name += "_v"
		if taken(name) {
			return "v_" + name
		}
	}
	return name
}

// nameAll chooses a C identifier for every name that the function binds. Most
// are themselves; the others get theirs after these, so that none is taken.
func (f *fn) nameAll() {
	for _, n := range f.facts.bound {
		if identifier(n) == n {
			f.used[n] = true
		}
	}
	for _, n := range f.facts.bound {
		if identifier(n) != n {
			f.names[n] = f.temp(identifier(n))
		}
	}
	f.l.named = append(f.l.named, named{f.facts.bound, f.names})
}

// named are the names that a function binds, with the identifiers of those that have another.
type named struct {
	bound       []string
	identifiers map[string]string
}

// source returns the source's names of variables.
func (l *lowerer) source() map[string]string {
	out := map[string]string{}
	for _, f := range l.named {
		for _, n := range f.bound {
			id := n
			if other, ok := f.identifiers[n]; ok {
				id = other
			}
			out[id] = l.p.Speak(n)
		}
	}
	return out
}

// name returns the identifier of an IR name; temporaries stand for themselves.
func (f *fn) name(irName string) string {
	if n, ok := f.names[irName]; ok {
		return n
	}
	return irName
}

// temp makes a name that is used nowhere else in the function.
func (f *fn) temp(base string) string {
	base = identifier(base)
	name := base
	for f.used[name] || taken(name) { // a suffix can make a type of a name
		f.counts[base]++
		name = base + "_" + strconv.Itoa(f.counts[base])
	}
	f.used[name] = true
	return name
}

// mem returns the memory variable of an IR name of a block.
func (f *fn) mem(irName string) string {
	if a, ok := f.memAlias[irName]; ok {
		return a
	}
	return f.name(irName)
}
