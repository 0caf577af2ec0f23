package machine

import "math"

// Parts says how often a kernel has what its registers depend on: what its operators do, and what
// a thread holds between them. In Registers the same fields say how many registers one takes.
type Parts struct {
	Kernel   float64 `json:"kernel"`             // 1: position, tile, and the addresses of columns
	Words    float64 `json:"words,omitempty"`    // 32-bit words of a row that a thread holds at one time, at most
	Filter   float64 `json:"filter,omitempty"`   // a condition
	Item     float64 `json:"item,omitempty"`     // an operation of an expression
	Probe    float64 `json:"probe,omitempty"`    // a look-up in a hash table
	Merge    float64 `json:"merge,omitempty"`    // a join with a table in the order of its key
	Build    float64 `json:"build,omitempty"`    // a hash table that is made
	Key      float64 `json:"key,omitempty"`      // a word of the keys by which rows are grouped
	Sum      float64 `json:"sum,omitempty"`      // an accumulator of groups
	Total    float64 `json:"total,omitempty"`    // an accumulator of all rows, which each thread has
	Sort     float64 `json:"sort,omitempty"`     // rows that are put in order, by windows too
	Stage    float64 `json:"stage,omitempty"`    // another operator, sources included
	Groups   float64 `json:"groups,omitempty"`   // groups that are read from their cells
	Division float64 `json:"division,omitempty"` // an operator that divides exact numbers
	Written  float64 `json:"written,omitempty"`  // a word of a row that is written
}

// numParts is how many parts there are.
const numParts = 15

// fields are those of p, in one order.
func (p *Parts) fields() [numParts]*float64 {
	return [...]*float64{
		&p.Kernel, &p.Words, &p.Filter, &p.Item, &p.Probe, &p.Merge, &p.Build, &p.Key, &p.Sum, &p.Total, &p.Sort, &p.Stage, &p.Groups, &p.Division, &p.Written,
	}
}

// Plus returns the parts of both.
func (p Parts) Plus(q Parts) Parts {
	other := q.fields()
	for i, f := range p.fields() {
		*f += *other[i]
	}
	return p
}

// Registers are those that a compiler assigns to the threads of a kernel, and those of a multiprocessor.
type Registers struct {
	Each     Parts   // registers of a thread for one of each
	Most     int64   // of a thread: what is more is spilled to memory
	Least    int64   // of a thread
	File     int64   // of a multiprocessor
	Unit     int64   // of a warp: it is given a multiple of them
	Threads  int64   // of a multiprocessor, at most
	Resident float64 // share of these threads that a kernel needs to wait for nothing but the memory
}

// Of returns how many registers a thread of a kernel is likely to need, those that it would spill
// included.
func (r *Registers) Of(p *Parts) int {
	sum, each := 0.0, r.Each.fields()
	for i, n := range p.fields() {
		sum += *n * *each[i]
	}
	return max(int(math.Round(sum)), int(r.Least))
}

// Occupancy returns the share of a multiprocessor's threads that are resident where each has so many
// registers, in blocks of so many threads, of which one always fits.
func (r *Registers) Occupancy(registers, threads int) float64 {
	const lanes = 32
	perWarp := (min(int64(registers), r.Most)*lanes + r.Unit - 1) / r.Unit * r.Unit
	warps := r.File / max(perWarp, r.Unit)
	blocks := max(min(warps/int64(threads/lanes), r.Threads/int64(threads)), 1)
	return float64(blocks*int64(threads)) / float64(r.Threads)
}

// Spills reports whether a thread of blocks of so many threads has as many registers as it may have: what
// it keeps in local memory is what there was no room for. Other kernels keep arrays there.
func (r *Registers) Spills(registers, threads int) bool {
	const step = 8 // registers are given in steps
	return int64(registers)+step > min(r.Most+1, r.File/int64(max(threads, 1)))
}

// defaultRegisters: Each is fitted to what NVRTC 12.4 gives the kernels of SSB and TPC-H for sm_90
// (docs/measurements/2026-11-23-registers.md); File to Threads are those of every multiprocessor from compute
// capability 7.0 to 9.0; Resident is an assumption.
var defaultRegisters = Registers{
	Each: Parts{Kernel: 26.6, Words: 1.4, Filter: 0.2, Item: 0.4, Probe: 3.1, Merge: 9.5, Build: 0.5, Key: 1, Sum: 0.2, Total: 1.4, Sort: 31, Stage: 0.9, Groups: 3.7, Division: 32.5, Written: 0.9},
	Most: 255, Least: 16, File: 64 << 10, Unit: 256, Threads: 2048, Resident: 0.25,
}
