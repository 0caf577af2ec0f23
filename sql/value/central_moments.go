package value

import "math"

// CentralMoments holds what skewness and kurtosis need: the count, the sum, and the sums of
// the second, third and fourth powers of the differences from the mean, by the updating
// formulas of Terriberry and Pébay. The zero CentralMoments is that of no values.
type CentralMoments [5]float64

// CentralMomentsState accumulates the CentralMoments of numbers.
var CentralMomentsState = State{
	Add: func(states []float64, to []uint32, args [][]float64) error {
		x := args[0]
		for i, k := range to {
			if err := (*CentralMoments)(states[5*k:]).Add(x[i]); err != nil {
				return err
			}
		}
		return nil
	},
	Combine: func(state, other []float64) error { return (*CentralMoments)(state).Combine((*CentralMoments)(other)) },
}

// Add accounts for x; it is an error when finite values overflow.
func (m *CentralMoments) Add(x float64) error {
	before, n := m[0], m[0]+1
	if before == 0 {
		none := x - x // NaN unless x is finite
		*m = CentralMoments{n, x, none, none, none}
		return nil
	}
	d := x - m[1]/before
	part := d / n
	square := part * d * before
	return m.become(&CentralMoments{
		n, m[1] + x, m[2] + square,
		m[3] + square*part*(n-2) - 3*part*m[2],
		m[4] + square*part*part*(n*n-3*n+3) + 6*part*part*m[2] - 4*part*m[3],
	}, m[1]-m[1] == 0 && x-x == 0)
}

// Combine accounts for the values of other; it is an error when finite values overflow.
func (m *CentralMoments) Combine(other *CentralMoments) error {
	switch {
	case other[0] == 0:
		return nil
	case m[0] == 0:
		*m = *other
		return nil
	}
	next := CentralMoments{m[0] + other[0], m[1] + other[1]}
	for _, part := range []*CentralMoments{m, other} {
		n := part[0]
		d := part[1]/n - next[1]/next[0]
		next[2] += part[2] + n*d*d
		next[3] += part[3] + 3*d*part[2] + n*d*d*d
		next[4] += part[4] + 4*d*part[3] + 6*d*d*part[2] + n*d*d*d*d
	}
	return m.become(&next, m[1]-m[1] == 0 && other[1]-other[1] == 0)
}

// become takes on next, which is an error where a sum of finite values is infinite; sums
// of powers of infinite values are NaN.
func (m *CentralMoments) become(next *CentralMoments, finite bool) error {
	for i, sum := range next {
		switch {
		case !math.IsInf(sum, 0):
		case finite:
			return ErrFloatOverflow()
		case i > 1:
			next[i] = math.NaN()
		}
	}
	*m = *next
	return nil
}
