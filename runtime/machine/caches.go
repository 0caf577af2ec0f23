package machine

// Caches is how large the working sets of a core may be.
type Caches struct {
	DenseBytes   int // of the arrays of dense groups, before rows are partitioned
	TableBytes   int // of a worker's hash table with its groups' accumulators, likewise
	SparseGroups int // groups that such a table may have in any case, and from where on the rows so far show whether it will grow too large
	SerialGroups int // groups that are merged on one core: beyond, merging in parallel pays
	MergedGroups int // groups of a partition of those that are merged in parallel, about
	FewCells     int // of an array by keys that the nearest cache holds, a byte each
	PayloadBytes int // of the columns of a join's table, from where on its rows lie side by side
	SortedRows   int // of a range of rows that a core sorts, at least

	VectorRows    int // of a vector, all columns of which the nearest cache holds
	MorselVectors int // that a core takes of a table at a time
}

// defaultCaches are shares of 1 MiB of second-level and 16 MiB of last cache, of which
// several cores work at the same time, on a server of 2026
// (docs/measurements/2026-11-21-tpch.md).
var defaultCaches = Caches{
	DenseBytes: 6 << 19, TableBytes: 9 << 19, SparseGroups: 1 << 15, SerialGroups: 1 << 14, MergedGroups: 1 << 12,
	FewCells: 1 << 15, PayloadBytes: 32 << 20, SortedRows: 1 << 15, VectorRows: 1 << 10, MorselVectors: 16,
}
