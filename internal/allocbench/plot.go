package allocbench

import (
	"fmt"
	"io"
	"math"
)

// A frame is where one chart is drawn, and its logarithmic scales.
type frame struct {
	left, top      float64
	x0, x1, y0, y1 float64 // logarithms
	width, height  float64
}

// colours of the allocators, in their order; chosen to differ for all eyes.
var colours = []string{"#000000", "#999999", "#e69f00", "#d55e00", "#56b4e9", "#0072b2", "#cc79a7", "#009e73"}

// WriteSVG draws the figures of each test over what varies, both axes
// logarithmic, three charts in a line. Charts of one point are left to the tables.
func WriteSVG(w io.Writer, rows []Row) error {
	var drawn []*chart
	for _, c := range charts(rows) {
		if len(c.at) > 1 {
			drawn = append(drawn, c)
		}
	}
	const columns, width, height = 3, 420, 300
	lines := (len(drawn) + columns - 1) / columns
	var err error
	printf := func(format string, args ...any) {
		if err == nil {
			_, err = fmt.Fprintf(w, format+"\n", args...)
		}
	}
	printf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="11">`, columns*width, lines*height+10)
	printf(`<rect width="100%%" height="100%%" fill="white"/>`)
	for i, c := range drawn {
		f := frame{left: float64(i%columns*width) + 55, top: float64(i/columns*height) + 30, width: width - 150, height: height - 80}
		f.scale(c)
		f.draw(printf, c)
	}
	printf("</svg>")
	return err
}

// logOf is a logarithm that takes 0 as something small.
func logOf(v float64) float64 { return math.Log10(max(v, 1e-4)) }

func (f *frame) scale(c *chart) {
	f.x0, f.x1, f.y0, f.y1 = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, n := range c.names {
		for at, v := range c.value[n] {
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

func (f *frame) draw(printf func(string, ...any), c *chart) {
	printf(`<text x="%.1f" y="%.1f" font-weight="bold">%s: %s</text>`, f.left, f.top-10, c.test, c.metric)
	for d := f.y0; d <= f.y1; d++ {
		y := f.y(math.Pow(10, d))
		printf(`<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#ddd"/>`, f.left, y, f.left+f.width, y)
		printf(`<text x="%.1f" y="%.1f" text-anchor="end">%s</text>`, f.left-5, y+4, number(math.Pow(10, d)))
	}
	for i, at := range c.at {
		if i%((len(c.at)+5)/6) == 0 {
			printf(`<text x="%.1f" y="%.1f" text-anchor="middle">%s</text>`, f.x(at), f.top+f.height+15, number(at))
		}
	}
	printf(`<text x="%.1f" y="%.1f" text-anchor="middle">%s</text>`, f.left+f.width/2, f.top+f.height+30, c.x)
	printf(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="none" stroke="#888"/>`, f.left, f.top, f.width, f.height)
	for i, n := range c.names {
		colour := colours[i%len(colours)]
		points := ""
		for _, at := range c.at {
			if v, ok := c.value[n][at]; ok {
				points += fmt.Sprintf("%.1f,%.1f ", f.x(at), f.y(v))
			}
		}
		printf(`<polyline points="%s" fill="none" stroke="%s" stroke-width="1.5"/>`, points, colour)
		printf(`<text x="%.1f" y="%.1f" fill="%s">%s</text>`, f.left+f.width+8, f.top+14*float64(i)+10, colour, n)
	}
}
