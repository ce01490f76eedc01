//go:build cgo

package pool

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

// pictureSource makes buffers of no memory.
type pictureSource struct{}

func (s *pictureSource) Create(int64) (any, error) { return nil, nil }
func (s *pictureSource) Release(any)               {}
func (s *pictureSource) Finish() error             { return nil }

// TestPicture draws the regions of docs/runtime.md over time: a letter or a dot
// stands for 16 KiB.
func TestPicture(t *testing.T) {
	const unit = 16 << 10
	p := newPool(t, &pictureSource{}, Options{Policy: Region})
	learn(t, p, 'z')
	names := map[Block]string{}
	live := map[string]Block{}
	draw := func() string {
		byID := map[int64]string{}
		for _, l := range list(&p.c.idle, &p.c.busy) {
			for buf := l.oldest; buf != nil; buf = buf.next {
				line := ""
				for b := buf.first; b != nil; b = b.right {
					c := "."
					if b.used != 0 {
						c = names[(*cBlock)(b)]
					}
					line += strings.Repeat(c, int(b.size/unit))
				}
				byID[int64(buf.id)] = "|" + line + "|"
			}
		}
		out := ""
		for id := range p.Counts().Creates {
			if line, ok := byID[id]; ok {
				out += "  " + line
			}
		}
		return out
	}
	var picture strings.Builder
	for _, step := range []struct {
		name string
		size int64 // in units; 0: freed
		why  string
	}{
		{"a", 10, "nothing fits: a new buffer"},
		{"b", 6, "nothing fits: a new buffer"},
		{"a", 0, ""},
		{"c", 4, "split off from the first"},
		{"d", 5, "split off behind it"},
		{"c", 0, ""},
		{"e", 2, "best fit: the hole of 4, split"},
		{"d", 0, "joined with both neighbours"},
		{"e", 0, "joined: the buffer is idle"},
		{"f", 15, "too large: the idle buffer goes back for a new one"},
		{"f", 0, ""},
		{"a", 10, "from now on: nothing but hits"},
	} {
		what := "free  " + step.name
		if step.size > 0 {
			b := must.Get(p.Get(step.size*unit, int(step.name[0])))(t)
			live[step.name], names[b] = b, step.name
			what = fmt.Sprintf("alloc %s %3d", step.name, step.size)
		} else {
			p.Put(live[step.name])
		}
		line := fmt.Sprintf("    %-12s%-38s%s", what, draw(), step.why)
		picture.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	doc := must.Read(t, "../../docs/runtime.md")
	if !strings.Contains(doc, picture.String()) {
		t.Errorf("docs/runtime.md should hold this picture:\n%s", picture.String())
	}
}
