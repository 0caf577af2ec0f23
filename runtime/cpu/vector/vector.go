// Package vector holds the rows that pass between the steps of a kernel on the CPU: vectors
// of about a thousand values that stay in the cache, batches of them, and views, which
// read a batch's active rows as they lie.
package vector

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// DefaultRows is how many rows a vector holds where nothing else is said.
const DefaultRows = 1024

// Vector is a kernel value for the rows of one batch. Row i of a batch stands
// at index i of every vector, whether it is still active or not, so that a
// filter moves no data; only the slice of Type is in use.
//
// A vector that comes from a stored column starts out raw: Raw, Start and At
// say where its rows lie, and nothing is decoded until someone asks. Whoever
// can work on the stored form (comparison with a constant, group keys, sums)
// does. A raw vector of a column without NULLs and of one value may have
// encoding EncConst.
type Vector struct {
	Type  kernel.Type
	Const bool    // row 0 stands for all rows
	Null  []uint8 // 1 where NULL; nil: no row is. What the value slice holds there is unspecified.

	Vals values              // what the type is in memory
	Dict *runtime.Dictionary // for Code
	// Fleeting says that the next batch may take the memory of the texts: who keeps them copies them.
	Fleeting bool

	Raw   *runtime.Chunk // not yet decoded; nil: decoded
	Start int            // row i is row Start+i of Raw, where At is nil
	At    []int32        // row i is row At[i] of Raw (negative: NULL); defined for the active rows
	Seen  *bool          // for the metrics: set when stored values are read; may be nil
	Buf   *Vector        // memory to decode into
	Whole *Vector        // of all rows of Raw, for batches that read some of them in order again and again; nil: there is none
}

// Batch is the rows that go through a kernel's body together.
type Batch struct {
	Rows int       // rows in the vectors
	Sel  []int32   // the active rows in increasing order; nil: all
	Vals []*Vector // by kernel.ValueID; nil where not yet defined
}

// Active is the number of active rows.
func (b *Batch) Active() int {
	if b.Sel == nil {
		return b.Rows
	}
	return len(b.Sel)
}

// New makes a decoded vector with room for rows values.
func New(t kernel.Type, rows int) *Vector {
	return &Vector{Type: t, Vals: columnKinds[t].make(rows)}
}

// IsNull reports whether active row i of a decoded vector is NULL.
func (v *Vector) IsNull(i int) bool {
	if v.Null == nil {
		return false
	}
	if v.Const {
		i = 0
	}
	return v.Null[i] != 0
}

// B2u is 1 for true, without a branch.
func B2u(b bool) uint8 {
	var u uint8
	if b {
		u = 1
	}
	return u
}

// Of returns the values of a vector, whose type must be T in memory; nil where there
// are none.
func Of[T any](v *Vector) []T {
	if v.Vals == nil {
		return nil
	}
	return v.Vals.(*List[T]).At
}

// Set makes all the values of a vector, whose type must be T in memory.
func Set[T any](v *Vector, all []T) {
	if v.Vals == nil {
		v.Vals = &List[T]{all}
		return
	}
	v.Vals.(*List[T]).At = all
}

// Column is the column of a vector, made where there is none.
func (v *Vector) Column() values {
	if v.Vals == nil {
		v.Vals = columnKinds[v.Type].make(0)
	}
	return v.Vals
}

// Buffer is the memory that belongs to v.
func (v *Vector) Buffer() *Vector {
	if v.Buf == nil {
		v.Buf = &Vector{Type: v.Type}
	}
	return v.Buf
}

// Length is the number of rows of a vector that grows by appendRows.
func (v *Vector) Length() int { return v.Column().length() }

func B2i(b bool) int64 { return int64(B2u(b)) }

// Mask is what turns a row into an index of a vector's slice: nothing changes,
// or all rows of a constant become 0.
func (v *Vector) Mask() int {
	if v.Const {
		return 0
	}
	return -1
}
