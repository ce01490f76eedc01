package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

// wellFormed reads a picture and counts its elements.
func wellFormed(t *testing.T, picture []byte) map[string]int {
	t.Helper()
	count := map[string]int{}
	d := xml.NewDecoder(bytes.NewReader(picture))
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, picture)
		}
		if e, ok := tok.(xml.StartElement); ok {
			count[e.Name.Local]++
		}
	}
	if bytes.Contains(picture, []byte("NaN")) || bytes.Contains(picture, []byte("Inf")) {
		t.Errorf("a coordinate is no number:\n%s", picture)
	}
	return count
}

func TestLines(t *testing.T) {
	var b bytes.Buffer
	must.Do(t, WriteLines(&b, []Plot{
		{Title: "a < b & c", X: "threads", Lines: []Line{{"one", map[float64]float64{1: 0, 10: 5, 100: 7}}, {"two", map[float64]float64{10: 3}}}},
		{Title: "flat", X: "n", Lines: []Line{{"one", map[float64]float64{1: 1}}}},
	}))
	if n := wellFormed(t, b.Bytes()); n["polyline"] != 3 {
		t.Errorf("%d lines", n["polyline"])
	}
	if !strings.Contains(b.String(), "a &lt; b &amp; c") {
		t.Error("the title is not in the picture")
	}
}

func TestBars(t *testing.T) {
	var b bytes.Buffer
	must.Do(t, WriteBars(&b, Bars{Title: "peak", Unit: " %", Mark: 100, Series: []string{"none", "both"},
		Groups: []Group{{"nw", []float64{100, 50}}, {"x<y", []float64{math.NaN(), 700}}}}))
	if n := wellFormed(t, b.Bytes()); n["rect"] != 1+2+3 {
		t.Errorf("%d boxes: ground, legend and bars", n["rect"])
	}
	if !strings.Contains(b.String(), ">700<") {
		t.Error("a bar that is cut off has no number")
	}
	b.Reset()
	must.Do(t, WriteBars(&b, Bars{Title: "nothing"}))
	wellFormed(t, b.Bytes())
}

// A writer that fails ends the drawing.
func TestError(t *testing.T) {
	if err := WriteBars(broken{}, Bars{}); err == nil {
		t.Error("no error")
	}
	if err := WriteLines(broken{}, nil); err == nil {
		t.Error("no error")
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("full") }
