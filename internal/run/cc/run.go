package cc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strings"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/runtime"
)

// A Failure is the text on a failed program's standard error.
type Failure struct{ Text string }

func (f *Failure) Error() string { return f.Text }

// Run calls an entry with arguments. It gives the results that the program writes:
// those that are no sizes of later ones. options are the program's own.
func (p *Program) Run(entry string, args []value.Value, options ...string) ([]value.Value, runtime.Stats, error) {
	var in, out, errs bytes.Buffer
	for _, v := range args {
		if err := value.WriteBinary(&in, v); err != nil {
			return nil, runtime.Stats{}, err
		}
	}
	command := func(path string) *exec.Cmd {
		c := exec.Command(path, append([]string{"--entry=" + entry, "--binary", "--stats=json"}, options...)...)
		c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(in.Bytes()), &out, &errs
		if os.Getenv("GOMP_SPINCOUNT") == "" && os.Getenv("OMP_WAIT_POLICY") == "" {
			// A thread that waits for others gives its processor away after some microseconds:
			// others may need it.
			c.Env = append(os.Environ(), "GOMP_SPINCOUNT=10000")
		}
		return c
	}
	var c *exec.Cmd
	untie := func() {}
	start := func(path string) error {
		untie()
		c = command(path)
		untie = tie(c)
		return c.Start()
	}
	err := p.use(start)
	if errors.Is(err, fs.ErrNotExist) { // another process has just removed it
		err = p.use(start)
	}
	defer func() { untie() }()
	if err != nil {
		return nil, runtime.Stats{}, err
	}
	if err := c.Wait(); err != nil {
		if text := strings.TrimSpace(errs.String()); text != "" && c.ProcessState != nil && c.ProcessState.ExitCode() == 1 {
			return nil, runtime.Stats{}, &Failure{text}
		}
		return nil, runtime.Stats{}, fmt.Errorf("the compiled program: %w\n%s", err, errs.String())
	}
	var st runtime.Stats
	text := strings.TrimSpace(errs.String())
	if err := json.Unmarshal([]byte(text[strings.LastIndexByte(text, '\n')+1:]), &st); err != nil {
		return nil, st, fmt.Errorf("the compiled program's statistics: %w", err)
	}
	r := value.NewReader("results", out.Bytes())
	var results []value.Value
	for {
		v, err := r.Next(ir.Unknown)
		if err == io.EOF {
			return results, st, nil
		}
		if err != nil {
			return nil, st, err
		}
		results = append(results, v)
	}
}
