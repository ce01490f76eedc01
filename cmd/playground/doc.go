// Command playground is memc in a browser: one page that checks, explains, runs and compiles programs, and loads
// nothing.
//
// Built for js/wasm (main_js.go), it is the compiler in the page's worker. Built for any other system (page.go), it
// writes the page: it builds the compiler for the browser, and puts it into the page with the examples.
//
//	go run ./cmd/playground -o out/playground/index.html     (make playground)
//
// answer.go is between both: requests and answers as JSON, without a browser. Everything that it shows comes from the
// stages of the compiler and from `memc explain`; the page draws nothing of its own.
package main
