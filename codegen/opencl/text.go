package opencl

import "strings"

// A text is a long text, of up to hundreds of megabytes, in pages: what is written stays where it
// is while the text grows.
type text struct{ pages [][]byte }

// pageSize is the usual size of a page. It fits in a processor's cache.
const pageSize = 1 << 16

// page returns the page in which the next n bytes fit.
func (t *text) page(n int) *[]byte {
	k := len(t.pages) - 1
	if k < 0 || cap(t.pages[k])-len(t.pages[k]) < n {
		t.pages = append(t.pages, make([]byte, 0, max(n, pageSize)))
		k++
	}
	return &t.pages[k]
}

// Write appends bytes.
func (t *text) Write(b []byte) (int, error) {
	p := t.page(len(b))
	*p = append(*p, b...)
	return len(b), nil
}

// WriteString appends a string.
func (t *text) WriteString(s string) {
	p := t.page(len(s))
	*p = append(*p, s...)
}

// WriteByte appends a byte.
func (t *text) WriteByte(c byte) error {
	p := t.page(1)
	*p = append(*p, c)
	return nil
}

// add appends another text, which must not be written to any more.
func (t *text) add(other *text) { t.pages = append(t.pages, other.pages...) }

// String returns the whole text.
func (t *text) String() string {
	size := 0
	for _, p := range t.pages {
		size += len(p)
	}
	var b strings.Builder
	b.Grow(size)
	for _, p := range t.pages {
		b.Write(p)
	}
	return b.String()
}
