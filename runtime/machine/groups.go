package machine

// Groups is what the accumulation of groups takes on a device. Costs are in the time in
// which its memory gives a byte, so that they hold for devices with other bandwidths.
type Groups struct {
	ThreadBytes  int64 // shared memory of a block for accumulators of its threads, at most
	SlotBytes    int64 // shared memory of a block for slots that several cells share, or for replicas
	ReplicaBytes int64 // the same for replicas alone, where rows take hardly any registers
	ProbingBytes int64 // that of slots where the kernel looks rows up in hash tables, which the cache is to hold
	BlockBytes   int64 // shared memory of a block of the usual size with a slot for every cell, at most
	WideBytes    int64 // the same of a block that has a multiprocessor for itself
	SpareBytes   int64 // shared memory that such a block leaves to the kernel
	WideRows     int64 // rows of a large block that pay for clearing and adding up its slots
	CacheBytes   int64 // of the cache before the memory
	OwnTables    int64 // of threads in global memory, one for each that is launched
	OwnBytes     int64 // of all of them, at most
	TableBytes   int64 // of a table with a place for every value of the keys, at most
	PartBytes    int64 // shared memory of a block for the slots of a part of the keys
	LastCells    int64 // cells of which the last block of a launch writes the groups, at most
	PartRows     int64 // rows of a part that one block groups, at most

	ThreadAdd  int64 // to an accumulator of the thread
	SlotAdd    int64 // to a slot, an atomic operation in shared memory
	SlotSought int64 // of a row whose slot is sought among those that cells or keys own
	SlotPassed int64 // of a row that has none of them, beside its addition to global memory
	SlotPaged  int64 // of a row whose slot is sought by the page of its cell
	Atomic     int64 // an atomic operation that finds its cell in the cache
	Missed     int64 // one that does not
	SameCell   int64 // one that waits for the others of its cell, where all rows have one
	Pass       int64 // of a row that is gone over again, beside its bytes and instructions
	Dealt      int64 // of a row that is written to the part of its key, beside its bytes
	Parted     int64 // of a row that is grouped in shared memory among those of its part, beside its bytes
	RunTile    int64 // of a tile whose runs are numbered, beside its rows

	// Of each of a warp's rows, where its lanes are joined.
	Vote     float64 // a ballot
	Shuffle  float64 // a word from one lane to another
	Exchange float64 // the same through shared memory
	Match    float64 // finding the lanes with the same word

	// What an addition in global memory takes longer for those to the same cell, to compare numbers of
	// replicas: of one cell, falling with their number, and at most.
	Meeting, Met float64
	Compact      float64 // nanoseconds to start adding replicas up
}

// defaultGroups were measured on one NVIDIA H200 (docs/measurements/2026-11-21-h200.md);
// SameCell follows from one atomic operation a clock at an address, and SlotSought from
// 30 M rows with 16 scattered keys: beside what reading and adding take there is 6 a row; of
// 16,384 uniform keys, of which few have slots, no more than 1 is left of it, and of as many skewed
// ones slots take a third of the time (docs/measurements/2026-11-23-sums.md). Meeting and Met follow from
// 37 random cubes with 1 to 1024 replicas of their targets (docs/measurements/2026-11-23-choice.md).
// ReplicaBytes is what recorded spaces of 8 to 4096 groups leave (docs/measurements/2026-11-24-tuning.md).
// Dealt and Parted follow from the kernels over 30 M rows of 4.2 M groups, and PartBytes from models of them
// (docs/measurements/2026-11-24-groups.md); PartRows is an assumption: as many as take some 0.1 ms.
// LastCells is an assumption: four cells for each thread of a large block, which take about as long as a launch.
// OwnTables and OwnBytes are assumptions: a block of 256 threads for each of about 128 multiprocessors.
var defaultGroups = Groups{
	ThreadBytes: 48 << 10, SlotBytes: 24 << 10, ReplicaBytes: 8 << 10, ProbingBytes: 12 << 10, BlockBytes: 48 << 10, WideBytes: 224 << 10,
	SpareBytes: 3 << 10, WideRows: 16 << 10, CacheBytes: 50 << 20, OwnTables: 32 << 10, OwnBytes: 256 << 20, TableBytes: 2 << 30, PartBytes: 72 << 10, LastCells: 4 << 10,
	ThreadAdd: 1, SlotAdd: 4, SlotSought: 6, SlotPassed: 1, SlotPaged: 1, Atomic: 36, Missed: 128, SameCell: 1000, Pass: 4, Dealt: 22, Parted: 50, PartRows: 16 << 10, RunTile: 8000,
	Vote: 0.25, Shuffle: 0.25, Exchange: 1, Match: 1.5, Meeting: 8270, Met: 590, Compact: 10000,
}

// Sized returns the figures with sizes of memory in proportion to what a device reports: the shared
// memory that a block can have and its cache, in bytes; 0 keeps what is there.
func (g Groups) Sized(shared, cache int64) Groups {
	if cache > 0 {
		g.CacheBytes = cache
	}
	standard := defaultGroups
	if whole := standard.WideBytes + standard.SpareBytes; shared > standard.SpareBytes {
		of := func(bytes int64) int64 { return max(bytes*shared/whole>>10, 1) << 10 }
		g.ThreadBytes, g.BlockBytes, g.PartBytes = of(standard.ThreadBytes), of(standard.BlockBytes), of(standard.PartBytes)
		g.SlotBytes, g.ReplicaBytes, g.ProbingBytes = of(standard.SlotBytes), of(standard.ReplicaBytes), of(standard.ProbingBytes)
		g.WideBytes, g.SpareBytes = shared-standard.SpareBytes, standard.SpareBytes
	}
	return g
}
