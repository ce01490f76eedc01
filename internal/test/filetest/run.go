package filetest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/import/futhark"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	memrt "github.com/memc-lang/memc/runtime"
)

// Options of a test run.
type Options struct {
	Device    string // OpenCL device; "none": only the interpreters; driver.Processors: those, and C
	Allocator string // how blocks are placed on it; "": the runtime's default
	Scatter   uint64 // not 0: launches on devices at random (runtime.Options)
	Apart     bool   // devices exchange blocks as those of different platforms do
	LikeGPU   bool   // divide work as for a GPU (runtime.Options)
	Small     bool   // see a device that has no more than it must (runtime.Options)
	Lower     imp.Options
	Jobs      int // files at a time; 0: as many as there are processors
	Elements  int // inputs with more elements are left out, but not all of a block; 0: none
	// Timeout bounds a case; 0: none. A case that takes longer fails, and so do those after it in
	// its file. It goes on in the background, since neither a kernel nor a compiler can be stopped.
	Timeout time.Duration
	// Done is called after every file, one call at a time, in no fixed order.
	Done func(done, total int)
}

// A Result is the outcome of one case: Err is nil where it passed.
type Result struct {
	Path string
	Line int
	Err  error
	// Unproven is what the static checker of memory could not prove of the file's
	// program, on the first of its cases.
	Unproven *diag.Diagnostic
}

// NoDevice as Options.Device leaves OpenCL out.
const NoDevice = "none"

