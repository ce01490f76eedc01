package explain

import (
	_ "embed" // errors.md
	"regexp"
	"strings"
)

//go:embed errors.md
var errorPages string

// An ErrorCode is the code of an error, with a wrong program as its example, and that program mended.
type ErrorCode struct {
	Code
	Mended string
}

// errorPage is a section of errors.md, behind the sharps of its heading.
var errorPage = regexp.MustCompile("(?s)^(E[0-9]{3}): ([^\n]*)\n(.*?)\n```[a-z]*\n(.*?)\n```\n\n```ir\n(.*?)\n```\n$")

// Errors lists every code that an error can have, in the order of the numbers.
func Errors() []ErrorCode {
	var out []ErrorCode
	for _, section := range strings.Split(errorPages, "\n## ")[1:] {
		m := errorPage.FindStringSubmatch(strings.TrimRight(section, "\n") + "\n")
		if m == nil {
			panic("errors.md has a section of another form: " + section)
		}
		out = append(out, ErrorCode{Code{m[1], m[2], strings.TrimSpace(m[3]), m[4]}, m[5]})
	}
	return out
}

func (c ErrorCode) String() string { return c.Code.String() + "\nMended:\n\n" + indented(c.Mended) }
