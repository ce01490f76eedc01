package chart

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// colours of the series, in their order.
var colours = []string{"#000000", "#999999", "#e69f00", "#d55e00", "#56b4e9", "#0072b2", "#cc79a7", "#009e73"}

// A canvas writes SVG and keeps the first error.
type canvas struct {
	w   io.Writer
	err error
}

func (c *canvas) printf(format string, args ...any) {
	if c.err == nil {
		_, c.err = fmt.Fprintf(c.w, format+"\n", args...)
	}
}

// open begins a picture on white ground; printf("</svg>") ends it.
func (c *canvas) open(width, height int) {
	c.printf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="11">`, width, height)
	c.printf(`<rect width="100%%" height="100%%" fill="white"/>`)
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// text makes a string fit XML.
var text = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace
