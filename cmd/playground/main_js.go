package main

import "syscall/js"

// main gives the page's worker one function: memc takes a request and gives its answer, both as JSON.
func main() {
	js.Global().Set("memc", js.FuncOf(func(_ js.Value, args []js.Value) any { return reply(args[0].String()) }))
	js.Global().Call("ready")
	select {} // the page calls memc
}
