package arena

// Bugs that tests plant; internal/fuzz/difftest/mutants.md says which checks find them.
const (
	// Threads of two maps over equal index spaces touch only their own elements.
	NeighboursAreOne = "neighbours are one thread"
	// What the group reads to choose a branch may change meanwhile: threads of one group may
	// go different ways.
	BranchesDiffer = "branches differ within a group"
)

var planted string

// Plant plants a bug until undo is called.
func Plant(bug string) (undo func()) {
	planted = bug
	return func() { planted = "" }
}
