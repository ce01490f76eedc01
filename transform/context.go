package transform

import (
	"fmt"
	"strings"

	"github.com/memc-lang/memc/internal/base/diag"
)

// Unlimited as a Context's Limit allows any number of rewrites.
const Unlimited = -1

// A Context is what one run of one pass is given, and where it leaves its
// statistics.
type Context struct {
	// Pass is the name of the running pass; remarks start with it.
	Pass string
	// Remarks collects what was done and what was refused, and why. It may be
	// nil: then remarks are dropped.
	Remarks *diag.List
	// Limit is the number of rewrites still allowed, or Unlimited.
	Limit int
	// Rewrites counts the rewrites made.
	Rewrites int
	// Sites tells where they were made.
	Sites []diag.Span
}

// NewContext gives the context for a run of the named pass.
func NewContext(pass string, remarks *diag.List, limit int) *Context {
	return &Context{Pass: pass, Remarks: remarks, Limit: limit}
}

// Rewrite asks whether one more rewrite may be made. Where it gives true the
// rewrite is counted and the remark recorded, so the pass must then make it;
// where it gives false the pass must leave that place as it was.
func (c *Context) Rewrite(span diag.Span, format string, args ...any) bool {
	if c.Limit == 0 {
		return false
	}
	if c.Limit > 0 {
		c.Limit--
	}
	c.Rewrites++
	c.Sites = append(c.Sites, span)
	c.Remark(span, format, args...)
	return true
}

// Take adds what was recorded for an attempt of which the result is taken over.
func (c *Context) Take(attempt *Context) {
	c.Rewrites += attempt.Rewrites
	c.Sites = append(c.Sites, attempt.Sites...)
	if c.Remarks != nil && attempt.Remarks != nil {
		c.Remarks.All = append(c.Remarks.All, attempt.Remarks.All...)
	}
}

// Remark records a remark that is no rewrite of its own: a detail of one, or
// the reason why one was refused.
func (c *Context) Remark(span diag.Span, format string, args ...any) {
	if c.Remarks != nil {
		c.Remarks.Remarkf(span, "%s: %s", c.Pass, fmt.Sprintf(format, args...))
	}
}

// Refusal tells whether the text of a remark is about something refused: behind
// the pass's name it begins with the condition that failed, in brackets.
func Refusal(msg string) bool {
	_, rest, ok := strings.Cut(msg, ": ")
	return ok && strings.HasPrefix(rest, "[")
}
