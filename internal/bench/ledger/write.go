package ledger

import (
	"fmt"
	"io"
	"strings"
)

// Write writes the table in Markdown. Root is the root of this repository, whose lines it counts.
func Write(w io.Writer, root string, corpora []Corpus, rows []Row) error {
	var b strings.Builder
	b.WriteString("| rule | lines |")
	for _, c := range corpora {
		fmt.Fprintf(&b, " %s |", c.Name)
	}
	b.WriteString(" what it does |\n|---|---|" + strings.Repeat("---|", len(corpora)) + "---|\n")
	for _, r := range rows {
		n, err := Lines(root, r.Rule)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "| `%s` | %d |", r.Name, n)
		for _, x := range r.Worth {
			fmt.Fprintf(&b, " %s |", x)
		}
		fmt.Fprintf(&b, " %s |\n", r.Does)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// String writes the functions that are worse without a rule, and in brackets those that are better.
func (w Worth) String() string {
	text := fmt.Sprint(w.Worse)
	if w.Better > 0 {
		text += fmt.Sprintf(" (%d better)", w.Better)
	}
	if w.Bounds > 0 {
		text += fmt.Sprintf(", %d bounds", w.Bounds)
	}
	return text
}
