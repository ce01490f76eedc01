// Command compare-memory compares two memc binaries by the programs that the default passes leave:
// their allocations, copies that move data, and peaks.
//
//	git worktree add /tmp/old 51af074 && (cd /tmp/old && go build -o /tmp/old/memc ./cmd/memc)
//	go run ./scripts/compare-memory /tmp/old/memc bin/memc benchmarks/*/*.ir DIR/*.fut_*_mem
//
// Both optimise the text that OLD's `explicit` makes of a program, so that only the passes after
// `explicit` are compared. It prints a row for every function whose figures differ, and how many
// are equal, less, and more. Peaks are formulas; if two differ as text, they are compared for two
// choices of sizes.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

type figures struct {
	Alloc, Copy int
	Peak        string
}

type stats struct {
	Functions []struct {
		Name          string
		Before, After figures
	}
}

// A comparison of two figures of a function.
type comparison int

const (
	equal comparison = iota
	less
	more
	unordered // less for some sizes, more for others
)

func (c comparison) String() string { return [...]string{"equal", "less", "**more**", "unordered"}[c] }

func compare[T int | float64](old, now T) comparison {
	switch {
	case now < old:
		return less
	case now > old:
		return more
	}
	return equal
}

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: compare-memory OLD NEW FILE...")
		os.Exit(2)
	}
	old, now := os.Args[1], os.Args[2]
	count := map[string]map[comparison]int{"allocations": {}, "copies": {}, "peaks": {}}
	functions, failed := 0, 0
	fmt.Print("| program | function | allocations | copies | peak |\n|---|---|---|---|---|\n")
	for _, file := range os.Args[3:] {
		text, err := explicit(old, file)
		if err != nil {
			failed++ // mostly of a newer language, or no valid program
			continue
		}
		a, err := run(old, text)
		b, err2 := run(now, text)
		os.Remove(text)
		if err != nil || err2 != nil {
			failed++
			fmt.Printf("| %s | | not compared: %v %v | | |\n", filepath.Base(file), err, err2)
			continue
		}
		byName := map[string]figures{}
		for _, f := range a.Functions {
			byName[f.Name] = f.After
		}
		for _, f := range b.Functions {
			was, known := byName[f.Name]
			if !known {
				continue
			}
			functions++
			alloc, copies := compare(was.Alloc, f.After.Alloc), compare(was.Copy, f.After.Copy)
			peak := comparePeaks(was.Peak, f.After.Peak)
			count["allocations"][alloc]++
			count["copies"][copies]++
			count["peaks"][peak]++
			if alloc != equal || copies != equal || peak != equal {
				fmt.Printf("| %s | %s | %d -> %d %s | %d -> %d %s | %s -> %s %s |\n", filepath.Base(file), f.Name,
					was.Alloc, f.After.Alloc, alloc, was.Copy, f.After.Copy, copies, was.Peak, f.After.Peak, peak)
			}
		}
	}
	fmt.Printf("\n%d functions; %d programs not compared\n", functions, failed)
	for _, what := range []string{"allocations", "copies", "peaks"} {
		c := count[what]
		fmt.Printf("%s: %d equal, %d less, %d more, %d unordered\n", what, c[equal], c[less], c[more], c[unordered])
	}
}

// explicit writes the program in explicit form, as a memc makes it, to a file.
func explicit(memc, file string) (string, error) {
	f, err := os.CreateTemp("", "*.ir")
	if err != nil {
		return "", err
	}
	f.Close()
	if err := exec.Command(memc, "opt", "--passes=explicit", "-o", f.Name(), file).Run(); err != nil {
		os.Remove(f.Name())
		return "", err
	}
	return f.Name(), nil
}

// run returns the statistics of a program behind the default passes of a memc.
func run(memc, file string) (s stats, err error) {
	c := exec.Command(memc, "opt", "--stats=json", "-o", os.DevNull, file)
	var said bytes.Buffer
	c.Stderr = &said
	if err := c.Run(); err != nil {
		first, _, _ := strings.Cut(said.String(), "\n")
		return s, fmt.Errorf("%w: %s", err, first)
	}
	at := strings.LastIndex(said.String(), "{\"before\"") // behind warnings
	return s, json.Unmarshal(said.Bytes()[max(at, 0):], &s)
}

// comparePeaks compares two formulas: as texts, and for sizes that are all 1000 or all different.
func comparePeaks(old, now string) comparison {
	out := equal
	for k := range 2 {
		if old == now {
			break
		}
		a, ok1 := value(old, k)
		b, ok2 := value(now, k)
		c := compare(a, b)
		switch {
		case !ok1 || !ok2:
			return unordered
		case out == equal:
			out = c
		case c != equal && c != out:
			return unordered
		}
	}
	return out
}

var name = regexp.MustCompile(`[a-zA-Z_][a-zA-Z_0-9']*(\([^()]*\))?`)

// value returns a formula's value, with memc itself as the calculator; ok is false where the formula
// has names that are no sizes, as for what a call holds.
func value(formula string, choice int) (v float64, ok bool) {
	var params, args []string
	met := map[string]bool{"max": true, "min": true}
	for _, n := range name.FindAllString(formula, -1) {
		if fn, _, call := strings.Cut(n, "("); call && fn != "max" && fn != "min" {
			return 0, false
		}
	}
	for _, n := range word.FindAllString(formula, -1) {
		if !met[n] {
			met[n] = true
			params = append(params, n+": i64")
			args = append(args, fmt.Sprint(1000+choice*17*len(params)))
		}
	}
	c := exec.Command(os.Args[2], "run", "--device=interp", "-")
	file, err := os.CreateTemp("", "*.ir")
	if err != nil {
		return 0, false
	}
	defer os.Remove(file.Name())
	fmt.Fprintf(file, "entry main (%s) : i64 = {\n  in %s\n}\n", strings.Join(params, ", "), formula)
	file.Close()
	c.Args[len(c.Args)-1] = file.Name()
	c.Stdin = strings.NewReader(strings.Join(args, "\n"))
	out, err := c.Output()
	if err != nil {
		return 0, false
	}
	_, err = fmt.Sscanf(string(out), "%f", &v)
	return v, err == nil
}

var word = regexp.MustCompile(`[a-zA-Z_][a-zA-Z_0-9']*`)
