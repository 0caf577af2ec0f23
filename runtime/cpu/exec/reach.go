package exec

import (
	"math"
	"sync/atomic"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// Reach is the interval of a column of the source whose rows may still be wanted. A sink that keeps
// the first rows of an order narrows it while the source is read. Any goroutine may use it.
type Reach struct {
	Val     kernel.ValueID
	Ordinal int  // of the column in the relation that is read
	Nulls   bool // NULL may be wanted, too
	lo, hi  atomic.Int64
}

// NewReach returns the reach of a column of which all rows are wanted.
func NewReach(col kernel.SourceCol, nulls bool) *Reach {
	r := &Reach{Val: col.Dst, Ordinal: col.Ordinal, Nulls: nulls}
	r.lo.Store(math.MinInt64)
	r.hi.Store(math.MaxInt64)
	return r
}

// Narrow leaves those values of the reach that lie in lo … hi.
func (r *Reach) Narrow(lo, hi int64) {
	for had := r.lo.Load(); lo > had && !r.lo.CompareAndSwap(had, lo); had = r.lo.Load() {
	}
	for had := r.hi.Load(); hi < had && !r.hi.CompareAndSwap(had, hi); had = r.hi.Load() {
	}
}

// Interval is what is left of it, and whether that is less than everything.
func (r *Reach) Interval() (lo, hi int64, narrowed bool) {
	lo, hi = r.lo.Load(), r.hi.Load()
	return lo, hi, lo > math.MinInt64 || hi < math.MaxInt64
}