// Run runs the test blocks of all .ir files and Futhark dumps below the paths, and
// of files that are named themselves. A file without a block gives no result. The results come in the order of the files.
func Run(paths []string, opt Options) ([]Result, error) {
	files, err := collect(paths)
	if err != nil {
		return nil, err
	}
	if opt.Jobs <= 0 {
		opt.Jobs = runtime.NumCPU()
	}
	results := make([][]Result, len(files))
	next, done := 0, 0
	var mu sync.Mutex
	var wg sync.WaitGroup
	var opened error
	var hung atomic.Bool
	for range min(opt.Jobs, len(files)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			var ctx *memrt.Context
			if opt.Device != NoDevice && opt.Device != driver.Processors {
				c, err := memrt.Open(opt.Device, memrt.Options{Allocator: opt.Allocator, LikeGPU: opt.LikeGPU, Small: opt.Small, Scatter: opt.Scatter, Apart: opt.Apart})
				if err != nil {
					mu.Lock()
					opened = err
					mu.Unlock()
					return
				}
				defer func() {
					if !hung.Load() { // else a kernel may keep the device
						c.Close()
					}
				}()
				ctx = c
			}
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= len(files) {
					return
				}
				var ended bool
				if results[i], ended = runFile(files[i], ctx, opt); !ended {
					hung.Store(true)
				}
				mu.Lock()
				done++
				if opt.Done != nil {
					opt.Done(done, len(files))
				}
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	var all []Result
	for _, r := range results {
		all = append(all, r...)
	}
	return all, opened
}

// collect finds the programs below the paths, each once.
func collect(paths []string) ([]string, error) {
	seen := map[string]bool{}
	var files []string
	for _, path := range paths {
		err := filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if !d.IsDir() && (strings.HasSuffix(p, ".ir") || futhark.Is(p) || p == path) && !seen[p] {
				seen[p] = true
				files = append(files, p)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	sort.Strings(files)
	return files, nil
}

// runFile also tells whether all ended in time.
func runFile(path string, ctx *memrt.Context, opt Options) (results []Result, ended bool) {
	ended = true
	fail := func(line int, err error) { results = append(results, Result{Path: path, Line: line, Err: err}) }
	data, err := os.ReadFile(path)
	if err != nil {
		fail(0, err)
		return
	}
	blocks, err := Blocks(string(data), filepath.Dir(path))
	var wrong *BlockError
	if errors.As(err, &wrong) {
		fail(wrong.Line, errors.New(wrong.Msg))
		return
	}
	if len(blocks) == 0 {
		return // prose or an example without tests
	}
	t := &fileTest{file: diag.NewFile(path, string(data)), passes: Passes(blocks), ctx: ctx, lower: opt.Lower, c: opt.Device == driver.Processors, allocator: opt.Allocator}
	for _, b := range blocks {
		large, small := false, false
		for i := range b.Cases {
			c := &b.Cases[i]
			if opt.Elements > 0 && elements(c) > int64(opt.Elements) {
				large = true
				continue
			}
			small = small || c.HasInput
			if !ended {
				fail(c.Line, errors.New("not run: the test before did not end"))
				continue
			}
			var err error
			ended, err = timed(opt.Timeout, func() error { return t.guard(c) })
			fail(c.Line, err)
		}
		if large && !small {
			fail(b.Line, fmt.Errorf("every input has more than %d elements", opt.Elements))
		}
	}
	if ended && len(results) > 0 {
		results[0].Unproven = t.unproven
	}
	if ended {
		t.close()
	}
	return
}

// timed runs something for at most a time, and tells whether it ended.
func timed(limit time.Duration, run func() error) (ended bool, err error) {
	if limit == 0 {
		return true, run()
	}
	done := make(chan error, 1)
	go func() { done <- run() }()
	select {
	case err := <-done:
		return true, err
	case <-time.After(limit):
		return false, fmt.Errorf("did not end within %s (--timeout)", limit)
	}
}

// matches checks a message against an expected pattern.
func matches(err error, want *regexp.Regexp, what string) error {
	if err == nil {
		return fmt.Errorf("%s succeeded, expected an error that matches %q", what, want)
	}
	text := err.Error()
	if l, ok := err.(*diag.List); ok { // all of them, not only the first
		var b strings.Builder
		for _, d := range l.All {
			fmt.Fprintln(&b, d.Error(), d.Hint)
		}
		text = b.String()
	}
	// A pass may make an array's size a block's: both ran out of memory.
	if !want.MatchString(text) && !want.MatchString(strings.ReplaceAll(text, "out of device memory", "out of memory")) {
		return fmt.Errorf("%s failed with %q, expected an error that matches %q", what, text, want)
	}
	return nil
}

// elements counts the elements of an input.
func elements(c *Case) (n int64) {
	vs, _ := value.NewReader("input", []byte(c.Input)).All() // what is wrong with it, the run tells
	for _, v := range vs {
		n += v.Elems()
	}
	return n
}

// ReadValues reads the values of an input, with the types of the entry's
// parameters for literals without a suffix.
func ReadValues(name, text string, f *ir.Func) ([]value.Value, error) {
	r := value.NewReader(name, []byte(text))
	var vs []value.Value
	for i := 0; ; i++ {
		want := ir.Unknown
		if i < len(f.Params) {
			want = f.Params[i].Type.Prim
		}
		v, err := r.Next(want)
		if err == io.EOF {
			return vs, nil
		}
		if err != nil {
			return nil, err
		}
		vs = append(vs, v)
	}
}

// compare tells where results differ from what is wanted of those shown.
func compare(how string, want, got []value.Value, shown []int, within value.Tolerance) error {
	for k, i := range shown {
		if i >= len(got) {
			return fmt.Errorf("%s: %d results, expected at least %d", how, len(got), i+1)
		}
		if d := value.Diff(want[k], got[i], within); d != "" {
			return fmt.Errorf("%s: result %d: %s", how, i+1, d)
		}
	}
	return nil
}

// explicit brings a fresh copy of the file's program through passes, perhaps those for processors.
func explicit(f *diag.File, passes string, processors bool) (*ir.Program, *pipeline.Report, error) {
	list, err := pipeline.ParseFor(passes, processors)
	if err != nil {
		return nil, nil, err
	}
	return driver.Explicit(f, list, pipeline.Options{Verify: true, Memcheck: true})
}
