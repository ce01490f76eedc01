package pipeline

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/transform"
)

// A Remark is a pass's message about one candidate: a rewrite, or a refusal with its reason.
type Remark struct {
	Pass    string `json:"pass"`
	Code    string `json:"code,omitempty"` // of a refusal
	Refused bool   `json:"refused"`
	Text    string `json:"text"`
	Line    int    `json:"line"` // of the source; 0 where a pass made the statement
	Column  int    `json:"column"`
	// Names are the names that the text mentions, as the program has them: the
	// text speaks of `i` where they have i'2.
	Names []string `json:"names"`

	speak, shown func(string) string // give the user's name
	diag         *diag.Diagnostic
}

var backticks = regexp.MustCompile("`([^`]+)`")

// Structured returns the remarks of all passes, in the order in which they were made.
func (r *Report) Structured() []Remark {
	out := []Remark{}
	shown := r.shown()
	for _, raw := range r.Remarks.All {
		d := *raw
		d.Msg = shown(raw.Msg)
		_, names, _ := strings.Cut(raw.Msg, ": ")
		pass, text, _ := strings.Cut(d.Msg, ": ")
		m := Remark{Pass: pass, Text: text, Refused: transform.Refusal(d.Msg), Names: []string{}, speak: r.speak, shown: shown, diag: &d}
		if m.Refused {
			m.Code, m.Text, _ = strings.Cut(strings.TrimPrefix(text, "["), "] ")
		}
		if d.Span.Known() {
			m.Line, m.Column = r.Remarks.File.Position(d.Span.Start)
		}
		for _, b := range backticks.FindAllStringSubmatch(names, -1) {
			m.Names = append(m.Names, b[1])
		}
		out = append(out, m)
	}
	return out
}

// Span returns the place in the source that a remark is about.
func (m Remark) Span() diag.Span { return m.diag.Span }

// A RemarkFilter chooses remarks, and how they are written.
type RemarkFilter struct {
	Missed bool     // only refusals
	JSON   bool     // one JSON array
	Passes []string // of these passes; empty: of all
	Names  []string // that mention one of these names; empty: all
	Checks bool     // the remaining checks, which no pass reports
}

// ParseRemarks reads a filter: words with commas between them, each "all", "missed",
// "json", "checks", a pass, or "name=N".
func ParseRemarks(text string) (RemarkFilter, error) {
	var f RemarkFilter
	for _, word := range strings.Split(text, ",") {
		name, isName := strings.CutPrefix(word, "name=")
		switch {
		case word == "all":
		case word == "missed":
			f.Missed = true
		case word == "json":
			f.JSON = true
		case word == "checks":
			f.Checks = true
		case isName && name != "":
			f.Names = append(f.Names, name)
		case Lookup(word) != nil:
			f.Passes = append(f.Passes, word)
		default:
			known := []string{"all", "missed", "json", "checks", "name=N"}
			for _, p := range All() {
				known = append(known, p.Name)
			}
			hint := ""
			if near := diag.Nearest(word, known); near != "" {
				hint = fmt.Sprintf(" (did you mean %q?)", near)
			}
			return f, fmt.Errorf("%q is not known; expected %s%s", word, strings.Join(known, ", "), hint)
		}
	}
	return f, nil
}

func (f RemarkFilter) wants(m Remark) bool {
	about := func(n string) bool {
		return slices.ContainsFunc(m.Names, func(name string) bool { return name == n || m.speak(name) == n || m.shown(name) == n })
	}
	return (!f.Missed || m.Refused) && (len(f.Passes) == 0 || slices.Contains(f.Passes, m.Pass)) &&
		(len(f.Names) == 0 || slices.ContainsFunc(f.Names, about))
}

// WriteRemarks writes the remarks that a filter wants.
func (r *Report) WriteRemarks(w io.Writer, f RemarkFilter, colored bool) {
	if f.Checks && len(f.Passes) == 0 {
		return
	}
	chosen := slices.DeleteFunc(r.Structured(), func(m Remark) bool { return !f.wants(m) })
	if f.JSON {
		text, err := json.Marshal(chosen)
		if err == nil { // strings and numbers always have a JSON form
			fmt.Fprintf(w, "%s\n", text)
		}
		return
	}
	for _, m := range chosen {
		m.diag.Render(w, colored)
	}
}
