package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/base/release"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// app holds the streams and the flags that every verb has.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	color          string
	messages       string // how diagnostics are written: text or json
	watch          *stopwatch
	unproven       bool // something that --verify asks for is not proven
}

func (a *app) rootCommand() *cobra.Command {
	var without []string
	root := &cobra.Command{
		Use:   "memc VERB [flags] [FILE|-]",
		Short: "compile functional array programs with explicit memory to OpenCL",
		Long: `memc reads a functional array program in the EXPLICITMEMORY IR (docs/ir.md), checks it,
and runs it or compiles it to C, Go or Python. Start with docs/tutorial.md.

Results go to standard output, messages to standard error.
Exit codes: 0 done, 1 the input is wrong or the run failed, 2 wrong usage,
3 a known limitation (or --verify could not prove the result right), 70 a bug in memc.`,
		Example: `  memc run examples/canny.ir --arg img=@photo.png --out edges=@edges.png
  memc compile examples/life.ir && cc life.c -lOpenCL -lm -o life`,
		SilenceErrors:              true,
		SilenceUsage:               true,
		SuggestionsMinimumDistance: 2,
		Version:                    release.Line(ir.Version),
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			if a.color != "auto" && a.color != "always" && a.color != "never" {
				return usagef(c, "--color=%s: expected auto, always or never%s", a.color, didYouMean(a.color, []string{"auto", "always", "never"}))
			}
			if a.messages != "text" && a.messages != "json" {
				return usagef(c, "--messages=%s: expected text or json", a.messages)
			}
			for _, name := range without {
				if known := rules.Names(); !slices.Contains(known, name) {
					return usagef(c, "--without-rule=%s: internal/base/rules/list.go lists the rules%s", name, didYouMean(name, known))
				}
			}
			rules.Switch(without...)
			return nil
		},
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetHelpCommand(helpCommand(root))
	root.PersistentFlags().StringVar(&a.color, "color", "auto", "colour messages: auto, always or never (NO_COLOR is honoured)")
	root.PersistentFlags().StringVar(&a.messages, "messages", "text", "format of messages: text, or json (one object per line)")
	root.PersistentFlags().StringSliceVar(&without, "without-rule", nil, "switch off special rules of the passes, the analyses and the checker")
	root.PersistentFlags().Lookup("without-rule").Hidden = true
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return &usageError{msg: err.Error() + nearestFlag(c, err.Error()), verb: c.CommandPath()}
	})
	root.AddCommand(a.compileCommand(), a.runCommand(), a.optCommand(), a.checkCommand(), a.fmtCommand(), a.lspCommand(), a.importCommand(),
		a.testCommand(), a.analyzeCommand(), a.explainCommand(), a.fuzzCommand(), a.fuzzWorkerCommand(), a.reduceCommand(), a.bisectCommand(), a.benchCommand(), a.tuneCommand(), a.replayCommand(), a.passesCommand(), a.devicesCommand(), a.valueCommand(), a.schemaCommand(), a.versionCommand())
	addCompletions(root)
	return root
}

// A usageError is a wrong call: exit code 2.
type usageError struct{ msg, verb string }

func (e *usageError) Error() string { return e.msg }

func usagef(c *cobra.Command, format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...), c.CommandPath()}
}

// someFiles is the argument rule of verbs that take one file or more.
func someFiles(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usagef(c, "expected at least one file (or - for standard input)")
	}
	return nil
}

// oneFile is the argument rule of verbs that take one file.
func oneFile(c *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usagef(c, "expected one file (or - for standard input), got %d", len(args))
	}
	return nil
}

// nearestFlag completes "unknown flag: --x" with the nearest known one.
func nearestFlag(c *cobra.Command, msg string) string {
	i := strings.Index(msg, "unknown flag: --")
	if i < 0 {
		return ""
	}
	name := msg[i+len("unknown flag: --"):]
	var known []string
	for _, line := range strings.Split(c.Flags().FlagUsages(), "\n") {
		if k := strings.Index(line, "--"); k >= 0 {
			known = append(known, strings.FieldsFunc(line[k+2:], func(r rune) bool { return r == ' ' || r == '[' || r == '=' })[0])
		}
	}
	if near := diag.Nearest(name, known); near != "" {
		return fmt.Sprintf(" (did you mean --%s?)", near)
	}
	return ""
}

