package places

// Bugs that tests plant; internal/fuzz/difftest/mutants.md says which checks find them.
const (
	WrappedAreIntegers   = "values that wrap are integers"
	PositionsAreIntegers = "positions that wrap are integers"
)

var planted string

// Plant plants a bug until undo is called.
func Plant(bug string) (undo func()) {
	planted = bug
	return func() { planted = "" }
}
