package value

import "math"

// Moments holds what the average, the variance and the standard deviation of
// double precision need: the count, the sum, and the sum of the squares of the
// differences from the mean (the algorithm of Youngs and Cramer, which
// PostgreSQL uses). The zero Moments is that of no values.
type Moments struct {
	N, Sum, SumSq float64
}

// Add accounts for x; it is an error when finite values overflow.
func (m *Moments) Add(x float64) error {
	n, sum := m.N+1, m.Sum+x
	if m.N == 0 {
		*m = Moments{N: n, Sum: sum, SumSq: x - x} // NaN unless x is finite
		return nil
	}
	diff := x*n - sum
	sumSq := m.SumSq + diff*diff/(n*m.N)
	if math.IsInf(sum, 0) || math.IsInf(sumSq, 0) {
		if !math.IsInf(m.Sum, 0) && !math.IsInf(x, 0) {
			return errFloatOverflow()
		}
		sumSq = math.NaN()
	}
	*m = Moments{N: n, Sum: sum, SumSq: sumSq}
	return nil
}

// Combine accounts for the values of other; it is an error when finite values
// overflow.
func (m *Moments) Combine(other Moments) error {
	switch {
	case other.N == 0:
		return nil
	case m.N == 0:
		*m = other
		return nil
	}
	n := m.N + other.N
	sum, err := AddFloat64(m.Sum, other.Sum)
	if err != nil {
		return err
	}
	diff := m.Sum/m.N - other.Sum/other.N
	sumSq, err := noOverflow(m.SumSq+other.SumSq+m.N*other.N*diff*diff/n, math.IsInf(m.SumSq, 0) || math.IsInf(other.SumSq, 0))
	*m = Moments{N: n, Sum: sum, SumSq: sumSq}
	return err
}

// Result is a moment; ok is false when it is NULL.
func (m *Moments) Result(moment Moment) (f float64, ok bool) {
	n := m.N
	if moment.IsSample() {
		n--
	}
	if n <= 0 {
		return 0, false
	}
	f = m.SumSq / n
	if moment == StddevSamp || moment == StddevPop {
		f = math.Sqrt(f)
	}
	return f, true
}
