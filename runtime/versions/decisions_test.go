package versions

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

// A teller is testdata/versions_main.c in Go: it writes down every step.
type teller struct {
	out          strings.Builder
	room         []int64
	size         map[*Block]int64
	steps, fails int
}

func (a *teller) broken() bool {
	if a.fails == 0 {
		return false
	}
	a.steps++
	return a.steps%a.fails == 0
}

func (a *teller) Make(b *Block, p Place) error {
	switch {
	case a.broken():
		fmt.Fprintf(&a.out, "make %d %d fails\n", b.Owner, p)
		return errBroken
	case a.room[p] < a.size[b]:
		fmt.Fprintf(&a.out, "make %d %d full\n", b.Owner, p)
		return ErrFull
	}
	fmt.Fprintf(&a.out, "make %d %d\n", b.Owner, p)
	a.room[p] -= a.size[b]
	return nil
}

func (a *teller) Move(b *Block, from, to Place, spill bool) error {
	flag := 0
	if spill {
		flag = 1
	}
	fmt.Fprintf(&a.out, "move %d %d %d %d", b.Owner, from, to, flag)
	if a.broken() {
		a.out.WriteString(" fails\n")
		return errBroken
	}
	a.out.WriteString("\n")
	return nil
}

func (a *teller) Drop(b *Block, p Place) {
	fmt.Fprintf(&a.out, "drop %d %d\n", b.Owner, p)
	a.room[p] += a.size[b]
}

// code returns the results of the C functions.
func code(err error) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, ErrFull):
		return -1
	}
	return 1
}

// decisions makes random commands in Go; it gives them as versions_main.c reads them, and what
// that writes.
func decisions(rng *rand.Rand, n, fails, commands int) (script, told string) {
	a := &teller{size: map[*Block]int64{}, fails: fails}
	var s strings.Builder
	fmt.Fprintf(&s, "%d %d", n, fails)
	for i := range n {
		a.room = append(a.room, 40)
		if i == n-1 {
			a.room[i] = 120
		}
		fmt.Fprintf(&s, " %d", a.room[i])
	}
	s.WriteString("\n")
	table := New(a, places(n))
	var live []*Block
	pinned := map[*Block]bool{}
	for id := range commands {
		if len(live) == 0 || len(live) < 14 && rng.IntN(10) == 0 {
			b := table.NewBlock(id)
			a.size[b] = rng.Int64N(20)
			fmt.Fprintf(&s, "n %d %d\n", id, a.size[b])
			live = append(live, b)
			continue
		}
		i, p := rng.IntN(len(live)), Place(rng.IntN(n))
		b := live[i]
		switch k := rng.IntN(20); {
		case k == 0 && !pinned[b]:
			fmt.Fprintf(&s, "f %d\n", b.Owner)
			table.Free(b)
			live = append(live[:i], live[i+1:]...)
		case k == 1:
			fmt.Fprintf(&s, "e %d\n", p)
			ok, err := table.Evict(p)
			if !ok && err == nil {
				err = ErrFull
			}
			fmt.Fprintf(&a.out, "evict %d\n", code(err))
		case k < 5:
			if pinned[b] = !pinned[b]; pinned[b] {
				fmt.Fprintf(&s, "p %d\n", b.Owner)
				b.Pin()
			} else {
				fmt.Fprintf(&s, "u %d\n", b.Owner)
				b.Unpin()
			}
		default:
			over := rng.IntN(4) / 3
			fmt.Fprintf(&s, "b %d %d %d\n", b.Owner, p, over)
			err := table.Bring(b, p, over == 1)
			fmt.Fprintf(&a.out, "bring %d\n", code(err))
			if err != nil || over == 0 && rng.IntN(2) == 0 {
				continue
			}
			fmt.Fprintf(&s, "w %d %d\n", b.Owner, p)
			table.Wrote(b, p)
			nearest, ok := table.Nearest(b, Place(n-1))
			if !ok {
				nearest = -1
			}
			fmt.Fprintf(&a.out, "version %d nearest %d\n", b.Latest(), nearest)
		}
	}
	return s.String(), a.out.String()
}

// TestDecisions gives 100,000 random commands to the table in Go and to that in C, and compares
// every step.
func TestDecisions(t *testing.T) {
	text := "#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#define MEMC_UNUSED __attribute__((unused))\n"
	for _, name := range []string{"../../codegen/opencl/c/cl/versions.c", "testdata/versions_main.c"} {
		part := must.Read(t, name)
		text += part
	}
	dir := t.TempDir()
	file, prog := filepath.Join(dir, "versions.c"), filepath.Join(dir, "versions")
	must.Do(t, os.WriteFile(file, []byte(text), 0o644))
	args := []string{"-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover", "-o", prog, file}
	if out, err := exec.Command("cc", args...).CombinedOutput(); err != nil {
		t.Fatalf("cc: %v\n%s", err, out)
	}
	for n := 2; n <= 5; n++ {
		script, want := decisions(rand.New(rand.NewPCG(24, uint64(n))), n, []int{0, 0, 0, 50, 7, 20}[n], 25_000)
		cmd := exec.Command(prog)
		cmd.Stdin = strings.NewReader(script)
		cmd.Env = append(os.Environ(), "ASAN_OPTIONS=detect_leaks=0") // what is live at the end
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%d places: %v: %s", n, err, out)
		}
		if got := string(out); got != want {
			g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
			for k := range min(len(g), len(w)) {
				if g[k] != w[k] {
					t.Fatalf("%d places, step %d: C %q, Go %q; before: %q", n, k, g[k], w[k], w[max(0, k-3):k])
				}
			}
			t.Fatalf("%d places: %d steps in C, %d in Go", n, len(g), len(w))
		}
		if strings.Count(want, "full") < 500 || strings.Count(want, " 1\n") < 100 {
			t.Errorf("%d places: too little happened", n)
		}
	}
}
