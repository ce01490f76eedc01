package arena

// NeighboursAreOne is a bug that tests plant: threads of two maps over equal index spaces
// touch only their own elements. docs/testing.md has what finds it.
const NeighboursAreOne = "neighbours are one thread"

var planted string

// Plant plants a bug until undo is called.
func Plant(bug string) (undo func()) {
	planted = bug
	return func() { planted = "" }
}
