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

// defaultExpand follows from a model of the forms on one NVIDIA H200, in which loops add
// up 265 to 603 G matches a second and blocks that deal them out 350 to 548.
var defaultExpand = Expand{
	Looped: 5, LoopedTogether: 12, Staged: 8, Dealt: 3.5,
	Handed: 0.05, Children: 4, ChildMatches: 1 << 16, ChildBlocks: 8,
}
