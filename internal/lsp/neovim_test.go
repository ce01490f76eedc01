//go:build editors

// Few people who build memc have Neovim, so `make test` does without: `make neovim` runs this test.

package lsp

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memc-lang/memc/internal/test/must"
)

const inNeovim = `entry main [n] (xs: [n]i32) : i32 = {
  let ys = map (i < n) { in xs[i] +1 }
  let s = reduce (i < n) op (a, b) { in a + b } neutral (0) { in ys[i] }
  in s + q
}
`

const seenInNeovim = `filetype memc
error 4 10 unknown name ` + "`q`" + `
hover ys : [n]i32 ` + "`ys` has no storage after the pass `fuse`." + `
definition 2 6
reference 2 7
reference 3 66
entry main [n] (xs: [n]i32) : i32 = {
  let zs = map (i < n) { in xs[i] + 1 }
  let s = reduce (i < n) op (a, b) { in a + b } neutral (0) { in zs[i] }
  in s + s
}
`

// TestNeovim plays a session in Neovim, set up by the line of docs/cli.md and the files of editors/vim. The directory of
// memc stands first in $PATH.
func TestNeovim(t *testing.T) {
	dir := t.TempDir()
	line := regexp.MustCompile("in `init.lua`:\\s+`(.*)`\n").FindStringSubmatch(must.Read(t, "../../docs/cli.md"))
	if line == nil {
		t.Fatal("docs/cli.md has no line for init.lua")
	}
	packages := filepath.Join(dir, "nvim", "pack", "memc", "start")
	must.Do(t, os.MkdirAll(packages, 0o777))
	must.Do(t, os.Symlink(must.Get(filepath.Abs("../../editors/vim"))(t), filepath.Join(packages, "memc")))
	must.Do(t, os.WriteFile(filepath.Join(dir, "nvim", "init.lua"), []byte(line[1]), 0o666))
	must.Do(t, os.WriteFile(filepath.Join(dir, "a.ir"), []byte(inNeovim), 0o666))

	ctx, stop := context.WithTimeout(context.Background(), 5*time.Minute)
	defer stop()
	c := exec.CommandContext(ctx, "nvim", "--headless", "-c", "luafile "+must.Get(filepath.Abs("testdata/neovim.lua"))(t))
	c.Dir, c.Stderr = dir, os.Stderr
	c.Env = append(os.Environ(), "XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_STATE_HOME="+dir, "XDG_CACHE_HOME="+dir)
	out, err := c.Output()
	if d := cmp.Diff(seenInNeovim, string(out)); d != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
}