// report prints an error and gives the exit code.
func (a *app) report(err error) int {
	var list *diag.List
	var one *diag.Diagnostic
	var usage *usageError
	var silent exitCode
	switch {
	case err == nil:
		return diag.ExitOK
	case errors.As(err, &silent):
		return int(silent)
	case errors.As(err, &list):
		a.show(list)
		return a.bugHint(diag.ExitCode(list))
	case errors.As(err, &one):
		a.say(one)
		return a.bugHint(diag.ExitCode(one))
	case errors.As(err, &usage):
		a.fail(usage.msg, "see: "+usage.verb+" --help")
		return diag.ExitUsage
	case strings.HasPrefix(err.Error(), "unknown command"): // cobra's, with its suggestions
		msg, hint, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
		a.fail(msg, strings.TrimSpace(hint))
		return diag.ExitUsage
	}
	a.failAs(driver.CodeOf(err), err.Error(), "")
	return diag.ExitInput
}

// fail prints an error that has no place in a file, and no code.
func (a *app) fail(msg, hint string) { a.failAs("", msg, hint) }

// failAs prints an error that has no place in a file.
func (a *app) failAs(code diag.Code, msg, hint string) {
	if a.messages == "json" {
		a.say(&diag.Diagnostic{Severity: diag.Error, Code: code, Msg: msg, Hint: hint})
		return
	}
	kind := ""
	if code != "" {
		kind = "error[" + string(code) + "]: "
	}
	fmt.Fprintf(a.stderr, "memc: %s%s\n", kind, diag.Printable(msg))
	if hint != "" {
		fmt.Fprintln(a.stderr, hint)
	}
}

// show writes what was found in a file to standard error, in order; as text only
// the first of it.
func (a *app) show(list *diag.List) {
	if a.messages != "json" {
		list.Render(a.stderr, a.colored())
		return
	}
	list.Sort()
	a.say(list.All...)
}

// say writes diagnostics to standard error.
func (a *app) say(ds ...*diag.Diagnostic) {
	for _, d := range ds {
		if a.messages != "json" {
			d.Render(a.stderr, a.colored())
		} else if err := d.WriteJSON(a.stderr); err != nil {
			return // there is nowhere left to say so
		}
	}
}

// doubt writes what is not proven. The command goes on, and ends with the code of a limitation.
func (a *app) doubt(unproven []*diag.Diagnostic) {
	a.say(unproven...)
	a.unproven = a.unproven || len(unproven) > 0
}

// doubted ends a command that has done its work, but that could not prove it right.
func (a *app) doubted() int {
	a.say(&diag.Diagnostic{
		Severity: diag.Limitation, Msg: "--verify: not proven right, and not known to be wrong",
		Hint: "memc run --device=interp-memory checks every access of a run",
	})
	return diag.ExitLimitation
}

// codedf returns an error with a code, but without a place in a program.
func codedf(code diag.Code, format string, args ...any) error {
	return &diag.Coded{Code: code, Err: fmt.Errorf(format, args...)}
}

func (a *app) bugHint(code int) int {
	if code == diag.ExitBug && a.messages != "json" {
		fmt.Fprintln(a.stderr, "memc: this is a bug in memc; please report the program and the command")
	}
	return code
}

// exitCode is an error that was reported already.
type exitCode int

func (e exitCode) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// colored reports whether messages are coloured.
func (a *app) colored() bool {
	switch a.color {
	case "always":
		return true
	case "never":
		return false
	}
	return os.Getenv("NO_COLOR") == "" && isTerminal(a.stderr)
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	st, err := f.Stat()
	if err != nil || st.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull) // </dev/null has the name /dev/stdin
	return err != nil || !os.SameFile(st, null)
}

// helpCommand is memc help VERB; a verb that is not known is wrong usage.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "help [VERB]...",
		Short:   "show help for a command",
		Example: "  memc help run",
		RunE: func(c *cobra.Command, args []string) error {
			verb, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				var known []string
				for _, v := range verb.Commands() {
					if v.IsAvailableCommand() {
						known = append(known, v.Name())
					}
				}
				return usagef(root, "help: there is no verb %q%s", strings.Join(args, " "), didYouMean(args[len(args)-1], known))
			}
			return verb.Help()
		},
	}
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "print the versions of memc and of the language",
		Example: "  memc version",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.stdout, release.Line(ir.Version))
			return err
		},
	}
}
