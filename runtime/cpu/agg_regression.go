package cpu

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

// regression is AccPairs and AccMergePairs.
type regression struct {
	mem  *memory
	vals []value.Regression
}

func (a *regression) reserve(n int) (err error) {
	a.vals, err = grown(a.mem, a.vals, n)
	return err
}

func (a *regression) add(c *cells, args []*view) error {
	for i, k := range c.list() {
		var err error
		if len(args) == 2 {
			err = a.vals[k].Add(args[0].f64[i], args[1].f64[i])
		} else {
			err = a.vals[k].Combine(value.Regression{
				N: args[0].f64[i], SumX: args[1].f64[i], SXX: args[2].f64[i],
				SumY: args[3].f64[i], SYY: args[4].f64[i], SXY: args[5].f64[i],
			})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (a *regression) finalize() error { return nil }

func (a *regression) combine(accumulator) error { return nil }

func (a *regression) merge(src accumulator, from, to []uint32) error {
	s := src.(*regression)
	for i, f := range from {
		if err := a.vals[to[i]].Combine(s.vals[f]); err != nil {
			return err
		}
	}
	return nil
}

func (a *regression) chunks(groups []uint32) ([]*runtime.Chunk, error) {
	parts := []func(r *value.Regression) float64{
		func(r *value.Regression) float64 { return r.N },
		func(r *value.Regression) float64 { return r.SumX }, func(r *value.Regression) float64 { return r.SXX },
		func(r *value.Regression) float64 { return r.SumY }, func(r *value.Regression) float64 { return r.SYY },
		func(r *value.Regression) float64 { return r.SXY },
	}
	out := make([]*runtime.Chunk, len(parts))
	for p, part := range parts {
		c := &runtime.Chunk{Type: kernel.F64, Enc: runtime.EncF64, Rows: len(groups), F64: make([]float64, len(groups))}
		for i, g := range groups {
			c.F64[i] = part(&a.vals[g])
		}
		out[p] = c
	}
	return out, nil
}

func (a *regression) reset() { clear(a.vals) }

func (a *regression) width() int { return 48 }
