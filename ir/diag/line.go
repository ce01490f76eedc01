package diag

import "regexp"

// headline is the first line of an error as compiled programs print it.
var headline = regexp.MustCompile(`^(|.*: )error(?:\[(E[0-9]{3})\])?: (.*)`)

// ParseLine takes the first line of an error that a compiled program printed apart: "a.ir:2:10: error[E801]: msg".
// place is as Locate gives it.
func ParseLine(text string) (place string, code Code, msg string, ok bool) {
	m := headline.FindStringSubmatch(text)
	if m == nil {
		return "", "", "", false
	}
	return m[1], Code(m[2]), m[3], true
}
