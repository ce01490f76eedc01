package chart

import (
	"io"
	"math"
)

// Bars are values of several series for each of some names, such as programs,
// drawn from left to right beside their name.
type Bars struct {
	Title  string
	Unit   string  // behind the numbers of the scale
	Mark   float64 // where a line is drawn for comparison; 0: none
	Series []string
	Groups []Group
}

// A Group is the values of one name, a value per series; NaN where there is none.
type Group struct {
	Name   string
	Values []float64
}

// WriteBars draws bars. Those that are longer than twice the mark are cut off,
// and their value stands beside them.
func WriteBars(w io.Writer, b Bars) error {
	const left, right, thick, top = 170, 60, 7, 60
	const width = 720
	most := 0.0
	for _, g := range b.Groups {
		for _, v := range g.Values {
			if !math.IsNaN(v) {
				most = max(most, v)
			}
		}
	}
	if b.Mark > 0 {
		most = min(most, 2*b.Mark)
		most = max(most, b.Mark)
	}
	if most == 0 {
		most = 1
	}
	at := func(v float64) float64 { return left + v/most*(width-left-right) }
	step := float64(len(b.Series)*thick + 8)
	bottom := top + step*float64(len(b.Groups))

	c := &canvas{w: w}
	c.open(width, int(bottom)+30)
	c.printf(`<text x="10" y="20" font-weight="bold">%s</text>`, text(b.Title))
	for i, s := range b.Series {
		x := 10 + 110*float64(i)
		c.printf(`<rect x="%.1f" y="30" width="10" height="10" fill="%s"/>`, x, barColour(i))
		c.printf(`<text x="%.1f" y="39">%s</text>`, x+15, text(s))
	}
	for i := range 5 {
		v := most * float64(i) / 4
		c.printf(`<line x1="%.1f" y1="%d" x2="%.1f" y2="%.1f" stroke="#ddd"/>`, at(v), top-6, at(v), bottom)
		c.printf(`<text x="%.1f" y="%.1f" text-anchor="middle">%.4g%s</text>`, at(v), bottom+16, v, text(b.Unit))
	}
	for i, g := range b.Groups {
		y := top + step*float64(i)
		c.printf(`<text x="%d" y="%.1f" text-anchor="end">%s</text>`, left-8, y+float64(len(b.Series)*thick)/2+4, text(g.Name))
		for k, v := range g.Values {
			if math.IsNaN(v) {
				continue
			}
			c.printf(`<rect x="%d" y="%.1f" width="%.1f" height="%d" fill="%s"/>`, left, y+float64(k*thick), at(min(v, most))-left, thick-1, barColour(k))
			if v > most {
				c.printf(`<text x="%.1f" y="%.1f" font-size="9">%.4g</text>`, at(most)+4, y+float64(k*thick)+7, v)
			}
		}
	}
	if b.Mark > 0 {
		c.printf(`<line x1="%.1f" y1="%d" x2="%.1f" y2="%.1f" stroke="#d55e00" stroke-dasharray="4 3"/>`, at(b.Mark), top-6, at(b.Mark), bottom)
	}
	c.printf("</svg>")
	return c.err
}

// barColour leaves black out, which is too heavy for areas.
func barColour(i int) string { return colours[1+i%(len(colours)-1)] }
