package lsp

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir/diag"
)

// TestBroken opens programs without their ends and without pieces of their middle. The server shows what is
// wrong, and never that memc failed.
func TestBroken(t *testing.T) {
	for _, path := range []string{"parser/testdata/all.ir", "testdata/groups/chain.ir", "testdata/analysis/loop-in-place.ir"} {
		text := must.Read(t, filepath.Join("..", "..", path))
		step := max(1, len(text)/150)
		for at := 0; at < len(text); at += step {
			for _, piece := range []int{1, 20, len(text)} {
				broken := text[:at] + text[min(at+piece, len(text)):]
				d := newDocument("file:///"+path, nil, broken)
				for _, p := range d.problems {
					if strings.HasPrefix(p.Message, diag.Bug.String()+": ") {
						t.Errorf("%s without %d bytes at %d: %s", path, piece, at, p.Message)
					}
				}
				for _, n := range d.names {
					if n.Bound.Known() && broken[n.Start:n.End] != broken[n.Bound.Start:n.Bound.End] {
						t.Errorf("%s without %d bytes at %d: a name is bound by another", path, piece, at)
					}
				}
			}
		}
	}
}

// Positions are UTF-16 units, and those behind a line's end or the last line mean the end.
func TestPositions(t *testing.T) {
	d := &document{file: diag.NewFile("x.ir", "-- é😀x\r\n\n--y")}
	for off := range d.file.Text {
		if got := d.offset(d.position(off)); got != off && d.file.Text[off] != '\n' {
			t.Errorf("offset %d comes back as %d", off, got)
		}
	}
	for _, c := range []struct {
		at   position
		want int
	}{{position{0, 4}, 5}, {position{0, 6}, 9}, {position{0, 99}, 10}, {position{1, 3}, 12}, {position{2, 9}, 16}, {position{7, 0}, 16}, {position{-1, -1}, 0}} {
		if got := d.offset(c.at); got != c.want {
			t.Errorf("%v is offset %d, want %d", c.at, got, c.want)
		}
	}
}
