package transform

import (
	"fmt"
	"strings"

	"github.com/memc-lang/memc/ir/diag"
)

// Unlimited as a Context's Limit allows any number of rewrites.
const Unlimited = -1

// A Context is the input of one run of one pass, and collects its statistics.
type Context struct {
	// Pass is the name of the running pass; remarks start with it.
	Pass string
	// Remarks collects rewrites and refusals, with reasons. If it is nil, remarks are dropped.
	Remarks *diag.List
	// Limit is the number of rewrites still allowed, or Unlimited.
	Limit int
	// Rewrites counts the rewrites made.
	Rewrites int
	// Sites are their positions.
	Sites []diag.Span
}

// NewContext returns the context for a run of the named pass.
func NewContext(pass string, remarks *diag.List, limit int) *Context {
	return &Context{Pass: pass, Remarks: remarks, Limit: limit}
}

// Rewrite asks whether one more rewrite may be made. If it returns true, it has counted the rewrite
// and recorded the remark, so the pass must make the rewrite. If it returns false, the pass must
// leave that place unchanged.
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

// Take adds the records of an attempt whose result is kept.
func (c *Context) Take(attempt *Context) {
	c.Rewrites += attempt.Rewrites
	c.Sites = append(c.Sites, attempt.Sites...)
	if c.Remarks != nil && attempt.Remarks != nil {
		c.Remarks.All = append(c.Remarks.All, attempt.Remarks.All...)
	}
}

// Remark records a remark that is not a rewrite: a detail of one, or the reason for a refusal.
func (c *Context) Remark(span diag.Span, format string, args ...any) {
	if c.Remarks != nil {
		c.Remarks.Remarkf(span, "%s: %s", c.Pass, fmt.Sprintf(format, args...))
	}
}

// Refusal reports whether the text of a remark is about a refusal: after the pass's name it begins
// with the failed condition, in brackets.
func Refusal(msg string) bool {
	_, rest, ok := strings.Cut(msg, ": ")
	return ok && strings.HasPrefix(rest, "[")
}
