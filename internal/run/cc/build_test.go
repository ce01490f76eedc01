package cc

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memc-lang/memc/internal/test/must"
)

// TestBuild builds a program once, and finds it again.
func TestBuild(t *testing.T) {
	if !Available() {
		t.Fatal("no C compiler: scripts/bootstrap installs one")
	}
	t.Setenv("MEMC_CACHE", filepath.Join(t.TempDir(), "cache"))
	dir := must.Get(Dir())(t)
	old, foreign := filepath.Join(dir, "build-1"), filepath.Join(dir, "build-letters")
	recent := filepath.Join(dir, "build-2")
	for path, days := range map[string]int{old: 31, recent: 29, foreign: 31} {
		used := time.Now().AddDate(0, 0, -days)
		must.Do(t, os.MkdirAll(path, 0o755))
		must.Do(t, os.Chtimes(path, used, used))
	}
	p := must.Get(Build("int main(void) { return 0; }\n"))(t)
	if _, err := os.Stat(old); !os.IsNotExist(err) {
		t.Errorf("what nobody has used for long is still there: %v", err)
	}
	for _, path := range []string{recent, foreign} {
		if _, err := os.Stat(path); err != nil {
			t.Errorf("what was used in the last 30 days, or is the user's own, is gone: %v", err)
		}
	}
	path := must.Get(p.Path())(t)
	first := must.Get(os.Stat(path))(t)
	again := must.Get(must.Get(Build("int main(void) { return 0; }\n"))(t).Path())(t)
	if now, err := os.Stat(path); err != nil || again != path || !os.SameFile(first, now) {
		t.Errorf("the program was built twice: %s, %s, %v", path, again, err)
	}
	if other, err := must.Get(Build("int main(void) { return 1; }\n"))(t).Path(); err != nil || other == path {
		t.Errorf("another text: %v, %v", other, err)
	}
	t.Setenv("CC", "cc -DOTHER")
	if other, err := must.Get(Build("int main(void) { return 0; }\n"))(t).Path(); err != nil || other == path {
		t.Errorf("another command of the compiler: %v, %v", other, err)
	}
	t.Setenv("CC", "")
	if _, err := Build("no C"); err == nil {
		t.Error("what is no C was built")
	}
	t.Setenv("CC", "no-such-compiler")
	if _, err := Build("int main(void) { return 0; }\n"); !errors.Is(err, ErrNoCompiler) || Available() {
		t.Errorf("without a compiler: %v", err)
	}
}

// TestDamaged damages what was kept in every way; each run gives the program's own result.
func TestDamaged(t *testing.T) {
	t.Setenv("MEMC_CACHE", filepath.Join(t.TempDir(), "cache"))
	const source = `#include <stdio.h>
int main(void) { fputs("{}", stderr); return 0; }
`
	p := must.Get(Build(source))(t)
	path := must.Get(p.Path())(t)
	whole := must.Get(os.ReadFile(path))(t)
	flipped := slices.Clone(whole)
	flipped[len(flipped)/2] ^= 1
	planted := must.Get(os.ReadFile(must.Get(must.Get(Build("int main(void) { return 9; }\n"))(t).Path())(t)))(t)
	for name, damage := range map[string]func() error{
		"half":        func() error { return os.Truncate(path, int64(len(whole)/2)) },
		"all but one": func() error { return os.Truncate(path, int64(len(whole)-1)) },
		"empty":       func() error { return os.Truncate(path, 0) },
		"one bit":     func() error { return os.WriteFile(path, flipped, 0o700) },
		"another":     func() error { return os.WriteFile(path, planted, 0o700) },
		"gone":        func() error { return os.Remove(path) },
		"a directory": func() error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) },
	} {
		must.Do(t, damage())
		for range 2 {
			if _, _, err := p.Run("main", nil); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if q, err := Build(source); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if _, _, err := q.Run("main", nil); err != nil {
			t.Errorf("%s, built anew: %v", name, err)
		}
		must.Do(t, os.RemoveAll(path))
		must.Get(p.Path())(t)
	}
}

