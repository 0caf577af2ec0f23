package value

import "math"

// ResultSuffix follows the name of an aggregate in that of the routine that makes
// it of what has been accumulated.
const ResultSuffix = " of parts"

// Regression holds what the statistics of pairs (y, x) need: their count, and of
// each coordinate the sum and the sum of the squares of the differences from the
// mean, and the sum of the products of those differences (the algorithm of Youngs
// and Cramer, which PostgreSQL uses). The zero Regression is that of no pairs.
type Regression struct {
	N, SumX, SXX, SumY, SYY, SXY float64
}

// Add accounts for a pair; it is an error when finite values overflow.
func (r *Regression) Add(y, x float64) error {
	n, sumX, sumY := r.N+1, r.SumX+x, r.SumY+y
	if r.N == 0 {
		// NaN unless the coordinates are finite
		*r = Regression{N: n, SumX: sumX, SXX: x - x, SumY: sumY, SYY: y - y, SXY: (x - x) + (y - y)}
		return nil
	}
	dx, dy, part := x*n-sumX, y*n-sumY, 1/(n*r.N)
	return r.become(Regression{N: n, SumX: sumX, SXX: r.SXX + dx*dx*part, SumY: sumY, SYY: r.SYY + dy*dy*part, SXY: r.SXY + dx*dy*part},
		math.IsInf(r.SumX, 0) || math.IsInf(x, 0), math.IsInf(r.SumY, 0) || math.IsInf(y, 0))
}

// become takes on next unless finite values have overflowed; sums of squares of
// infinite values are NaN.
func (r *Regression) become(next Regression, infiniteX, infiniteY bool) error {
	overX := math.IsInf(next.SumX, 0) || math.IsInf(next.SXX, 0)
	overY := math.IsInf(next.SumY, 0) || math.IsInf(next.SYY, 0)
	if overX && !infiniteX || overY && !infiniteY || math.IsInf(next.SXY, 0) && !infiniteX && !infiniteY {
		return errFloatOverflow()
	}
	for _, s := range []*float64{&next.SXX, &next.SYY, &next.SXY} {
		if math.IsInf(*s, 0) {
			*s = math.NaN()
		}
	}
	*r = next
	return nil
}

// Combine accounts for the pairs of other; it is an error when finite values
// overflow.
func (r *Regression) Combine(other Regression) error {
	switch {
	case other.N == 0:
		return nil
	case r.N == 0:
		*r = other
		return nil
	}
	n := r.N + other.N
	dx, dy := r.SumX/r.N-other.SumX/other.N, r.SumY/r.N-other.SumY/other.N
	weight := r.N * other.N
	return r.become(Regression{
		N: n, SumX: r.SumX + other.SumX, SXX: r.SXX + other.SXX + weight*dx*dx/n,
		SumY: r.SumY + other.SumY, SYY: r.SYY + other.SYY + weight*dy*dy/n, SXY: r.SXY + other.SXY + weight*dx*dy/n,
	}, math.IsInf(r.SumX, 0) || math.IsInf(other.SumX, 0), math.IsInf(r.SumY, 0) || math.IsInf(other.SumY, 0))
}

// regressions are the statistics of at least one pair; ok is false where they are
// not defined.
var regressions = map[string]func(r *Regression) (f float64, ok bool){
	"covar_pop":  func(r *Regression) (float64, bool) { return r.SXY / r.N, true },
	"covar_samp": func(r *Regression) (float64, bool) { return r.SXY / (r.N - 1), r.N > 1 },
	"corr": func(r *Regression) (float64, bool) {
		return r.SXY / math.Sqrt(r.SXX*r.SYY), r.SXX != 0 && r.SYY != 0
	},
	"regr_avgx": func(r *Regression) (float64, bool) { return r.SumX / r.N, true },
	"regr_avgy": func(r *Regression) (float64, bool) { return r.SumY / r.N, true },
	"regr_sxx":  func(r *Regression) (float64, bool) { return r.SXX, true },
	"regr_syy":  func(r *Regression) (float64, bool) { return r.SYY, true },
	"regr_sxy":  func(r *Regression) (float64, bool) { return r.SXY, true },
	"regr_r2": func(r *Regression) (float64, bool) {
		if r.SYY == 0 {
			return 1, r.SXX != 0
		}
		return r.SXY * r.SXY / (r.SXX * r.SYY), r.SXX != 0
	},
	"regr_slope":     func(r *Regression) (float64, bool) { return r.SXY / r.SXX, r.SXX != 0 },
	"regr_intercept": func(r *Regression) (float64, bool) { return (r.SumY - r.SumX*r.SXY/r.SXX) / r.N, r.SXX != 0 },
}

// regressionRoutine makes a statistic of the columns of a Regression.
func regressionRoutine(name string) []Routine {
	statistic := regressions[name]
	return []Routine{{Params: "ffffff", Result: 'f', Nullable: true, Call: func(a []Value) (Value, error) {
		r := Regression{N: a[0].F, SumX: a[1].F, SXX: a[2].F, SumY: a[3].F, SYY: a[4].F, SXY: a[5].F}
		if r.N < 1 {
			return Value{}, nil
		}
		f, ok := statistic(&r)
		if !ok {
			return Value{}, nil
		}
		return floatValue(f), nil
	}}}
}
