package pool_test

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/runtime/memtrace"
	"github.com/memc-lang/memc/runtime/pool"
)

// poolSource is the source of testdata/host/pool_main.c in Go.
type poolSource struct {
	out                             *strings.Builder
	room, held, fail, creates, made int64
}

type poolBuffer struct{ id, size int64 }

func (s *poolSource) Create(n int64) (any, error) {
	s.creates++
	if s.room > 0 && s.held+n > s.room || s.fail > 0 && s.creates >= s.fail && s.creates%7 == 0 {
		fmt.Fprintf(s.out, "refuse %d\n", n)
		return nil, pool.ErrNoMemory
	}
	b := &poolBuffer{s.made, n}
	s.made++
	s.held += n
	fmt.Fprintf(s.out, "create %d\n", n)
	return b, nil
}

func (s *poolSource) Release(h any) {
	fmt.Fprintf(s.out, "release %d\n", h.(*poolBuffer).id)
	s.held -= h.(*poolBuffer).size
}

func (s *poolSource) Finish() error { s.out.WriteString("finish\n"); return nil }

// goDecisions makes the requests of a script, and gives what pool_main.c writes.
func goDecisions(t *testing.T, script string) string {
	t.Helper()
	var out strings.Builder
	src := &poolSource{out: &out}
	lines := bufio.NewScanner(strings.NewReader(script))
	var policy int
	var opt pool.Options
	lines.Scan()
	must.Get(fmt.Sscan(lines.Text(), &policy, &opt.Limit, &opt.MaxAlloc, &opt.IdleFor, &src.room, &src.fail))(t)
	opt.Policy = pool.Policy(policy)
	p := pool.New(src, opt)
	show := func() {
		s := p.Stats()
		fmt.Fprintf(&out, "stats %d %d %d %d %d %d %d %d %d %d %d %d %d %d\n", s.Requests, s.Hits[0], s.Hits[1], s.Hits[2], s.Hits[3],
			s.Failures, s.Creates, s.Releases, s.Refusals, s.Ladders, s.PeakAsked, s.PeakRounded, s.PeakHeld, s.LargestFree)
	}
	blocks := map[int]*pool.Block{}
	for lines.Scan() {
		var what string
		var id, tag int
		var bytes int64
		n, _ := fmt.Sscan(lines.Text(), &what, &id, &bytes, &tag)
		switch {
		case what == "a" && n == 4:
			b, err := p.Get(bytes, tag)
			if err != nil {
				out.WriteString("fail\n")
				delete(blocks, id)
				continue
			}
			blocks[id] = b
			fmt.Fprintf(&out, "get %s %d %d %d\n", b.Kind(), b.BufferID(), b.Offset(), b.Size())
		case what == "f" && n == 2:
			if b := blocks[id]; b != nil {
				p.Put(b)
			}
		case what == "n":
			p.Turn()
		case what == "t":
			p.Trim()
			show()
		default:
			t.Fatalf("a script holds %q", lines.Text())
		}
	}
	show()
	p.Close()
	return out.String()
}

// script makes random requests: phases that fill and empty the pool, sizes that
// repeat, sizes beyond everything.
func script(rng *rand.Rand, head string, requests int) string {
	var b strings.Builder
	b.WriteString(head + "\n")
	var live []int
	sizes := make([]int64, 12)
	for i := range sizes {
		sizes[i] = rng.Int63n(1 << uint(3+rng.Intn(20)))
	}
	for id := 0; id < requests; {
		aim := 1 << rng.Intn(9)
		for range 3 * aim {
			if n := len(live); id < requests && (n < aim && rng.Intn(5) > 0 || n == 0) {
				size, tag := sizes[rng.Intn(12)], rng.Intn(40)-10
				switch rng.Intn(50) {
				case 0:
					size = rng.Int63() // larger than any device
				case 1:
					size = 1<<32 + 1
				case 2:
					tag = rng.Intn(1 << 20)
				case 3, 4, 5:
					size = rng.Int63n(1 << 22)
				}
				fmt.Fprintf(&b, "a %d %d %d\n", id, size, tag)
				live = append(live, id)
				id++
			} else if n > 0 {
				i := rng.Intn(n)
				fmt.Fprintf(&b, "f %d\n", live[i])
				live[i] = live[n-1]
				live = live[:n-1]
			}
		}
		if rng.Intn(40) == 0 {
			b.WriteString("t\n")
		}
		if rng.Intn(3) > 0 {
			b.WriteString("n\n")
		}
	}
	return b.String()
}

