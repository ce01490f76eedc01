// Command memc is a back-end compiler for array programs in the
// EXPLICITMEMORY IR. This package holds flags, files and exit codes, one file
// per verb, and no algorithm.
package main

import (
	"io"
	"os"

	"github.com/memc-lang/memc/internal/base/hostmem"
)

func main() {
	hostmem.Soften()
	hostmem.AddInput(os.Stdin)
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is main with its streams as parameters, for tests.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out := &checkedWriter{Writer: stdout}
	a := &app{stdin: stdin, stdout: out, stderr: stderr}
	root := a.rootCommand()
	for i, arg := range args { // an error in another flag comes before this one is read
		if arg == "--messages=json" || arg == "json" && i > 0 && args[i-1] == "--messages" {
			a.messages = "json"
		}
	}
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(out)
	root.SetErr(stderr)
	err := root.Execute()
	a.watch.write(stderr)
	if err == nil {
		err = out.err
	}
	if err == nil && a.unproven {
		return a.doubted()
	}
	return a.report(err)
}
