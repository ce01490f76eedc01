package pipeline

import (
	"fmt"
	"strings"
)

// context is the number of unchanged lines shown around a change.
const context = 2

// maxTable bounds the work of one exact comparison, in pairs of lines. Above it
// the middle is shown as removed and added in one piece.
const maxTable = 16 << 20

// Diff returns a unified line diff of two texts: lines that start with "-" went,
// lines that start with "+" came, and "@@ line N @@" heads each part with its
// first line in the new text. Equal texts give "".
func Diff(before, after string) string {
	if before == after {
		return ""
	}
	edits := Edits(lines(before), lines(after))
	var out strings.Builder
	newLine := 1
	for i := 0; i < len(edits); {
		// Show i where a change lies within reach of it.
		if !near(edits, i) {
			if edits[i].Sign != '-' {
				newLine++
			}
			i++
			continue
		}
		fmt.Fprintf(&out, "@@ line %d @@\n", newLine)
		for ; i < len(edits) && near(edits, i); i++ {
			out.WriteByte(edits[i].Sign)
			out.WriteString(edits[i].Text)
			out.WriteByte('\n')
			if edits[i].Sign != '-' {
				newLine++
			}
		}
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// An Edit is one line of a diff: kept (' '), gone ('-') or new ('+').
type Edit struct {
	Sign byte
	Text string
}

func lines(s string) []string {
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

func near(e []Edit, i int) bool {
	for k := max(0, i-context); k <= min(len(e)-1, i+context); k++ {
		if e[k].Sign != ' ' {
			return true
		}
	}
	return false
}

// Edits compares two lists of lines by the longest common subsequence, after cutting off what is
// equal at both ends.
func Edits(a, b []string) []Edit {
	var out []Edit
	pre := 0
	for pre < len(a) && pre < len(b) && a[pre] == b[pre] {
		out = append(out, Edit{' ', a[pre]})
		pre++
	}
	post := 0
	for post < len(a)-pre && post < len(b)-pre && a[len(a)-1-post] == b[len(b)-1-post] {
		post++
	}
	tail := a[len(a)-post:]
	a, b = a[pre:len(a)-post], b[pre:len(b)-post]
	if len(a)*len(b) <= maxTable {
		out = append(out, subsequence(a, b)...)
	} else {
		for _, l := range a {
			out = append(out, Edit{'-', l})
		}
		for _, l := range b {
			out = append(out, Edit{'+', l})
		}
	}
	for _, l := range tail {
		out = append(out, Edit{' ', l})
	}
	return out
}

// subsequence fills common[i][j] = length of the longest common subsequence of
// a[i:] and b[j:], then walks it from the front.
func subsequence(a, b []string) []Edit {
	width := len(b) + 1
	common := make([]int32, (len(a)+1)*width)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i*width+j] = common[(i+1)*width+j+1] + 1
			} else {
				common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
			}
		}
	}
	var out []Edit
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, Edit{' ', a[i]})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[(i+1)*width+j] >= common[i*width+j+1]:
			out = append(out, Edit{'-', a[i]})
			i++
		default:
			out = append(out, Edit{'+', b[j]})
			j++
		}
	}
	return out
}
