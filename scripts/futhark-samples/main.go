// Command futhark-samples imports a directory of Futhark's memory IR dumps,
// runs each in every way that memc runs a program, and prints a table of the
// results.
//
//	go run ./scripts/futhark-samples DIR
//	go run ./scripts/futhark-samples -match 'kmeans.*' -passes explicit DIR
//	go run ./scripts/futhark-samples -table internal/test/futharktest/table.md DIR
//
// With -table it writes another table, which compares allocations, copies and peak
// memory of the dump from before Futhark's memory passes, of the dump from after them,
// and of memc's program for the first dump. The file keeps its text before the table.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/test/futharktest"
	"github.com/memc-lang/memc/runtime"
)

func main() {
	match := flag.String("match", "", "only the files that match this pattern")
	passes := flag.String("passes", pipeline.Default(), "the passes to run")
	device := flag.String("device", "", "OpenCL device; none: only the interpreters")
	values := flag.Bool("values", true, "run on the interpreters")
	verify := flag.Bool("verify", false, "check memory after every pass")
	jobs := flag.Int("j", 1, "samples at a time")
	table := flag.String("table", "", "compare allocations, copies and peak memory, and write the table to this file (- for stdout)")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: futhark-samples [flags] DIR")
		os.Exit(2)
	}
	samples, err := futharktest.Samples(flag.Arg(0), *match)
	if err != nil {
		fail(err)
	}
	list, err := pipeline.Parse(*passes)
	if err != nil {
		fail(err)
	}
	if *table != "" {
		if err := writeTable(*table, samples, list); err != nil {
			fail(err)
		}
		return
	}
	results := make([]futharktest.Result, len(samples))
	var next int
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range max(*jobs, 1) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= len(samples) {
					return
				}
				opt := futharktest.Options{Passes: list, Verify: *verify, Values: *values}
				if *device != "none" {
					ctx, err := runtime.Open(*device, runtime.Options{})
					if err != nil {
						fail(err)
					}
					opt.Ctx = ctx
				}
				results[i] = futharktest.Run(samples[i], opt)
				if opt.Ctx != nil {
					opt.Ctx.Close()
				}
				mu.Lock()
				fmt.Println(line(results[i]))
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	os.Exit(summary(results))
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "futhark-samples:", err)
	os.Exit(1)
}

// line is a row of the table: sample, stage, verdict, cases, allocations and
// copies after the passes, and why it did not pass.
func line(r futharktest.Result) string {
	verdict, why := "pass", ""
	if r.Err != nil {
		verdict, why = "FAIL", r.Step+": "+firstLine(r.Err.Error())
		if r.Refused() {
			verdict = "refused"
		}
	}
	return strings.TrimRight(fmt.Sprintf("%-20s %-11s %-8s %d/%d  alloc %3d copy %3d  %s",
		r.Sample.Name, r.Sample.Stage, verdict, r.Cases, len(r.Sample.Cases), r.Counts.Alloc, r.Counts.Copy, why), " ")
}

func firstLine(s string) string {
	first, _, _ := strings.Cut(s, "\n")
	return first
}

// summary prints the totals per stage and gives the exit code.
func summary(results []futharktest.Result) int {
	type total struct{ pass, refused, failed int }
	stages := []string{"seq-before", "seq-after", "gpu-before", "gpu-after"}
	sums := map[string]*total{}
	code := 0
	for _, r := range results {
		t := sums[r.Sample.Stage]
		if t == nil {
			t = &total{}
			sums[r.Sample.Stage] = t
		}
		switch {
		case r.Err == nil:
			t.pass++
		case r.Refused():
			t.refused++
		default:
			t.failed++
			code = 1
		}
	}
	for _, s := range stages {
		if t := sums[s]; t != nil {
			fmt.Printf("%-11s pass %d, refused %d, failed %d\n", s, t.pass, t.refused, t.failed)
		}
	}
	return code
}
