package value

import "math"

// Moments holds what the average, the variance and the standard deviation of
// double precision need: the count, the sum, and the sum of the squares of the
// differences from the mean (the algorithm of Youngs and Cramer, which
// PostgreSQL uses). The zero Moments is that of no values.
type Moments [3]float64

// MomentsState accumulates the Moments of numbers.
var MomentsState = State{
	Add: func(states []float64, to []uint32, args [][]float64) error {
		x := args[0]
		for i, k := range to {
			if err := (*Moments)(states[3*k:]).Add(x[i]); err != nil {
				return err
			}
		}
		return nil
	},
	Combine: func(state, other []float64) error { return (*Moments)(state).Combine((*Moments)(other)) },
}

// Add accounts for x; it is an error when finite values overflow.
func (m *Moments) Add(x float64) error {
	before := m[0]
	n, sum := before+1, m[1]+x
	if before == 0 {
		*m = Moments{n, sum, x - x} // NaN unless x is finite
		return nil
	}
	diff := x*n - sum
	squares := m[2] + diff*diff/(n*before)
	if all := sum + squares; all-all != 0 && (math.IsInf(sum, 0) || math.IsInf(squares, 0)) {
		if !math.IsInf(m[1], 0) && !math.IsInf(x, 0) {
			return ErrFloatOverflow()
		}
		squares = math.NaN()
	}
	m[0], m[1], m[2] = n, sum, squares // one by one: an array would be copied twice
	return nil
}

// Combine accounts for the values of other; it is an error when finite values
// overflow. One value is added, so that values combined one by one give what Add gives.
func (m *Moments) Combine(other *Moments) error {
	switch {
	case other[0] == 0:
		return nil
	case m[0] == 0:
		*m = *other
		return nil
	case other[0] == 1:
		return m.Add(other[1])
	}
	n := m[0] + other[0]
	sum, err := AddFloat64(m[1], other[1])
	if err != nil {
		return err
	}
	diff := m[1]/m[0] - other[1]/other[0]
	squares, err := noOverflow(m[2]+other[2]+m[0]*other[0]*diff*diff/n, math.IsInf(m[2], 0) || math.IsInf(other[2], 0))
	*m = Moments{n, sum, squares}
	return err
}

// moments are the statistics that are functions of the count, the sum and the sum of
// squares, by the names of their aggregates.
var moments = map[string]Moment{"var_samp": VarSamp, "var_pop": VarPop, "stddev_samp": StddevSamp, "stddev_pop": StddevPop}

// momentRoutine makes a statistic of the count, the sum and the sum of squares of
// exact numbers.
func momentRoutine(m Moment) []Routine {
	return []Routine{{Params: "lnn", Result: 'n', Nullable: true, Call: func(a []Value) (Value, error) {
		num, ok, err := MomentNum(m, a[0].I, a[1].Num, a[2].Num)
		if err != nil || !ok {
			return Value{}, err
		}
		return Value{Kind: Decimal, Num: num}, nil
	}}}
}
