// Package memtrace writes, reads and replays traces of memory: one event per
// block that is allocated, freed or refused.
//
// The CSV form has the columns of the logging adaptor of RMM (RAPIDS Memory
// Manager), so that tools for either read the other's, and three more:
//
//	Thread,Time,Action,Pointer,Size,Stream,Tag,Line,Name
//
// Thread is the number of the entry's call on its context (calls take turns; 0
// is outside of any), Time the time of day, Action "allocate", "free" or
// "allocate failure", Pointer the buffer's number and the offset in it, Size the
// bytes asked for, Stream always 0. Tag numbers the allocation site, Line and
// Name say which that is in the source. The JSON form is that of Chrome's trace
// viewer and Perfetto: counters of the bytes asked, in blocks and held, and a
// bar per block.
//
// Replay makes a trace's requests again on any policy of package pool, without
// a device. The package imports runtime/pool and no other room.
package memtrace
