package machine

// Filters is what looking keys up takes on a device. Costs are in the time in which its memory
// gives a byte, as those of Groups.
type Filters struct {
	Test    float64 // of a key in shared memory
	Lookups [6]Lookup
	Start   float64 // nanoseconds until a block has copied the first of it, or has gone on with rows that wait at its end
	Load    float64 // a byte that each multiprocessor copies into its shared memory
	Bits    float64 // of a filter for each key of the table, where it has no bit for each value
	MinBits float64 // the least that are worth their room
	// Of a kernel whose rows are packed: what a row takes for each thing that is loaded behind the
	// probe, where the row is not left and its warp waits for others; what it takes to have one wait
	// that is left, and to load what it needs alone; and what it takes to see whether it is left.
	Idle, Packed, Vote float64
	// Of a branch of a kernel with several: what a row of the source takes where the threads go on with all that
	// they hold, and what a row takes that is left and listed.
	Spread, Listed float64
	// How many things a row loads, one after the other, that is merged, and that is put into a hash table.
	Merge, Insert float64
	// Blocks of more threads than this share a multiprocessor with no other.
	Resident int64
	// Near is what a multiprocessor has of first cache and shared memory together.
	Near int64
}

// Lookup is what looking a key up takes in a table of up to so many bytes.
type Lookup struct{ Bytes, Cost float64 }

// Lookup returns what looking a key up takes in a table of so many bytes.
func (f *Filters) Lookup(bytes float64) float64 {
	for _, l := range f.Lookups {
		if bytes <= l.Bytes {
			return l.Cost
		}
	}
	return f.Lookups[len(f.Lookups)-1].Cost
}

// Crowded returns what looking a key up takes in a table of so many bytes where blocks take so much
// of a multiprocessor's shared memory: columns that are read drive a table out of a first cache that is
// not twice as large, as they do with one that fills it.
func (f *Filters) Crowded(bytes float64, shared int64) float64 {
	if bytes <= float64(f.Near) && 2*bytes > float64(f.Near-shared) {
		return max(f.Lookup(bytes), f.Lookup(float64(f.Near)))
	}
	return f.Lookup(bytes)
}

// defaultFilters are from one NVIDIA H200: random look-ups of four bytes by the size of the
// table (1050 G/s of 4 KiB, 693 of 64 KiB, 329 of 256 KiB, 148 of 16 MiB, 74 of 64 MiB, 47 of
// 256 MiB), a probe of a bitmap through the first cache, which gives a line a turn (261 G/s), and
// of one in shared memory, as which tables of up to 64 KiB are taken to be looked up in the first cache, which takes 3 to 4 turns a warp; Load is what 132 copies out of the
// second cache take at twice the memory's rate, and Start what two trips there and a barrier do. Idle and Packed are lines through five ways of one query over
// 600 M rows, of which 4, 20 and 50 % are left, with bitmaps in shared memory: 2.16, 2.87 and 3.63 ms where rows
// stay, 1.39, 2.59 and 4.53 where they are packed. That tables are driven out shows SSB Q4.1 at scale 100: a
// filter of 175 KB before its third probe took 8.4 ms where 3.1 were taken without it
// (docs/measurements/2026-11-23-scale100.md). Merge and Insert are what TPC-H Q12 and Q14 at scale 10 take
// where their rows stay, in units of Idle: 0.2 ms more than their columns for 60 M rows of which 0.8 % are merged, and
// 0.25 ms more where 1 % of them are put into a table than where they are written. Spread and Listed are lines through
// what two branches over 67 M rows take that keep 10, 50 and 70 % each: 0.418, 0.437 and 0.445 ms where rows stay, 0.277,
// 0.427 and 0.518 where they are packed (docs/measurements/2026-11-30-branches.md).
var defaultFilters = Filters{
	Test: 2, Start: 2e3, Load: 0.5, Bits: 16, MinBits: 6, Resident: 1024, Idle: 0.7, Packed: 17, Vote: 0.1, Spread: 3.7, Listed: 7, Merge: 14, Insert: 17, Near: 256 << 10,
	Lookups: [6]Lookup{{4 << 10, 2}, {64 << 10, 2}, {256 << 10, 11}, {50 << 20, 19}, {128 << 20, 39}, {1 << 60, 62}},
}
