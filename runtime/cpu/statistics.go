package cpu

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

// addStatistics registers what turns accumulators into averages and variances.
// These are NULL for groups that are too small.
func (t opTable) addStatistics() {
	for _, typ := range []kernel.Type{kernel.I64, kernel.I128, kernel.Num} {
		t[opKey{kernel.OpAvgNum, typ}] = operation{make: makeAverage}
	}
	t[opKey{kernel.OpVarNum, kernel.I64}] = operation{make: makeVariance}
	t[opKey{kernel.OpVarFloat, kernel.F64}] = operation{make: makeFloatVariance}
}

// maybe calls g for each row without a NULL operand and makes the rows NULL for
// which it says so.
func (f *frame) maybe(g func(i int) (ok bool, err error)) error {
	null := f.nullBuffer()
	any := f.dst.Null != nil
	if any {
		copy(null, f.dst.Null)
	} else {
		clear(null)
	}
	err := f.valid(func(i int) error {
		ok, err := g(i)
		if !ok {
			null[i], any = 1, true
		}
		return err
	})
	if any {
		f.dst.Null = null
	}
	return err
}

// numeric gives the rows of exact numbers of any type; scale is that of
// integers.
func numeric(v *Vector, scale int) func(i int) value.Num {
	m := v.mask()
	switch v.Type {
	case kernel.I32:
		return func(i int) value.Num {
			return value.Num{Coef: value.Int128Of(int64(v.I32[i&m])), Scale: uint8(scale)}
		}
	case kernel.I64:
		return func(i int) value.Num {
			return value.Num{Coef: value.Int128Of(v.I64[i&m]), Scale: uint8(scale)}
		}
	case kernel.I128:
		return func(i int) value.Num { return value.Num{Coef: v.I128[i&m], Scale: uint8(scale)} }
	}
	return func(i int) value.Num { return v.Num[i&m] }
}

// makeAverage compiles OpAvgNum.
func makeAverage(_ *compiler, in *kernel.Compute) (apply, error) {
	scale := in.Aux.Scale
	return func(f *frame) error {
		sum := numeric(f.args[0], scale)
		count, m := f.args[1].I64, f.args[1].mask()
		return f.maybe(func(i int) (ok bool, err error) {
			n := count[i&m]
			if n == 0 {
				return false, nil
			}
			f.dst.Num[i], err = value.Avg(sum(i), n)
			return true, err
		})
	}, nil
}

// momentNames are the names of variances in Aux.Field.
var momentNames = map[string]value.Moment{
	"var_samp": value.VarSamp, "var_pop": value.VarPop,
	"stddev_samp": value.StddevSamp, "stddev_pop": value.StddevPop,
}

// momentOf finds the moment that an operation computes.
func momentOf(in *kernel.Compute) (value.Moment, error) {
	m, ok := momentNames[in.Aux.Field]
	if !ok {
		return m, value.Errorf(value.CodeFeatureNotSupported, "moment %q is not supported", in.Aux.Field)
	}
	return m, nil
}

// makeVariance compiles OpVarNum.
func makeVariance(_ *compiler, in *kernel.Compute) (apply, error) {
	moment, err := momentOf(in)
	scale := in.Aux.Scale
	return func(f *frame) error {
		count, m := f.args[0].I64, f.args[0].mask()
		sum, squares := numeric(f.args[1], scale), numeric(f.args[2], 2*scale)
		return f.maybe(func(i int) (ok bool, err error) {
			f.dst.Num[i], ok, err = value.MomentNum(moment, count[i&m], sum(i), squares(i))
			return ok, err
		})
	}, err
}

// makeFloatVariance compiles OpVarFloat.
func makeFloatVariance(_ *compiler, in *kernel.Compute) (apply, error) {
	moment, err := momentOf(in)
	return func(f *frame) error {
		n, s, d := f.args[0], f.args[1], f.args[2]
		nm, sm, dm := n.mask(), s.mask(), d.mask()
		return f.maybe(func(i int) (ok bool, err error) {
			ms := value.Moments{N: n.F64[i&nm], Sum: s.F64[i&sm], SumSq: d.F64[i&dm]}
			f.dst.F64[i], ok = ms.Result(moment)
			return ok, nil
		})
	}, err
}
