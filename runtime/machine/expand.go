package machine

// Expand is what it takes a device to go on with a row for each match of a join. Costs are
// in the time in which its memory gives a byte, as those of Groups.
type Expand struct {
	Looped         float64 // a match, where the threads of a warp wait for the row with the most
	LoopedTogether float64 // the same, where those of a block do
	Staged         float64 // a row that waits for its matches to be dealt out
	Dealt          float64 // a match that is dealt out
	Handed         float64 // share that it takes more to look for rows that are handed to other kernels
	// Kernels that kernels launch: at most so many for each multiprocessor, each for so
	// many matches at least, in at most so many blocks for each multiprocessor.
	Children, ChildMatches, ChildBlocks int64
}

// defaultExpand is measured on one NVIDIA H200 (docs/measurements/2026-11-23-expand.md):
// loops add up 220 to 320 G matches a second, 70 where a block waits. What deals matches
// out takes 0.15 ns a row and does 2 T matches a second, so that it pays from some 40
// matches a row on.
var defaultExpand = Expand{
	Looped: 17, LoopedTogether: 60, Staged: 640, Dealt: 2,
	Handed: 0.05, Children: 4, ChildMatches: 1 << 16, ChildBlocks: 8,
}
