// Package plan chooses which memory blocks share storage: a partition of blocks
// into groups, each of which becomes one block as large as its largest member.
// It knows no program, only a Problem: points, regions, blocks with sizes, and
// who may not share with whom.
//
// # The objective
//
// Lexicographic: the peak, then the bytes of all blocks together, then their
// number. A group's block is held from where it is allocated to where its last
// member is used last, gaps included, as the runtime holds it; the peak is the
// greatest sum over what is held at one point. Sizes are symbolic, so these
// numbers are taken under sampled values (Block.Sample) and added up.
//
// # The rule
//
// The peak never rises, for any sizes (Note [Dominance] in dominance.go). What is
// not proven is not done: a plan that saves bytes under every sample, but could
// raise the peak of some run, is never given.
//
// # Algorithms
//
// Sharing is colouring a graph with weights, where a colour costs its largest
// member: NP-hard even for intervals. Small problems are solved exactly by
// branch and bound (exact.go). Others are built greedily, largest blocks first,
// each into the fullest group that takes it (greedy.go; "Greedy by Size" of
// Pisarchyk and Lee, Efficient Memory Management for Deep Neural Net Inference,
// 2020), in several orders, and improved by moving blocks (improve.go). Large
// ones keep the sums in a tree (tree.go), so that all is near-linear in blocks
// and conflicts; with too many different sizes for that, only blocks of one size
// share that follow one another. Where conflicts are too many to be listed, blocks
// share in the order of their lives (scan.go).
//
// To compare with, there are linear scan, best fit, and bounds that no plan can beat
// (baseline.go).
//
//	p := &plan.Problem{Regions: ..., Blocks: ..., Conflicts: ...}
//	for _, g := range plan.Solve(p).Groups { ... g.Members share g.Leader's block }
//
// The package imports package held, and nothing that knows programs.
package plan
