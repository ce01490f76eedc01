package cc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
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
	command := func() *exec.Cmd {
		c := exec.Command(p.path, append([]string{"--entry=" + entry, "--binary", "--stats=json"}, options...)...)
		c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(in.Bytes()), &out, &errs
		if os.Getenv("GOMP_SPINCOUNT") == "" && os.Getenv("OMP_WAIT_POLICY") == "" {
			// A thread that waits for others gives its processor away after some microseconds:
			// others may need it.
			c.Env = append(os.Environ(), "GOMP_SPINCOUNT=10000")
		}
		return c
	}
	c := command()
	defer tie(c)()
	err := c.Start()
	if err != nil { // the kept file is damaged, or another process removed it
		if err = p.rebuild(); err != nil {
			return nil, runtime.Stats{}, err
		}
		c = command()
		defer tie(c)()
		err = c.Start()
	}
	if err == nil {
		err = c.Wait()
	}
	if err != nil {
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
