package ledger

import (
	"fmt"
	"io"
	"strings"
)

const (
	large = 50      // lines of a rule that should be worth something
	tests = "tests" // the corpus of programs that were written for the rules
)

const heading = "# What each special rule is worth\n\n" +
	"The passes and analyses know %d special rules. The table has the lines of code that serve each rule\n" +
	"alone and, for each set of programs, the functions that end with more allocations, copies, memory\n" +
	"or checks at run time without it; in brackets those that end with less, and those of which only\n" +
	"the printed plan bound gets lower. A rule of `memcheck` counts the programs that the static checker\n" +
	"proves with it and not without, as they are or after the passes. A rule with a ! has more than %d\n" +
	"lines, and fewer than two programs%s need it.\n\n" +
	"`make ledger` writes this document, and `memc opt --without-rule=coalesce.start` runs without a rule.\n" +
	"Without it every program has the same results; one that fails may report another of its errors.\n\n" +
	"Measured on %s.\n\n"

// Write writes the document, in Markdown.
func Write(w io.Writer, corpora []Corpus, rows []Row) error {
	var b strings.Builder
	but := ""
	var of []string
	for _, c := range corpora {
		if c.Name == tests {
			but = " besides the " + tests
		}
		of = append(of, fmt.Sprintf("%s (%s: %d)", c.Name, c.From, len(c.Programs)))
	}
	fmt.Fprintf(&b, heading, len(rows), large, but, strings.Join(of, ", "))
	b.WriteString("| rule | lines |")
	for _, c := range corpora {
		fmt.Fprintf(&b, " %s |", c.Name)
	}
	b.WriteString(" what it does |\n|---|---|" + strings.Repeat("---|", len(corpora)) + "---|\n")
	for _, r := range rows {
		lines, programs := fmt.Sprint(r.Lines), 0
		if r.Code == "" {
			lines = "few" // within a function of more
		}
		for k, x := range r.Worth {
			if corpora[k].Name != tests {
				programs += x.Programs
			}
		}
		if r.Lines > large && programs < 2 {
			lines += " !"
		}
		fmt.Fprintf(&b, "| `%s` | %s |", r.Name, lines)
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
	var more []string
	if w.Better > 0 {
		more = append(more, fmt.Sprintf("%d better", w.Better))
	}
	if w.Bounds > 0 {
		more = append(more, fmt.Sprintf("%d bounds", w.Bounds))
	}
	if len(more) == 0 {
		return fmt.Sprint(w.Worse)
	}
	return fmt.Sprintf("%d (%s)", w.Worse, strings.Join(more, ", "))
}
