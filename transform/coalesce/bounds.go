package coalesce

// Bounds of the search in a function.
const (
	maxSpent  = 1 << 20 // arrays looked at for webs, and 64 for each point
	maxRanges = 1 << 20 // live ranges of blocks that are looked at, and 64 for each point
)

// Bounds of the search for one candidate.
const (
	maxWeb     = 20000   // arrays that move together
	maxWork    = 1 << 10 // accesses that are held against the part
	maxOrigins = 16      // arrays made anew among those that move
	maxPairs   = 4096    // of arrays that come to lie in one place
)

// maxRounds bounds how often creations move up and all candidates are tried again. A chain of
// destinations within destinations takes a round each.
const maxRounds = 4

// maxMoving bounds the statements that move up for one candidate.
const maxMoving = 64

// maxPassed bounds the statements that they pass.
const maxPassed = 4096

// maxAttempts bounds the further attempts of each kind (Note [Alternatives]).
const maxAttempts = 2

// maxSweeps bounds how often candidates are tried that would hold more memory.
const maxSweeps = 3

// maxMakers bounds the statements that are looked at for an array.
const maxMakers = 16

// maxStands bounds the real blocks that are listed for a name. A name with more may be any block.
const maxStands = 32

// allowance is what a long function may spend besides.
func (s *state) allowance() int { return 64 * len(s.lv.Points) }
