package machine

// Expand is what it takes a device to go on with a row for each match of a join. Costs are
// in the time in which its memory gives a byte, as those of Groups, but for those that say
// nanoseconds.
type Expand struct {
	WarpTurn   float64 // a turn of a warp that goes over the matches of its rows, among others
	BlockTurn  float64 // the same where a block waits for the row with the most
	TurnAlone  float64 // a turn that nothing else hides
	Staged     float64 // a row that waits for its matches to be dealt out
	Dealt      float64 // a match that is dealt out
	Alone      float64 // a match that a block deals out when the others have none left
	Counted    float64 // a row whose matches are counted before
	CountStart float64 // nanoseconds of counting, beside its rows
	Handed     float64 // share that it takes more to look for rows that are handed to other kernels
	ChildStart float64 // nanoseconds until launched kernels run
	// Matches for which it pays to choose a form by a sample of the rows.
	Sampled     float64
	SampledMost float64 // or of one key
	// Kernels that kernels launch: at most so many for each multiprocessor, each for so
	// many matches at least, in at most so many blocks for each multiprocessor.
	Children, ChildMatches, ChildBlocks int64
	Multiprocessors                     int64 // that costs are computed for
}

// defaultExpand is measured on one NVIDIA H200 (docs/measurements/2026-11-23-expand.md):
// a warp's turn of 128 rows takes 0.2 ns beside others, and 0.42 us alone; what deals matches
// out does 430 G a second beside 0.04 ns a row; a block alone does 0.8 G.
var defaultExpand = Expand{
	WarpTurn: 550, BlockTurn: 10000, TurnAlone: 1.16e6, Staged: 110, Dealt: 6.4, Alone: 3450, Counted: 5, CountStart: 60e3,
	Handed: 0.15, ChildStart: 30e3, Sampled: 1 << 24, SampledMost: 1 << 16, Children: 4, ChildMatches: 1 << 16, ChildBlocks: 8, Multiprocessors: 132,
}
