package chart

import "io"

// A Row is what one queue did.
type Row struct {
	Name string
	Bars []Bar
}

// A Bar is a command, in milliseconds from the start.
type Bar struct {
	Start, End float64
	Text       string // shown when the pointer rests on it
	Colour     int
}

// WriteTimeline draws rows of bars over one axis of time. Colours names what the bars'
// colours stand for.
func WriteTimeline(w io.Writer, title string, colours []string, rows []Row) error {
	const left, right, thick, top, width = 150, 20, 22, 64, 900
	most := 0.0
	for _, r := range rows {
		for _, b := range r.Bars {
			most = max(most, b.End)
		}
	}
	if most == 0 {
		most = 1
	}
	at := func(v float64) float64 { return left + v/most*(width-left-right) }
	bottom := top + thick*len(rows)
	c := &canvas{w: w}
	c.open(width, bottom+30)
	c.printf(`<text x="10" y="20" font-weight="bold">%s</text>`, text(title))
	for i, s := range colours {
		x := 10 + 200*float64(i)
		c.printf(`<rect x="%.1f" y="30" width="10" height="10" fill="%s"/>`, x, barColour(i))
		c.printf(`<text x="%.1f" y="39">%s</text>`, x+15, text(s))
	}
	for i := range 6 {
		v := most * float64(i) / 5
		c.printf(`<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#ddd"/>`, at(v), top-6, at(v), bottom)
		c.printf(`<text x="%.1f" y="%d" text-anchor="middle">%.4g ms</text>`, at(v), bottom+16, v)
	}
	for i, r := range rows {
		y := top + thick*i
		c.printf(`<text x="%d" y="%d" text-anchor="end">%s</text>`, left-8, y+thick/2+2, text(r.Name))
		for _, b := range r.Bars {
			c.printf(`<rect x="%.2f" y="%d" width="%.2f" height="%d" fill="%s"><title>%s</title></rect>`,
				at(b.Start), y, max(at(b.End)-at(b.Start), 0.5), thick-6, barColour(b.Colour), text(b.Text))
		}
	}
	c.printf("</svg>")
	return c.err
}
