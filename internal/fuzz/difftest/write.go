package difftest

import (
	"fmt"
	"strings"
)

// File returns a subject as a test: its text under a test block with the inputs,
// each with "output auto", since the meaning is what the program says by value.
// The comment says what failed.
func File(s *Subject, what string) string {
	var b strings.Builder
	for _, line := range strings.Split(strings.TrimSpace(what), "\n") {
		fmt.Fprintf(&b, "-- %s\n", line)
	}
	b.WriteString("-- ==\n")
	if s.Entry != "main" {
		fmt.Fprintf(&b, "-- entry: %s\n", s.Entry)
	}
	for _, args := range s.Inputs {
		texts := make([]string, len(args))
		for k, v := range args {
			texts[k] = v.Text()
		}
		fmt.Fprintf(&b, "-- input { %s }\n-- output auto\n", strings.Join(texts, " "))
	}
	b.WriteString(strings.TrimLeft(s.Text, "\n"))
	return b.String()
}

// Same returns the question for Reduce: does a subject fail as this failure does?
// What comes later is left out.
func Same(f *Failure, opt Options) func(*Subject) bool {
	opt.More = nil
	switch opt.Until = f.Run; f.Stage {
	case StageSource:
		opt.Until = -1
	case StageLower, StageOpenCL, StageLeak, StageC, StageProcess:
		opt.Until = 0
	}
	switch f.Stage {
	case StageC:
	case StageLower, StageOpenCL, StageLeak, StageProcess:
		opt.CC, opt.Unoptimised = "", false
	default:
		opt.Context, opt.Apart, opt.CC = nil, nil, ""
	}
	want := f.Kind()
	return func(s *Subject) bool {
		got := Check(s, opt)
		return got != nil && got.Kind() == want
	}
}
