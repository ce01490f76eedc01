package expert_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

const document, begin, end = "../../../testdata/expert/README.md", "<!-- pairs -->\n", "<!-- end of pairs -->"

// checkTable compares the table of testdata/expert/README.md with the figures, or writes it where MEMC_GOLDEN is set.
func checkTable(t *testing.T, pairs []*pair) {
	t.Helper()
	text := must.Read(t, document)
	before, rest, ok1 := strings.Cut(text, begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		t.Fatalf("%s has no table of pairs", document)
	}
	now := before + begin + table(pairs) + end + after
	if os.Getenv("MEMC_GOLDEN") != "" {
		must.Do(t, os.WriteFile(document, []byte(now), 0o644))
	} else if now != text {
		t.Errorf("%s is not what the pairs give (MEMC_GOLDEN=1 writes it)", document)
	}
}

// table writes a table for each folder, and before them the counts.
func table(pairs []*pair) string {
	var b strings.Builder
	short := 0
	for _, p := range pairs {
		if p.short != "" {
			short++
		}
	}
	fmt.Fprintf(&b, "%d pairs. In %d of them memc needs no more than by hand.\n", len(pairs), len(pairs)-short)
	room := ""
	for _, p := range pairs {
		if dir := filepath.Dir(p.name); dir != room {
			room = dir
			fmt.Fprintf(&b, "\n| %s | naive | memc | by hand | why memc needs more |\n|---|--:|--:|--:|---|\n", room)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", filepath.Base(p.name), cell(p.naive), cell(p.memc), cell(p.best), p.short)
	}
	return b.String()
}

// cell writes the bytes, with commas between thousands, the blocks, and copies if there are any.
func cell(f figures) string {
	digits := strconv.FormatInt(f.bytes, 10)
	for k := len(digits) - 3; k > 0; k -= 3 {
		digits = digits[:k] + "," + digits[k:]
	}
	if f.copy > 0 {
		return fmt.Sprintf("%s in %d, %d copied", digits, f.alloc, f.copy)
	}
	return fmt.Sprintf("%s in %d", digits, f.alloc)
}
