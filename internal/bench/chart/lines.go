package chart

import (
	"fmt"
	"io"
	"math"
	"sort"
)

// A Plot is lines over one quantity, both axes logarithmic.
type Plot struct {
	Title, X string
	Lines    []Line
}

// A Line is values by where they were measured.
type Line struct {
	Name   string
	Values map[float64]float64
}

// WriteLines draws plots, three in a row.
func WriteLines(w io.Writer, plots []Plot) error {
	const columns, width, height = 3, 420, 300
	rows := (len(plots) + columns - 1) / columns
	c := &canvas{w: w}
	c.open(columns*width, rows*height+10)
	for i, p := range plots {
		f := frame{left: float64(i%columns*width) + 55, top: float64(i/columns*height) + 30, width: width - 150, height: height - 80}
		f.scale(p)
		f.draw(c, p)
	}
	c.printf("</svg>")
	return c.err
}

// A frame is where one plot is drawn, and its logarithmic scales.
type frame struct {
	left, top      float64
	x0, x1, y0, y1 float64 // logarithms
	width, height  float64
}

// logOf is a logarithm that takes 0 as something small.
func logOf(v float64) float64 { return math.Log10(max(v, 1e-4)) }

func (f *frame) scale(p Plot) {
	f.x0, f.x1, f.y0, f.y1 = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, l := range p.Lines {
		for at, v := range l.Values {
			f.x0, f.x1 = min(f.x0, logOf(at)), max(f.x1, logOf(at))
			f.y0, f.y1 = min(f.y0, logOf(v)), max(f.y1, logOf(v))
		}
	}
	f.y0, f.y1 = math.Floor(f.y0), math.Ceil(f.y1)
	if f.y1 == f.y0 {
		f.y1++
	}
	if f.x1 == f.x0 {
		f.x1++
	}
}

func (f *frame) x(v float64) float64 { return f.left + (logOf(v)-f.x0)/(f.x1-f.x0)*f.width }
func (f *frame) y(v float64) float64 { return f.top + f.height - (logOf(v)-f.y0)/(f.y1-f.y0)*f.height }

// points returns the positions at which a plot has values, in order.
func (p Plot) points() []float64 {
	seen := map[float64]bool{}
	var all []float64
	for _, l := range p.Lines {
		for at := range l.Values {
			if !seen[at] {
				seen[at] = true
				all = append(all, at)
			}
		}
	}
	sort.Float64s(all)
	return all
}

func (f *frame) draw(c *canvas, p Plot) {
	points := p.points()
	c.printf(`<text x="%.1f" y="%.1f" font-weight="bold">%s</text>`, f.left, f.top-10, text(p.Title))
	for d := f.y0; d <= f.y1; d++ {
		y := f.y(math.Pow(10, d))
		c.printf(`<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#ddd"/>`, f.left, y, f.left+f.width, y)
		c.printf(`<text x="%.1f" y="%.1f" text-anchor="end">%s</text>`, f.left-5, y+4, number(math.Pow(10, d)))
	}
	for i, at := range points {
		if i%((len(points)+5)/6) == 0 {
			c.printf(`<text x="%.1f" y="%.1f" text-anchor="middle">%s</text>`, f.x(at), f.top+f.height+15, number(at))
		}
	}
	c.printf(`<text x="%.1f" y="%.1f" text-anchor="middle">%s</text>`, f.left+f.width/2, f.top+f.height+30, text(p.X))
	c.printf(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="none" stroke="#888"/>`, f.left, f.top, f.width, f.height)
	for i, l := range p.Lines {
		colour := colours[i%len(colours)]
		line := ""
		for _, at := range points {
			if v, ok := l.Values[at]; ok {
				line += fmt.Sprintf("%.1f,%.1f ", f.x(at), f.y(v))
			}
		}
		c.printf(`<polyline points="%s" fill="none" stroke="%s" stroke-width="1.5"/>`, line, colour)
		c.printf(`<text x="%.1f" y="%.1f" fill="%s">%s</text>`, f.left+f.width+8, f.top+14*float64(i)+10, colour, text(l.Name))
	}
}
