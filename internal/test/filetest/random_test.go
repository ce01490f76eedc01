package filetest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/fuzz/difftest"
	"github.com/memc-lang/memc/internal/fuzz/progen"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/test/filetest"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir/diag"
)

// TestRandomAsC runs random programs as C, each by one of several C compilers and levels. MEMC_RANDOM
// says how many, 60 where it is not set; MEMC_SEED the first seed; MEMC_CC other compilers, with commas between them.
func TestRandomAsC(t *testing.T) {
	n, first := int64(60), int64(1)
	for name, to := range map[string]*int64{"MEMC_RANDOM": &n, "MEMC_SEED": &first} {
		if text := os.Getenv(name); text != "" {
			*to = must.Get(strconv.ParseInt(text, 10, 64))(t)
		}
	}
	dir, inputs := t.TempDir(), 0
	for seed := first; seed < first+n; seed++ {
		s := difftest.SubjectOf(seed, progen.Options{})
		p, list := driver.Check(diag.NewFile(s.Name, s.Text))
		must.Do(t, list.Err())
		var head strings.Builder
		for _, args := range s.Inputs {
			var texts []string
			for _, v := range args {
				texts = append(texts, v.Text())
			}
			want := "output auto"
			if _, err := interp.ByValue(p, s.Entry, args, interp.Options{MaxSteps: 1 << 20}); err != nil {
				if want = "error: ."; strings.Contains(err.Error(), "more steps") {
					continue
				}
			}
			inputs++
			fmt.Fprintf(&head, "-- input { %s }\n-- %s\n", strings.Join(texts, " "), want)
		}
		if head.Len() > 0 {
			must.Do(t, os.WriteFile(filepath.Join(dir, s.Name), []byte("-- ==\n"+head.String()+s.Text), 0o600))
		}
	}
	compilers := filetest.Compilers
	if text := os.Getenv("MEMC_CC"); text != "" {
		compilers = strings.Split(text, ",")
	}
	results := must.Get(filetest.Compiled([]string{dir}, filetest.CompiledOptions{Compilers: compilers, Turns: true, Files: 40}))(t)
	for _, r := range results {
		if r.Err != nil {
			t.Errorf("%s:%d: %v", filepath.Base(r.Path), r.Line, r.Err)
		}
	}
	t.Logf("%d programs, %d inputs, %d results", n, inputs, len(results))
	if inputs < int(n) {
		t.Errorf("only %d inputs of %d programs", inputs, n)
	}
}
