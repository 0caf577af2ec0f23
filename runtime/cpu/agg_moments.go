package cpu

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// moments is AccMoments and AccMergeMom: the count, the sum and the sum of
// squared deviations of double precision numbers, by the updating formulas of
// Youngs and Cramer, which PostgreSQL uses too.
type moments struct {
	mem           *memory
	count, sum, m []float64
}

func (a *moments) reserve(n int) (err error) {
	for _, s := range []*[]float64{&a.count, &a.sum, &a.m} {
		if *s, err = grown(a.mem, *s, n); err != nil {
			return err
		}
	}
	return nil
}

func (a *moments) add(c *cells, args []*view) error {
	list := c.list()
	if len(args) == 3 {
		for i, k := range list {
			a.addMoments(k, args[0].f64[i], args[1].f64[i], args[2].f64[i])
		}
		return nil
	}
	for i, k := range list {
		x := args[0].f64[i]
		n := a.count[k] + 1
		sum := a.sum[k] + x
		if n > 1 {
			d := x*n - sum
			a.m[k] += d * d / (n * (n - 1))
		} else if x-x != 0 { // NaN and the infinities have no deviation
			a.m[k] = x - x
		}
		a.count[k], a.sum[k] = n, sum
	}
	return nil
}

// addMoments adds the moments of n values to group k.
func (a *moments) addMoments(k uint32, n, sum, m float64) {
	switch had := a.count[k]; {
	case n == 0:
	case had == 0:
		a.count[k], a.sum[k], a.m[k] = n, sum, m
	default:
		d := a.sum[k]/had - sum/n
		a.m[k] += m + had*n*d*d/(had+n)
		a.count[k] += n
		a.sum[k] += sum
	}
}

func (a *moments) finalize() error { return nil }

func (a *moments) combine(accumulator) error { return nil }

func (a *moments) merge(src accumulator, from, to []uint32) error {
	s := src.(*moments)
	for i, f := range from {
		a.addMoments(to[i], s.count[f], s.sum[f], s.m[f])
	}
	return nil
}

func (a *moments) chunks(groups []uint32) ([]*runtime.Chunk, error) {
	var out []*runtime.Chunk
	for _, s := range [][]float64{a.count, a.sum, a.m} {
		c := &runtime.Chunk{Type: kernel.F64, Enc: runtime.EncF64, Rows: len(groups), F64: make([]float64, len(groups))}
		for i, g := range groups {
			c.F64[i] = s[g]
		}
		out = append(out, c)
	}
	return out, nil
}

func (a *moments) reset() {
	clear(a.count)
	clear(a.sum)
	clear(a.m)
}

func (a *moments) width() int { return 24 }
