package compile

import (
	"math"

	"github.com/cubeloom/cubeloom/runtime"
)

// domain is the set of integers for which a condition on a column is true: an
// interval, the integers outside of one, or a table.
type domain struct {
	lo, hi int64   // inclusive; lo > hi: nothing
	negate bool    // the integers outside of lo … hi
	table  []uint8 // not nil: those of lo … hi for which table[x−lo] is 1
	nulls  bool    // NULL passes
}

// everything is the domain of a condition that holds for all but NULL.
func everything() domain { return domain{lo: math.MinInt64, hi: math.MaxInt64} }

// contains reports whether x is in the domain.
func (d *domain) contains(x int64) bool {
	in := x >= d.lo && x <= d.hi
	if in && d.table != nil {
		return d.table[x-d.lo] != 0
	}
	return in != d.negate
}

// simplify turns a table whose ones lie together into an interval. Where the
// column has no values outside of the table (complete), so do zeros that lie
// together.
func (d *domain) simplify(complete bool) {
	if d.table == nil {
		return
	}
	first, last, n := bounding(d.table, 1)
	if n == 0 {
		*d = domain{lo: 1, hi: 0, nulls: d.nulls}
		return
	}
	if n == last-first+1 {
		*d = domain{lo: d.lo + int64(first), hi: d.lo + int64(last), nulls: d.nulls}
		return
	}
	if !complete {
		return
	}
	if first, last, n := bounding(d.table, 0); n == last-first+1 {
		*d = domain{lo: d.lo + int64(first), hi: d.lo + int64(last), negate: true, nulls: d.nulls}
	}
}

// bounding returns the first and the last place of x in a table, and how often it
// is there.
func bounding(table []uint8, x uint8) (first, last, n int) {
	first = -1
	for i, y := range table {
		if y == x {
			if first < 0 {
				first = i
			}
			last = i
			n++
		}
	}
	return first, last, n
}

// coverage is what statistics say of a chunk and a domain.
type coverage uint8

const (
	some coverage = iota // nothing
	none                 // no row passes
	all                  // all rows pass
)

// covers compares the domain with the statistics of a chunk.
func (d *domain) covers(c *runtime.Chunk) coverage {
	hasNull := c.Nulls > 0
	result := some
	switch {
	case c.Rows == c.Nulls:
		if d.nulls {
			return all
		}
		return none
	case c.Enc == runtime.EncConst:
		result = none
		if d.contains(c.Base) {
			result = all
		}
	case d.lo > d.hi:
		result = none
		if d.negate {
			result = all
		}
	case d.table != nil:
	case c.HasRange && c.Max < d.lo || c.HasRange && c.Min > d.hi:
		result = none
		if d.negate {
			result = all
		}
	case c.HasRange && c.Min >= d.lo && c.Max <= d.hi:
		result = all
		if d.negate {
			result = none
		}
	}
	if hasNull && d.nulls != (result == all) {
		return some
	}
	return result
}
