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

// Dir is where built programs are kept: $MEMC_CACHE; else memc in the user's cache directory; else,
// where that cannot be, a directory of the user's among the temporary files.
func Dir() (string, error) {
	if dir := os.Getenv("MEMC_CACHE"); dir != "" {
		return filepath.Abs(dir)
	}
	if dir, err := os.UserCacheDir(); err == nil {
		dir = filepath.Join(dir, "memc")
		if os.MkdirAll(dir, 0o700) == nil {
			return dir, nil
		}
	}
	return filepath.Join(os.TempDir(), fmt.Sprintf("memc-%d", os.Getuid())), nil
}

func noDir(err error) error {
	return fmt.Errorf("no directory to keep built programs in (set $MEMC_CACHE to one): %w", err)
}

// A Program is an executable file of a directory.
type Program struct {
	dir, key string
	make     func(out string) error
}

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
	key := sha256.Sum256(fmt.Appendf(nil, "%q %q\n%s\n%s", t.command, t.flags, t.about, source))
	p := &Program{dir, shorten(key[:]), func(out string) error { return t.build(out, source) }}
	return p, p.use(func(string) error { return nil })
}

// BuildBy compiles a C file into a directory by a compiler with the user's own flags, such as
// gcc -O3.
func BuildBy(command []string, dir, source string) (*Program, error) {
	t := &toolchain{command: command}
	p := &Program{dir, "program", func(out string) error { return t.build(out, source) }}
	return p, p.use(func(string) error { return nil })
}

// Path returns the name of the file.
func (p *Program) Path() (string, error) {
	name := ""
	err := p.use(func(path string) error {
		name = filepath.Join(p.dir, filepath.Base(path))
		return nil
	})
	return name, err
}

// use calls a function with the path of the executable, which is built where it is missing or
// damaged. The path is good until the function returns.
func (p *Program) use(f func(path string) error) error {
	k, err := openKeep(p.dir)
	if err != nil {
		return noDir(err)
	}
	defer k.close()
	name, now := k.find(p.key), time.Now()
	if name == "" {
		prune(k.path("."), now, keptBytes)
		tmp, err := os.MkdirTemp("", "memc-build-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(tmp)
		out := filepath.Join(tmp, "program")
		if err := p.make(out); err != nil {
			return err
		}
		if name, err = k.add(p.key, out); err != nil {
			return err
		}
	} else {
		_ = os.Chtimes(k.path(name), now, now) // nobody can where the directory is read-only
	}
	return f(filepath.Join(k.dir, name)) // not by way of an open file, which a script's interpreter has not
}

// build makes the file out, in a directory of its own.
func (t *toolchain) build(out, source string) error {
	file := out + ".c"
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		return err
	}
	args := append(append(t.command[1:len(t.command):len(t.command)], t.flags...), "-std=c99", "-w", "-o", out, file, "-lm")
	c := exec.Command(t.command[0], args...)
	if text, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("the C compiler refused the program (%s): %v\n%s", strings.Join(t.command, " "), err, text)
	}
	return nil
}

// What is kept: programs that somebody has run within the time, and of those no more
// bytes than that. Python packages keep to the same (codegen/pyhost/py/_memc.py).
const (
	unusedFor = 30 * 24 * time.Hour
	keptBytes = 512 << 20
)

// ours matches the names of built programs, of Python's libraries, and of what is still being
// written; before, names had no digest. The user may have named a directory that holds other files, too.
var ours = regexp.MustCompile(`^([0-9a-f]{32}(-[0-9a-f]{32})?(\.so)?|build-[0-9]+(-[0-9a-f]{32})?)$`)

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
