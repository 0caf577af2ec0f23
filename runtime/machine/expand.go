package machine

// Expand is what it takes a device to go on with a row for each match of a join, beside adding
// the rows that come of it. Starts and the latencies of turns are in nanoseconds, other
// costs in the time in which its memory gives a byte, as those of Groups.
type Expand struct {
	// What a kernel takes that has nearly nothing to do: of a loop, where a block deals out
	// matches, where they are counted before, where kernels may be launched; and beside these
	// where a large block empties its slots.
	LoopStart, BlockStart, CountStart, ChildStart, LargeStart float64
	// Turns that nothing else hides: a match is read and added to an accumulator of the
	// thread, a slot in shared memory, a cell in the cache, one that is sought in a table.
	PrivateTurn, SlotTurn, CellTurn, SoughtTurn float64

	WarpTurn  float64 // a turn of a warp that goes over the matches of its rows, among others
	BlockTurn float64 // the same where a block waits for the row with the most
	Apart     float64 // a match that a lane reads far from the one beside it
	NearRows  float64 // of a table up to which no match is far
	Staged    float64 // a row that waits for its matches to be dealt out
	Counted   float64 // a row whose matches are counted before
	Underway  float64 // matches that a block deals out in a turn
	Handed    float64 // share that it takes more to look for rows that are handed to other kernels
	Sampled   float64 // nanoseconds that may be saved where a sample of the rows pays
	// A row that is added to a slot, or to a cell in global memory; and what it takes to find one.
	SlotAdd, CellAdd, Sought float64
	// Kernels that kernels launch: at most so many for each multiprocessor, each for so
	// many matches at least, in at most so many blocks for each multiprocessor.
	Children, ChildMatches, ChildBlocks int64
	Multiprocessors                     int64 // that costs are computed for
}

// defaultExpand was fitted to 111 random cubes in all forms on one NVIDIA H200
// (docs/measurements/2026-11-23-choice.md).
var defaultExpand = Expand{
	LoopStart: 4.9e3, BlockStart: 5.9e3, CountStart: 22e3, ChildStart: 12e3, LargeStart: 27e3,
	PrivateTurn: 590, SlotTurn: 440, CellTurn: 750, SoughtTurn: 1500,
	WarpTurn: 170, BlockTurn: 3200, Apart: 8.7, NearRows: 1 << 13, Staged: 22, Counted: 75, Underway: 570, Handed: 0.15, Sampled: 30e3,
	SlotAdd: 4.6, CellAdd: 19, Sought: 18,
	Children: 4, ChildMatches: 1 << 16, ChildBlocks: 8, Multiprocessors: 132,
}
