package cc

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestBuild builds a program once, and finds it again.
func TestBuild(t *testing.T) {
	if !Available() {
		t.Fatal("no C compiler: scripts/bootstrap installs one")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir, err := Dir()
	if err != nil {
		t.Fatal(err)
	}
	old := filepath.Join(dir, "old")
	if err := os.MkdirAll(old, 0o755); err != nil {
		t.Fatal(err)
	}
	long := time.Now().Add(-2 * unusedFor)
	if err := os.Chtimes(old, long, long); err != nil {
		t.Fatal(err)
	}
	p, err := Build("int main(void) { return 0; }\n")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(old); !os.IsNotExist(err) {
		t.Errorf("what nobody has used for long is still there: %v", err)
	}
	if err := os.WriteFile(p.Path(), []byte("kept"), 0o755); err != nil {
		t.Fatal(err)
	}
	again, err := Build("int main(void) { return 0; }\n")
	if err != nil || again.Path() != p.Path() {
		t.Fatalf("%v, %v", again, err)
	}
	if text, _ := os.ReadFile(again.Path()); string(text) != "kept" {
		t.Error("the program was built twice")
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
