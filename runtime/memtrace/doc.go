// Package memtrace writes, reads and replays traces of memory: one event for each block that
// is allocated, freed or refused.
//
// The CSV form has the columns of the logging adaptor of RMM (RAPIDS Memory Manager), so that
// tools for either can read the other's, and three more:
//
//	Thread,Time,Action,Pointer,Size,Stream,Tag,Line,Name
//
// Thread is the number of the entry's call on its context (calls take turns; 0 is outside of
// any). Time is the time of day. Action is "allocate", "free" or "allocate failure". Pointer
// is the buffer's number and the offset in it. Size is the number of bytes requested. Stream
// is the number of the device among several. Tag numbers the allocation site; Line and Name say which site of the source
// that is. The JSON form is that of Chrome's trace viewer and Perfetto: counters of the bytes
// requested, in blocks and held, and a bar per block.
//
// Replay repeats the requests of a trace on any policy of package pool, without a device. Of
// this module, the package imports only runtime/pool.
package memtrace
