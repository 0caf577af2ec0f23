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
	ThreadTurn, SlotTurn, CellTurn, SoughtTurn float64

	WarpTurn  float64 // a turn of a warp that goes over the matches of its rows, among others
	BlockTurn float64 // the same where a block waits for the row with the most
	Apart     float64 // a match that a lane reads far from the one beside it
	Same      float64 // a match that a lane adds to the group of the one beside it, where groups have one slot
	NearBytes float64 // of the matches of a table that a multiprocessor's first cache holds
	NearLarge float64 // the same beside a large block
	Staged    float64 // a row that waits for its matches to be dealt out
	Dealt     float64 // a match that is dealt out
	Counted   float64 // a row whose matches are counted before
	Underway  float64 // matches that a block deals out in a turn
	Handed    float64 // share that it takes more to look for rows that are handed to other kernels
	Sampled   float64 // nanoseconds that may be saved where a sample of the rows pays
	// Doubt is how many times as long as it is likely to take, or as short, a form may take in the end,
	// and Tried how many nanoseconds it may have to save to be tried.
	Doubt, Tried float64
	// A row that is added to a slot, or to a cell in global memory; and what it takes to find one.
	SlotAdd, CellAdd, Sought float64
	// Nanoseconds for each kernel that a kernel launches.
	Launched float64
	// Kernels that kernels launch: at most so many for each multiprocessor, each for so
	// many matches at least, in at most so many blocks for each multiprocessor.
	Children, ChildMatches, ChildBlocks int64
	Multiprocessors                     int64 // that costs are computed for
}

// defaultExpand was fitted to 453 random cubes in all forms on one NVIDIA H200
// (docs/measurements/2026-11-23-choice.md).
var defaultExpand = Expand{
	LoopStart: 5.21e3, BlockStart: 8.45e3, CountStart: 23.8e3, ChildStart: 9.64e3, LargeStart: 21.3e3,
	ThreadTurn: 570, SlotTurn: 407, CellTurn: 747, SoughtTurn: 2.2e3,
	WarpTurn: 346, BlockTurn: 4907, Apart: 14.5, Same: 3.52, NearBytes: 128 << 10, NearLarge: 24 << 10,
	Staged: 36.1, Dealt: 4.87, Counted: 89.3, Underway: 555, Handed: 0.234, Sampled: 30e3, Doubt: 2, Tried: 2e3,
	SlotAdd: 2.6, CellAdd: 25, Sought: 17.6,
	Launched: 187, Children: 4, ChildMatches: 1 << 16, ChildBlocks: 8, Multiprocessors: 132,
}
