package diag

import (
	"bytes"
	"strings"
	"testing"
)

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"plain, äöü 漢字\n\ttext": "plain, äöü 漢字\n\ttext",
		"\x1b[31mred\x07":       `\x1b[31mred\a`,
		"\u202eright to left":   `\u202eright to left`,
		"\xff\u0085":            `\xff\u0085`,
		"a\rb":                  `a\rb`,
	} {
		if got := Printable(in); got != want {
			t.Errorf("Printable(%q) = %q, want %q", in, got, want)
		}
	}
}

// Nothing that is shown commands the terminal: neither the file's name, nor messages, nor the text.
func TestRenderHidesControls(t *testing.T) {
	l := List{File: NewFile("a\x1b[1m.ir", "x\x1b[2m\u009by\n")}
	l.Errorf("E1", Span{Start: 0, End: 1}, "bad %s", "\x1b[3m").With(Span{Start: 0, End: 1}, "\x1b[4m").Hinted("\x1b[5m")
	var out bytes.Buffer
	l.Render(&out, false)
	if strings.ContainsAny(out.String()+l.Error(), "\x1b\u009b") {
		t.Errorf("an escape is shown: %q, %q", out.String(), l.Error())
	}
}
