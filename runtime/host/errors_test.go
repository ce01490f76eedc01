package host_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
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

// What holds the memory is told, the largest blocks by name, and why holes do not help.
func TestMemoryNotes(t *testing.T) {
	ctx := must.Get(runtime.Open("", runtime.Options{MemoryLimit: 1 << 20}))(t)
	defer ctx.Close()
	must.Get(ctx.Alloc(3<<10, ctx.RegisterTags([]runtime.TagInfo{{Name: "block `m`", Line: "a.ir:3"}})))(t)
	var blocks [500]*runtime.Block
	for i := range blocks {
		blocks[i] = must.Get(ctx.Alloc(2<<10, runtime.TempTag))(t)
	}
	for i := 0; i < len(blocks); i += 2 {
		blocks[i].Release()
	}
	_, err := ctx.Alloc(100<<10, runtime.TempTag)
	var oom *runtime.OutOfMemory
	check(t, "out of memory", errors.As(err, &oom), true)
	notes := strings.Join(host.MemoryNotes(oom), "; ")
	if !strings.HasPrefix(notes, "block `m` (a.ir:3) holds 3072 bytes; a temporary block holds 2048 bytes; ") ||
		!strings.Contains(notes, "; and 246 smaller blocks; of ") || !strings.HasSuffix(notes, "no buffer is idle, and the limit refused one of 102400 bytes") {
		t.Errorf("notes %q", notes)
	}
}
