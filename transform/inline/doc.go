// Package inline replaces calls of memory-agnostic functions by their bodies.
package inline
