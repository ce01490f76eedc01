package cc

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memc-lang/memc/internal/test/must"
)

// forever writes its process number to a file, and never ends.
const forever = `
#include <stdio.h>
#include <unistd.h>
int main(int n, char **arg)
{
  FILE *f = fopen(arg[n - 1], "w");
  fprintf(f, "%d\n", (int)getpid());
  fclose(f);
  for (;;)
    pause();
}
`

// TestKilled kills a process while a program runs that never ends: the program ends, too.
func TestKilled(t *testing.T) {
	if path := os.Getenv("MEMC_TEST_FOREVER"); path != "" { // the process to kill
		p := must.Get(Build(forever))(t)
		_, _, err := p.Run("main", nil, path)
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "number")
	self := exec.Command(must.Get(os.Executable())(t), "-test.run=^TestKilled$")
	self.Env = append(os.Environ(), "MEMC_TEST_FOREVER="+path, "MEMC_CACHE="+filepath.Join(t.TempDir(), "cache"))
	must.Do(t, self.Start())
	text := ""
	for !strings.HasSuffix(text, "\n") {
		time.Sleep(time.Millisecond)
		data, _ := os.ReadFile(path)
		text = string(data)
	}
	must.Do(t, self.Process.Kill())
	_ = self.Wait() // it was killed
	for runs := true; runs; time.Sleep(time.Millisecond) {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%s/stat", strings.TrimSpace(text)))
		runs = err == nil && !strings.Contains(string(stat), ") Z ")
	}
}
