package cc

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// ErrNoCompiler means that the system has no C compiler.
var ErrNoCompiler = errors.New("there is no C compiler (cc; the variable CC names another)")

// compiler returns the command of the compiler: $CC, which may hold flags, or cc.
func compiler() ([]string, error) {
	words := strings.Fields(os.Getenv("CC"))
	if len(words) == 0 {
		words = []string{"cc"}
	}
	path, err := exec.LookPath(words[0])
	if err != nil {
		return nil, ErrNoCompiler
	}
	return append([]string{path}, words[1:]...), nil
}

// Available reports whether there is a compiler.
func Available() bool {
	_, err := compiler()
	return err == nil
}

// A toolchain is a compiler with the flags that it takes.
type toolchain struct {
	command []string
	flags   []string
	about   string // the compiler's predefined macros under these flags
}

// FlagSets are flags that are tried together, the most wanted first.
var FlagSets = [][]string{
	{"-O2", "-ftree-vectorize", "-fvect-cost-model=dynamic", "-fno-math-errno", "-fno-trapping-math", "-march=native", "-fopenmp"},
	{"-O2", "-march=native"},
	{"-O2"},
}

var toolchains struct {
	sync.Mutex
	known map[string]*toolchain // by command
}

// find returns the compiler with the first flags that it can link a program with.
func find() (*toolchain, error) {
	command, err := compiler()
	if err != nil {
		return nil, err
	}
	toolchains.Lock()
	defer toolchains.Unlock()
	key := strings.Join(command, " ")
	if t := toolchains.known[key]; t != nil {
		return t, nil
	}
	var last error
	for _, flags := range FlagSets {
		about, err := defines(command, flags)
		if err != nil {
			last = err
			continue
		}
		t := &toolchain{command: command, flags: flags, about: about}
		if toolchains.known == nil {
			toolchains.known = map[string]*toolchain{}
		}
		toolchains.known[key] = t
		return t, nil
	}
	return nil, last
}

// defines returns the macros that a compiler defines by itself. With OpenMP, that its
// header is found is part of the question.
func defines(command, flags []string) (string, error) {
	text := ""
	if strings.Contains(strings.Join(flags, " "), "openmp") {
		text = "#include <omp.h>\n"
	}
	args := append(append(command[1:len(command):len(command)], flags...), "-dM", "-E", "-x", "c", "-")
	c := exec.Command(command[0], args...)
	c.Stdin = strings.NewReader(text)
	out, err := c.Output()
	if err != nil {
		return "", failed(c, err)
	}
	return string(out), nil
}

func failed(c *exec.Cmd, err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return fmt.Errorf("%s: %v\n%s", c.Args[0], err, exit.Stderr)
	}
	return fmt.Errorf("%s: %w", c.Args[0], err)
}

// Dir is where built programs are kept: $MEMC_CACHE, or memc in the user's cache directory.
func Dir() (string, error) {
	if dir := os.Getenv("MEMC_CACHE"); dir != "" {
		return filepath.Abs(dir)
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "memc"), nil
}

func noDir(err error) error {
	return fmt.Errorf("no directory to keep built programs in (set $MEMC_CACHE to one): %w", err)
}

// A Program is an executable file.
type Program struct {
	path    string
	rebuild func() error
}

// Path is the name of the file.
func (p *Program) Path() string { return p.path }

// Build compiles a C file, unless that was done before.
func Build(source string) (*Program, error) {
	t, err := find()
	if err != nil {
		return nil, err
	}
	dir, err := Dir()
	if err != nil {
		return nil, noDir(err)
	}
	key := fmt.Sprintf("%q %q\n%s\n%s", t.command, t.flags, t.about, source)
	path := filepath.Join(dir, fmt.Sprintf("%x", sha256.Sum256([]byte(key)))[:32])
	p := &Program{path, func() error { return t.build(dir, path, source) }}
	now := time.Now()
	if os.Chtimes(path, now, now) == nil {
		return p, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, noDir(err)
	}
	prune(dir, now, keptBytes)
	return p, p.rebuild()
}

// BuildBy compiles a C file into a directory by a compiler with the user's own flags, such as
// gcc -O3. Nothing is kept between runs.
func BuildBy(command []string, dir, source string) (*Program, error) {
	t, path := &toolchain{command: command}, filepath.Join(dir, "program")
	p := &Program{path, func() error { return t.build(dir, path, source) }}
	return p, p.rebuild()
}

// build makes the file at path. It appears there whole or not at all.
func (t *toolchain) build(dir, path, source string) error {
	tmp, err := os.MkdirTemp(dir, "build-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	file, out := filepath.Join(tmp, "program.c"), filepath.Join(tmp, "program")
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		return err
	}
	args := append(append(t.command[1:len(t.command):len(t.command)], t.flags...), "-std=c99", "-w", "-o", out, file, "-lm")
	c := exec.Command(t.command[0], args...)
	if text, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("the C compiler refused the program (%s): %v\n%s", strings.Join(t.command, " "), err, text)
	}
	return os.Rename(out, path)
}

// What is kept: programs that somebody has run within the time, and of those no more
// bytes than that. Python packages keep to the same (codegen/pyhost/py/_memc.py).
const (
	unusedFor = 30 * 24 * time.Hour
	keptBytes = 512 << 20
)

// ours matches the names of built programs, of Python's libraries, and of the directories where
// they are built. The user may have named a directory that holds other files, too.
var ours = regexp.MustCompile(`^([0-9a-f]{32}(\.so)?|build-[0-9]+)$`)

// prune removes programs that nobody has run for long, and what is too much, the longest
// unused first. Another process may do the same, so a file that is gone is no error.
func prune(dir string, now time.Time, keep int64) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	var kept []fs.FileInfo
	for _, e := range list {
		if info, err := e.Info(); err == nil && ours.MatchString(e.Name()) {
			kept = append(kept, info)
		}
	}
	slices.SortFunc(kept, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for _, info := range kept {
		if keep -= info.Size(); keep < 0 && info.Mode().IsRegular() || now.Sub(info.ModTime()) > unusedFor {
			os.RemoveAll(filepath.Join(dir, info.Name()))
		}
	}
}
