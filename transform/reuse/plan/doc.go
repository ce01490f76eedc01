// Package plan chooses which memory blocks share storage: a partition of blocks into groups, each
// of which becomes one block as large as its largest member. It knows no program, only a Problem:
// points, regions, blocks with sizes, and pairs that may not share.
//
//	p := &plan.Problem{Regions: ..., Blocks: ..., Conflicts: ...}
//	for _, g := range plan.Solve(p).Groups { ... g.Members share g.Leader's block }
//
// # The objective
//
// Lexicographic: the peak, then the bytes of all blocks together, then their number. A group's
// block is held from its allocation to the last use of its last member, including gaps, as the
// runtime holds it. The peak is the greatest sum of blocks held at one point. Sizes are symbolic,
// so these numbers are taken under sampled values (Block.Sample) and added up.
//
// # The rule
//
// The peak never rises, for any sizes (Note [Dominance] in dominance.go). The planner proves this
// for every plan. It rejects a plan that saves bytes under every sample but could raise the peak of
// some run.
//
// # Algorithms
//
// Sharing is colouring a graph with weights, where a colour costs its largest member: NP-hard even
// for intervals. Branch and bound solves small problems exactly (exact.go). For others, the planner
// builds groups greedily, and puts each block into the group that is free for the shortest time
// (greedy.go): once in the order in which blocks are made, and once with large blocks first
// ("Greedy by Size" of Pisarchyk and Lee, Efficient Memory Management for Deep Neural Net
// Inference, 2020). It improves each result by joining groups (improve.go). For large problems an
// account keeps an upper bound of each sum, and looks only at those that rise (account.go), so the
// time is near-linear in blocks and conflicts. If there are too many different sizes for that, only
// blocks of one size share, and only without a gap between them. If there are too many conflicts to
// list, blocks share in the order of their lives: a group takes a block once its own lives have ended.
//
// For comparison there are linear scan, best fit, and bounds that no plan of whole blocks can beat (baseline.go).
//
// The package imports package held, and no package that knows programs.
package plan