// poolProgram builds pool_main.c behind the C pool.
func poolProgram(t *testing.T, flags ...string) string {
	t.Helper()
	text := "#include <inttypes.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#define MEMC_UNUSED __attribute__((unused))\n"
	for _, name := range []string{"../../codegen/opencl/c/pool.c", "testdata/pool_main.c"} {
		part := must.Read(t, name)
		text += part
	}
	dir := t.TempDir()
	file, prog := filepath.Join(dir, "pool.c"), filepath.Join(dir, "pool")
	must.Do(t, os.WriteFile(file, []byte(text), 0o644))
	args := append([]string{"-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-o", prog, file}, flags...)
	if out, err := exec.Command("cc", args...).CombinedOutput(); err != nil {
		t.Fatalf("cc %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return prog
}

// compareDecisions makes a script's requests in C and in Go.
func compareDecisions(t *testing.T, prog, script string) {
	t.Helper()
	want := goDecisions(t, script)
	cmd := exec.Command(prog)
	var errs strings.Builder
	cmd.Stdin, cmd.Stderr = strings.NewReader(script), &errs
	got, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, errs.String())
	}
	if string(got) == want {
		return
	}
	g, w := strings.Split(string(got), "\n"), strings.Split(want, "\n")
	for k := range min(len(g), len(w)) {
		if g[k] != w[k] {
			t.Fatalf("decision %d: C %q, Go %q; before: %q", k, g[k], w[k], w[max(0, k-3):k])
		}
	}
	t.Fatalf("%d decisions in C, %d in Go", len(g), len(w))
}

// TestDecisions makes random requests of the pool in Go and in C, and compares
// every decision: what is asked of the driver, where each block lies, and the
// statistics.
func TestDecisions(t *testing.T) {
	prog := poolProgram(t, "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover")
	for i, limits := range []string{"0 0 0 0 0", "0 8589934592 500 0 0", "4000000 3000000 2000 0 0", "0 3000000 100 9000000 0", "8000000 0 0 6000000 20"} {
		for policy, name := range pool.Policies {
			t.Run(fmt.Sprintf("%s-%d", name, i), func(t *testing.T) {
				compareDecisions(t, prog, script(rand.New(rand.NewSource(int64(i))), fmt.Sprintf("%d %s", policy, limits), 10000))
			})
		}
	}
}

// TestDecisionsOfTraces does the same with traces of programs, which
// memc run --trace wrote, each twice in a row.
func TestDecisionsOfTraces(t *testing.T) {
	prog := poolProgram(t, "-O2")
	paths, err := filepath.Glob("testdata/*.csv")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no traces: %v", err)
	}
	for _, path := range paths {
		f := must.Get(os.Open(path))(t)
		defer f.Close()
		events, err := memtrace.Read(f)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for policy := range pool.Policies {
			var b strings.Builder
			fmt.Fprintf(&b, "%d 0 0 0 0 0\n", policy)
			id, ids := 0, map[uint64]int{}
			for range 2 {
				b.WriteString("n\n")
				for _, e := range events {
					if e.Action == memtrace.Allocate {
						ids[e.Pointer] = id
						fmt.Fprintf(&b, "a %d %d %d\n", id, e.Size, e.Tag)
						id++
					} else {
						fmt.Fprintf(&b, "f %d\n", ids[e.Pointer])
					}
				}
			}
			compareDecisions(t, prog, b.String())
		}
	}
}
