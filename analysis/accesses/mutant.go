package accesses

// ScalarsAreSizes is a bug that tests plant; docs/testing.md says which checks find it.
const ScalarsAreSizes = "a scalar parameter is a size"

var planted string

// Plant plants a bug until undo is called.
func Plant(bug string) (undo func()) {
	planted = bug
	return func() { planted = "" }
}
