package cc

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
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
	long := time.Now().Add(-2 * unusedFor)
	for _, path := range []string{old, foreign} {
		must.Do(t, os.MkdirAll(path, 0o755))
		must.Do(t, os.Chtimes(path, long, long))
	}
	p := must.Get(Build("int main(void) { return 0; }\n"))(t)
	if _, err := os.Stat(old); !os.IsNotExist(err) {
		t.Errorf("what nobody has used for long is still there: %v", err)
	}
	if _, err := os.Stat(foreign); err != nil {
		t.Errorf("the user's own directory is gone: %v", err)
	}
	must.Do(t, os.WriteFile(p.Path(), []byte("kept"), 0o755))
	again, err := Build("int main(void) { return 0; }\n")
	if err != nil || again.Path() != p.Path() {
		t.Fatalf("%v, %v", again, err)
	}
	if text, _ := os.ReadFile(again.Path()); string(text) != "kept" {
		t.Error("the program was built twice")
	}
	if _, _, err := again.Run("main", nil); err == nil || !strings.Contains(err.Error(), "statistics") {
		t.Errorf("a damaged program was not built anew: %v", err)
	}
	if other, err := Build("int main(void) { return 1; }\n"); err != nil || other.Path() == p.Path() {
		t.Errorf("another text: %v, %v", other, err)
	}
	if _, err := Build("no C"); err == nil {
		t.Error("what is no C was built")
	}
	t.Setenv("CC", "no-such-compiler")
	if _, err := Build("int main(void) { return 0; }\n"); !errors.Is(err, ErrNoCompiler) || Available() {
		t.Errorf("without a compiler: %v", err)
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
