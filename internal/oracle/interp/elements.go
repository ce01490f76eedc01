package interp

import (
	"encoding/binary"

	"github.com/memc-lang/memc/ir"
)

var le = binary.LittleEndian

// load64 and store64 keep a scalar of any type in a buffer.
func load64(d []byte) uint64     { return le.Uint64(d) }
func store64(d []byte, v uint64) { le.PutUint64(d, v) }

// access returns the functions that read and write element i of type p in bytes.
func access(p ir.Prim) (func([]byte, int64) uint64, func([]byte, int64, uint64)) {
	switch p {
	case ir.I8:
		return func(d []byte, i int64) uint64 { return uint64(int8(d[i])) }, store8
	case ir.U8, ir.Bool:
		return func(d []byte, i int64) uint64 { return uint64(d[i]) }, store8
	case ir.I16:
		return func(d []byte, i int64) uint64 { return uint64(int16(le.Uint16(d[2*i:]))) }, store16
	case ir.U16, ir.F16:
		return func(d []byte, i int64) uint64 { return uint64(le.Uint16(d[2*i:])) }, store16
	case ir.I32:
		return func(d []byte, i int64) uint64 { return uint64(int32(le.Uint32(d[4*i:]))) }, store32
	case ir.U32, ir.F32:
		return func(d []byte, i int64) uint64 { return uint64(le.Uint32(d[4*i:])) }, store32
	}
	return func(d []byte, i int64) uint64 { return le.Uint64(d[8*i:]) },
		func(d []byte, i int64, v uint64) { le.PutUint64(d[8*i:], v) }
}

func store8(d []byte, i int64, v uint64)  { d[i] = byte(v) }
func store16(d []byte, i int64, v uint64) { le.PutUint16(d[2*i:], uint16(v)) }
func store32(d []byte, i int64, v uint64) { le.PutUint32(d[4*i:], uint32(v)) }
