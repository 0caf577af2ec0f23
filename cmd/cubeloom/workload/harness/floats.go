package harness

import (
	"cmp"
	"math"
	"slices"
)

// averageTolerance is the relative difference up to which floating-point numbers agree:
// sums of them depend on the order of their terms, and averages of decimals are numeric
// in PostgreSQL and double precision in DuckDB.
const averageTolerance = 1e-12

// NearlyEqual reports whether two numbers agree, as differences of numbers up to a
// magnitude.
func NearlyEqual(x, y, magnitude float64) bool {
	return x == y || math.Abs(x-y) <= averageTolerance*max(math.Abs(x), math.Abs(y), magnitude) || x != x && y != y
}

// Floats are the floating-point numbers of rows, which a Digest leaves out, each row with
// the hash of the rest.
type Floats struct{ rows []rowFloats }

type rowFloats struct {
	rest   uint64
	values []float64
}

// Add takes the numbers of a row, and keeps them.
func (f *Floats) Add(rest uint64, values []float64) {
	f.rows = append(f.rows, rowFloats{rest, values})
}

// Append takes all rows of others.
func (f *Floats) Append(others *Floats) { f.rows = append(f.rows, others.rows...) }

// Sort has rows be in an order that those of other Floats can be compared in.
func (f *Floats) Sort() {
	slices.SortFunc(f.rows, func(a, b rowFloats) int {
		return cmp.Or(cmp.Compare(a.rest, b.rest), slices.Compare(a.values, b.values))
	})
}

// Agree reports whether the numbers of all rows nearly equal those of others. Both have
// been sorted.
func (f *Floats) Agree(other *Floats, magnitude float64) bool {
	return slices.EqualFunc(f.rows, other.rows, func(a, b rowFloats) bool {
		return a.rest == b.rest && slices.EqualFunc(a.values, b.values, func(x, y float64) bool { return NearlyEqual(x, y, magnitude) })
	})
}
