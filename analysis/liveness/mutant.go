package liveness

// LoopsRunOnce is a bug that tests plant: no iteration of a loop, and no thread of a
// kernel, follows another. internal/fuzz/difftest/mutants.md says which checks find it.
const LoopsRunOnce = "loops run once"

var planted string

// Plant plants a bug until undo is called.
func Plant(bug string) (undo func()) {
	planted = bug
	return func() { planted = "" }
}
