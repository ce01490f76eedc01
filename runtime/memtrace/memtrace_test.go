package memtrace

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/runtime/pool"
)

var sample = []Event{
	{Call: 1, Time: time.Date(0, 1, 1, 13, 4, 5, 678000, time.UTC), Action: Allocate, Pointer: Pointer(0, 256), Size: 1000, Tag: 3, Line: "a.ir:7", Name: "block `m, n`", Asked: 1000, Rounded: 1024, Held: 16384},
	{Call: 1, Time: time.Date(0, 1, 1, 13, 4, 5, 700000, time.UTC), Action: Failure, Size: 1 << 40, Tag: -1},
	{Call: 1, Time: time.Date(0, 1, 1, 13, 4, 6, 0, time.UTC), Action: Free, Pointer: Pointer(0, 256), Size: 1000, Tag: 3, Line: "a.ir:7", Name: "block `m, n`", Held: 16384},
}

func write(s Sink) error {
	for _, e := range sample {
		s.Event(e)
	}
	return s.Close()
}

func TestCSV(t *testing.T) {
	var out bytes.Buffer
	must.Do(t, write(CSV(&out)))
	want := "Thread,Time,Action,Pointer,Size,Stream,Tag,Line,Name\n" +
		"1,13:04:05.000678,allocate,0x10000000100,1000,0,3,a.ir:7,\"block `m, n`\"\n" +
		"1,13:04:05.000700,allocate failure,0x0,1099511627776,0,-1,,\n" +
		"1,13:04:06.000000,free,0x10000000100,1000,0,3,a.ir:7,\"block `m, n`\"\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
	got := must.Get(Read(&out))(t)
	for i := range sample {
		e := sample[i]
		e.Asked, e.Rounded, e.Held = 0, 0, 0
		if !reflect.DeepEqual(got[i], e) {
			t.Errorf("event %d is read as %+v, want %+v", i, got[i], e)
		}
	}
}

// RMM's own logs: other columns, pointers without 0x, another form of times.
func TestReadRMM(t *testing.T) {
	events, err := Read(strings.NewReader("Thread,Time,Action,Pointer,Size,Stream\n" +
		"139,14:25:01:123456,allocate,0x7f0000000000,1024,0x0\n139,x,allocate,7f0000000400,2048,0x0\n139,x,free,0x7f0000000000,1024,0x0\n"))
	if err != nil || len(events) != 3 || events[1].Pointer != 0x7f0000000400 || events[2].Action != Free {
		t.Errorf("%+v, %v", events, err)
	}
}

func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                        "the trace is empty",
		"Action,Pointer\n":                        "no column Size",
		"Action,Pointer,Size\nmove,1,2\n":         `line 2: action "move"`,
		"Action,Pointer,Size\nfree,1,-2\n":        `line 2: size "-2"`,
		"Action,Pointer,Size\nallocate,1,x\n":     `line 2: size "x"`,
		"Action,Pointer,Size\nallocate,zz,1\n":    `line 2: pointer "zz"`,
		"Action,Pointer,Size\nallocate,1,1\nfree": "line 3: size",
		"Action,Pointer,Size\n\"a":                `extraneous or missing`,
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestJSON(t *testing.T) {
	var out bytes.Buffer
	must.Do(t, write(JSON(&out)))
	var events []map[string]any
	if err := json.Unmarshal(out.Bytes(), &events); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	phases := ""
	for _, e := range events {
		phases += e["ph"].(string)
	}
	if phases != "CbCiCe" || events[0]["args"].(map[string]any)["held"] != 16384.0 || events[5]["ts"] != 999322.0 || events[1]["id"] != events[5]["id"] {
		t.Errorf("phases %s\n%s", phases, out.String())
	}
	out.Reset()
	if err := JSON(&out).Close(); err != nil || strings.TrimSpace(out.String()) != "[]" {
		t.Errorf("nothing is written as %q, %v", out.String(), err)
	}
}

// fullWriter fails after some bytes.
type fullWriter struct{ room int }

var errFull = errors.New("no space left")

func (w *fullWriter) Write(p []byte) (int, error) {
	if w.room -= len(p); w.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// An error of the file shows when the trace is closed.
func TestWriteErrors(t *testing.T) {
	for room := range 60 {
		if err := write(CSV(&fullWriter{room})); !errors.Is(err, errFull) {
			t.Errorf("CSV with room for %d bytes: %v", room, err)
		}
		if err := write(JSON(&fullWriter{room})); !errors.Is(err, errFull) {
			t.Errorf("JSON with room for %d bytes: %v", room, err)
		}
	}
}

func TestReplay(t *testing.T) {
	alloc := func(at uint64, n int64) Event { return Event{Action: Allocate, Pointer: at, Size: n, Tag: int(at)} }
	free := func(at uint64) Event { return Event{Action: Free, Pointer: at} }
	events := []Event{alloc(1, 100000), alloc(2, 50000), free(1), alloc(1, 60000), {Action: Failure, Size: 1 << 40}, free(2)}
	for policy, want := range []struct{ creates, again, steady, hits int64 }{
		{3, 3, -1, 0}, {2, 0, 1, 1}, {2, 0, 1, 1},
	} {
		r := must.Get(Replay(events, pool.Options{Policy: pool.Policy(policy), MaxAlloc: 1 << 30}))(t)
		s := r.First
		if s.Creates != want.creates || r.Again != want.again || int64(r.SteadyAfter) != want.steady || s.Requests != 4 || s.Failures != 1 ||
			s.PeakAsked != 150000 || s.Requests-s.Failures-s.Hits[pool.Miss] != want.hits {
			t.Errorf("%v: %+v", r.Policy, r)
		}
		var out strings.Builder
		if err := WriteTable(&out, []Result{r}); err != nil || !strings.Contains(out.String(), "150000") || strings.Contains(out.String(), "never") != (want.steady < 0) {
			t.Errorf("%v\n%s", err, out.String())
		}
	}
	for _, bad := range [][]Event{{free(1)}, {alloc(1, 1), free(1), free(1)}, {alloc(1, 1), alloc(1, 1)}} {
		if _, err := Replay(bad, pool.Options{}); err == nil {
			t.Errorf("%+v is replayed", bad)
		}
	}
	// A limit makes requests fail; their blocks are not freed.
	r, err := Replay(events, pool.Options{Policy: pool.Region, Limit: 1000})
	if err != nil || r.First.Failures != 4 {
		t.Errorf("%+v, %v", r, err)
	}
}
