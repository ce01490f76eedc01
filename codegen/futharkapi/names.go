package futharkapi

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/memc-lang/memc/internal/base/signature"
)

// cName returns a text as part of a C name: unchanged if possible, else
// encoded.
func cName(s string) string {
	if validName(s) {
		return s
	}
	return zEncode(s)
}

// validName reports whether a text is a name in C.
func validName(s string) bool {
	for i, r := range s {
		if i == 0 && !unicode.IsLetter(r) || r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r) {
			return false
		}
	}
	return true
}

// zCodes are the letters that stand for other characters, after a z or a Z.
var zCodes = map[rune]string{
	'(': "ZL", ')': "ZR", '[': "ZM", ']': "ZN", ':': "ZC", 'Z': "ZZ", 'z': "zz", '&': "za", '|': "zb", '^': "zc",
	'$': "zd", '=': "ze", '>': "zg", '#': "zh", '.': "zi", '<': "zl", '-': "zm", '!': "zn", '+': "zp", '\'': "zq",
	'\\': "zr", '/': "zs", '*': "zt", '%': "zv",
}

// zEncode makes a C name of any text, by the encoding that GHC and Futhark use
// for symbols.
func zEncode(s string) string {
	var b strings.Builder
	for i, r := range s {
		digit := r >= '0' && r <= '9'
		code, ok := zCodes[r]
		switch {
		case ok:
			b.WriteString(code)
		case r == '_' || digit && i > 0 || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z':
			b.WriteRune(r)
		default:
			hex := strconv.FormatInt(int64(r), 16)
			if hex[0] > '9' {
				hex = "0" + hex
			}
			b.WriteString("z" + hex + "U")
		}
	}
	return b.String()
}

// opaqueName returns the name of an opaque type in C: opaque_point for point, opaque_arr1d_point
// for []point, opaque_tup2_i64_bool for (i64, bool), and a hash for types without such a name.
func opaqueName(t string) string {
	if t == "()" {
		return "opaque_unit"
	}
	p := &prettyParser{s: t}
	if name, ok := p.typ(); ok && p.s == "" && usable(name) {
		return "opaque_" + name
	}
	if usable(t) {
		return "opaque_" + t
	}
	sum := md5.Sum([]byte(t))
	return "opaque_" + hex.EncodeToString(sum[:])
}

func usable(s string) bool {
	for i, r := range s {
		switch {
		case i == 0 && (r == '_' || r >= '0' && r <= '9'):
			return false
		case r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r):
			return false
		}
	}
	return s != ""
}

// A prettyParser reads the text of a type and makes a name of it.
type prettyParser struct{ s string }

func (p *prettyParser) accept(prefix string) bool {
	rest, ok := strings.CutPrefix(p.s, prefix)
	if ok {
		p.s = rest
	}
	return ok
}

// typ: []t, (t, ...), or a name, maybe of a module.
func (p *prettyParser) typ() (string, bool) {
	dims := 0
	for p.accept("[]") {
		dims++
	}
	if dims > 0 {
		name, ok := p.typ()
		return fmt.Sprintf("arr%dd_%s", dims, name), ok
	}
	if p.accept("(") {
		return p.tuple()
	}
	name, ok := p.atom()
	if ok && p.accept(".") {
		var member string
		member, ok = p.atom()
		name += "_" + member
	}
	return name, ok
}

func (p *prettyParser) tuple() (string, bool) {
	var parts []string
	for !p.accept(")") {
		if len(parts) > 0 {
			if !p.accept(",") {
				return "", false
			}
			p.s = strings.TrimLeft(p.s, " \t\n")
		}
		part, ok := p.typ()
		if !ok {
			return "", false
		}
		parts = append(parts, part)
	}
	return fmt.Sprintf("tup%d_%s", len(parts), strings.Join(parts, "_")), true
}

func (p *prettyParser) atom() (string, bool) {
	n := strings.IndexAny(p.s, "[]{}(),.")
	if n < 0 {
		n = len(p.s)
	}
	name := p.s[:n]
	p.s = p.s[n:]
	return name, n > 0
}

// arrayName returns the name of a type of arrays: f32_2d.
func arrayName(p signature.Part) string { return fmt.Sprintf("%s_%dd", p.Prim, p.Rank) }

// memberName returns the end of the name of a function for a field.
func memberName(t *signature.Type, field string) string {
	if validName(opaqueName(t.Name) + "_" + field) {
		return field
	}
	return zEncode(field)
}
