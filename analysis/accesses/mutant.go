package accesses

// Bugs that tests plant; internal/fuzz/difftest/mutants.md says which checks find them.
const (
	ScalarsAreSizes    = "a scalar parameter is a size"
	ThreadsWriteTheirs = "a thread writes an accumulator at its own index"
)

var planted string

// Plant plants a bug until undo is called.
func Plant(bug string) (undo func()) {
	planted = bug
	return func() { planted = "" }
}