// TestOwner uses no directory that others can write to, whatever lies there and however it is called.
func TestOwner(t *testing.T) {
	top := t.TempDir()
	open, link := filepath.Join(top, "open"), filepath.Join(top, "link")
	must.Do(t, os.Mkdir(open, 0o700))
	must.Do(t, os.Symlink(open, link))
	for _, mode := range []os.FileMode{0o777, 0o1777, 0o770, 0o702} {
		must.Do(t, os.Chmod(open, mode))
		if mode&0o1000 != 0 {
			must.Do(t, os.Chmod(open, mode&0o777|os.ModeSticky))
		}
		for _, dir := range []string{open, link} {
			t.Setenv("MEMC_CACHE", dir)
			if _, err := Build("int main(void) { return 0; }\n"); err == nil || !strings.Contains(err.Error(), "others can write to "+dir) {
				t.Errorf("%o, %s: %v", mode, dir, err)
			}
		}
	}
	must.Do(t, os.Chmod(open, 0o755))
	if _, err := Build("int main(void) { return 0; }\n"); err != nil {
		t.Errorf("by a link: %v", err)
	}
	t.Setenv("MEMC_CACHE", filepath.Join(top, "new", "cache"))
	must.Get(Build("int main(void) { return 0; }\n"))(t)
	if st, err := os.Stat(filepath.Join(top, "new", "cache")); err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("a new directory: %v, %v", st, err)
	}
	if os.Getuid() == 0 {
		must.Do(t, os.Chown(open, 12345, 0))
		t.Setenv("MEMC_CACHE", open)
		if _, err := Build("int main(void) { return 0; }\n"); err == nil || !strings.Contains(err.Error(), "belongs to another user") {
			t.Errorf("of another user: %v", err)
		}
	}
}

// TestNoCache runs a program where the user has no directory for caches, or none that can be made.
func TestNoCache(t *testing.T) {
	tmp := t.TempDir()
	for _, v := range []struct{ home, cache string }{{"", ""}, {"/proc/none", ""}, {"", "/proc/none"}} {
		t.Setenv("TMPDIR", tmp)
		t.Setenv("MEMC_CACHE", "")
		t.Setenv("HOME", v.home)
		t.Setenv("XDG_CACHE_HOME", v.cache)
		path := must.Get(must.Get(Build("int main(void) { return 0; }\n"))(t).Path())(t)
		if !strings.HasPrefix(path, tmp) {
			t.Errorf("%v: kept in %s", v, path)
		}
	}
}

// TestAtOnce builds and runs one program many times at once.
func TestAtOnce(t *testing.T) {
	t.Setenv("MEMC_CACHE", filepath.Join(t.TempDir(), "cache"))
	var all sync.WaitGroup
	for range 12 {
		all.Add(1)
		go func() {
			defer all.Done()
			p, err := Build("#include <stdio.h>\nint main(void) { fputs(\"{}\", stderr); return 0; }\n")
			for k := 0; k < 3 && err == nil; k++ {
				_, _, err = p.Run("main", nil)
			}
			if err != nil {
				t.Error(err)
			}
		}()
	}
	all.Wait()
	if left, _ := filepath.Glob(filepath.Join(must.Get(Dir())(t), "build-*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// TestPrune removes what is too much, the longest unused first.
func TestPrune(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	for i, digit := range []string{"a", "b", "c"} {
		name := strings.Repeat(digit, 32)
		path, used := filepath.Join(dir, name), now.Add(-time.Duration(i)*time.Hour)
		must.Do(t, os.WriteFile(path, make([]byte, 100), 0o644))
		must.Do(t, os.Chtimes(path, used, used))
	}
	prune(dir, now, 250)
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(left) != 2 || filepath.Base(left[0])[0] != 'a' || filepath.Base(left[1])[0] != 'b' {
		t.Errorf("left: %v, %v", left, err)
	}
}
