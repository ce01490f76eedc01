//go:build !cgo

package pool

import "errors"

// New fails: the pool is in C.
func New(Source, Options) (Pool, error) {
	return nil, errors.New("this memc was built without cgo and has no allocators; build with CGO_ENABLED=1")
}
