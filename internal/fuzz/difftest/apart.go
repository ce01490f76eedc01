package difftest

import (
	"context"
	"os/exec"

	"github.com/memc-lang/memc/transform"
)

// Apart checks programs in a process of its own, also on the device. If a driver ends that process,
// this is a failure like others (StageProcess), and the next program gets a new process.
type Apart struct{ p *process }

// CheckApart starts the process, by a command that calls Serve. The end of the context kills it.
func CheckApart(ctx context.Context, worker func() *exec.Cmd, device string, passes []*transform.Pass) (*Apart, error) {
	p, err := startProcess(&FuzzOptions{Worker: worker, Context: ctx, Every: 1, Passes: passes}, device)
	if err != nil {
		return nil, err
	}
	return &Apart{p}, nil
}

// Close ends the process.
func (a *Apart) Close() { a.p.close() }

func (a *Apart) check(s *Subject) *Failure {
	r, lost := a.p.ask(request{Name: s.Name, Text: File(s, "")})
	switch {
	case lost != "":
		return &Failure{Stage: StageProcess, Input: -1, Msg: lost, Text: s.Text}
	case r == nil:
		return nil
	}
	return r.Outcome.Failure
}
