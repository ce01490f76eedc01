//go:build !cgo

package places

import "errors"

// New fails: the table is in C.
func New([]Device, Memory, Options) (Table, error) {
	return nil, errors.New("this memc was built without cgo and has no devices; build with CGO_ENABLED=1")
}
