package value

import "math"

// ResultSuffix follows the name of an aggregate in that of the routine that makes
// it of what has been accumulated.
const ResultSuffix = " of parts"

// Regression holds what the statistics of pairs (y, x) need: their count, of x the
// sum and the sum of the squares of the differences from the mean, the same of y, and
// the sum of the products of those differences (the algorithm of Youngs and Cramer,
// which PostgreSQL uses). The zero Regression is that of no pairs.
type Regression [6]float64

// RegressionState accumulates the Regression of pairs.
var RegressionState = State{
	Add: func(states []float64, to []uint32, args [][]float64) error {
		y, x := args[0], args[1]
		for i, k := range to {
			if err := (*Regression)(states[6*k:]).Add(y[i], x[i]); err != nil {
				return err
			}
		}
		return nil
	},
	Combine: func(state, other []float64) error { return (*Regression)(state).Combine((*Regression)(other)) },
}

// Add accounts for a pair; it is an error when finite values overflow.
func (r *Regression) Add(y, x float64) error {
	before := r[0]
	n, sumX, sumY := before+1, r[1]+x, r[3]+y
	if before == 0 {
		// NaN unless the coordinates are finite
		*r = Regression{n, sumX, x - x, sumY, y - y, (x - x) + (y - y)}
		return nil
	}
	dx, dy, part := x*n-sumX, y*n-sumY, 1/(n*before)
	xx, yy, xy := r[2]+dx*dx*part, r[4]+dy*dy*part, r[5]+dx*dy*part
	if all := sumX + xx + sumY + yy + xy; all-all == 0 { // all are finite
		r[0], r[1], r[2], r[3], r[4], r[5] = n, sumX, xx, sumY, yy, xy // one by one: an array would be copied twice
		return nil
	}
	return r.become(&Regression{n, sumX, xx, sumY, yy, xy},
		math.IsInf(r[1], 0) || math.IsInf(x, 0), math.IsInf(r[3], 0) || math.IsInf(y, 0))
}

// become takes on next unless finite values have overflowed; sums of squares of
// infinite values are NaN.
func (r *Regression) become(next *Regression, infiniteX, infiniteY bool) error {
	overX := math.IsInf(next[1], 0) || math.IsInf(next[2], 0)
	overY := math.IsInf(next[3], 0) || math.IsInf(next[4], 0)
	if overX && !infiniteX || overY && !infiniteY || math.IsInf(next[5], 0) && !infiniteX && !infiniteY {
		return ErrFloatOverflow()
	}
	for _, i := range []int{2, 4, 5} {
		if math.IsInf(next[i], 0) {
			next[i] = math.NaN()
		}
	}
	*r = *next
	return nil
}

// Combine accounts for the pairs of other; it is an error when finite values
// overflow. One pair is added, as by Moments.
func (r *Regression) Combine(other *Regression) error {
	switch {
	case other[0] == 0:
		return nil
	case r[0] == 0:
		*r = *other
		return nil
	case other[0] == 1:
		return r.Add(other[3], other[1])
	}
	n := r[0] + other[0]
	dx, dy := r[1]/r[0]-other[1]/other[0], r[3]/r[0]-other[3]/other[0]
	weight := r[0] * other[0]
	return r.become(&Regression{
		n, r[1] + other[1], r[2] + other[2] + weight*dx*dx/n,
		r[3] + other[3], r[4] + other[4] + weight*dy*dy/n, r[5] + other[5] + weight*dx*dy/n,
	}, math.IsInf(r[1], 0) || math.IsInf(other[1], 0), math.IsInf(r[3], 0) || math.IsInf(other[3], 0))
}
