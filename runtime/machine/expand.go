package machine

// Expand is what it takes a device to go on with a row for each match of a join. Costs are
// in the time in which its memory gives a byte, as those of Groups.
type Expand struct {
	Looped         float64 // a match, where the threads of a warp wait for the row with the most
	LoopedTogether float64 // the same, where those of a block do
	Staged         float64 // a row that waits for its matches to be dealt out
	Dealt          float64 // a match that is dealt out
	Counted        float64 // a row whose matches are counted before
	Handed         float64 // share that it takes more to look for rows that are handed to other kernels
	// Kernels that kernels launch: at most so many for each multiprocessor, each for so
	// many matches at least, in at most so many blocks for each multiprocessor.
	Children, ChildMatches, ChildBlocks int64
}

// defaultExpand is measured on one NVIDIA H200 (docs/measurements/2026-11-23-expand.md):
// loops add up 220 to 320 G matches a second, 70 where a block waits, and what deals matches
// out does 2 T a second beside 0.15 ns a row. That would have dealing out pay from some 40
// matches a row on. But a loop waits for the row with the most, which the mean says nothing
// about: there it took up to seven times as long. So a row counts for a fifth, and dealing
// out begins at nine matches.
var defaultExpand = Expand{
	Looped: 17, LoopedTogether: 60, Staged: 130, Dealt: 2, Counted: 10,
	Handed: 0.05, Children: 4, ChildMatches: 1 << 16, ChildBlocks: 8,
}
