package host_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/host"
)

func TestErrorText(t *testing.T) {
	e := &host.Error{Kind: host.Fault, File: "a.ir", Pos: host.Pos{Line: 3, Col: 7}, Msg: "negative size -1", Notes: []string{"one", "two"}, Cause: io.EOF}
	check(t, "text", e.Error(), "a.ir:3:7: negative size -1\n\tone\n\ttwo")
	check(t, "text without a place", (&host.Error{File: "a.ir", Msg: "m"}).Error(), "a.ir: m")
	wrapped := fmt.Errorf("step 3: %w", e)
	check(t, "kind", host.Is(wrapped, host.Fault), true)
	check(t, "another kind", host.Is(wrapped, host.OutOfMemory), false)
	check(t, "no error of a program", host.Is(io.EOF, host.Fault), false)
	check(t, "cause", errors.Is(wrapped, io.EOF), true)
	for k, want := range map[host.Kind]string{host.Fault: "fault", host.OutOfMemory: "out of memory", host.Misuse: "misuse", host.Bug: "bug of memc"} {
		check(t, "kind's name", k.String(), want)
	}
}

// What holds the memory is told, the largest blocks by name.
func TestMemoryNotes(t *testing.T) {
	oom := &runtime.OutOfMemory{Request: 50, Live: 80}
	for i := range 7 {
		oom.Blocks = append(oom.Blocks, runtime.BlockInfo{Bytes: int64(20 - i)})
	}
	oom.Blocks[0].Where = runtime.TagInfo{Name: "block `m`", Line: "a.ir:3"}
	want := "block `m` (a.ir:3) holds 20 bytes; a temporary block holds 19 bytes; a temporary block holds 18 bytes; a temporary block holds 17 bytes; " +
		"a temporary block holds 16 bytes; and 2 smaller blocks"
	check(t, "notes", strings.Join(host.MemoryNotes(oom), "; "), want)
}
