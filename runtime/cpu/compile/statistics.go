package compile

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// addStatistics registers what turns accumulators into averages and variances.
// These are NULL for groups that are too small.
func (t opTable) addStatistics() {
	for _, typ := range []kernel.Type{kernel.I64, kernel.I128, kernel.Num} {
		t[opKey{kernel.OpAvgNum, typ}] = operation{make: makeAverage}
	}
	t[opKey{kernel.OpVarNum, kernel.I64}] = operation{make: makeVariance}
	t[opKey{kernel.OpStatistic, kernel.F64}] = operation{make: makeStatistic}
}

// maybe calls g for each row without a NULL operand and makes the rows NULL for
// which it says so.
func (f *frame) maybe(g func(i int) bool) {
	null := f.nullBuffer()
	any := f.dst.Null != nil
	if any {
		copy(null, f.dst.Null)
	} else {
		clear(null)
	}
	f.valid(func(i int) {
		if !g(i) {
			null[i], any = 1, true
		}
	})
	if any {
		f.dst.Null = null
	}
}

// numeric returns the rows of exact numbers of any type; scale is that of
// integers.
func numeric(v *vector.Vector, scale int) func(i int) value.Num {
	m := v.Mask()
	switch v.Type {
	case kernel.I32:
		x := vector.Of[int32](v)
		return func(i int) value.Num {
			return value.Num{Coef: value.Int128Of(int64(x[i&m])), Scale: uint8(scale)}
		}
	case kernel.I64:
		x := vector.Of[int64](v)
		return func(i int) value.Num {
			return value.Num{Coef: value.Int128Of(x[i&m]), Scale: uint8(scale)}
		}
	case kernel.I128:
		x := vector.Of[value.Int128](v)
		return func(i int) value.Num { return value.Num{Coef: x[i&m], Scale: uint8(scale)} }
	}
	x := vector.Of[value.Num](v)
	return func(i int) value.Num { return x[i&m] }
}

// makeAverage compiles OpAvgNum.
func makeAverage(_ *Compiler, in *kernel.Compute) apply {
	scale := in.Aux.Scale
	return func(f *frame) {
		sum, dst := numeric(f.args[0], scale), vector.Of[value.Num](f.dst)
		count, m := vector.Of[int64](f.args[1]), f.args[1].Mask()
		f.maybe(func(i int) bool {
			n := count[i&m]
			if n == 0 {
				return false
			}
			dst[i] = sqlstate.Must(value.Avg(sum(i), n))
			return true
		})
	}
}

// momentNames are the names of variances in Aux.Field.
var momentNames = map[string]value.Moment{
	"var_samp": value.VarSamp, "var_pop": value.VarPop,
	"stddev_samp": value.StddevSamp, "stddev_pop": value.StddevPop,
}

// momentOf finds the moment that an operation computes.
func momentOf(in *kernel.Compute) value.Moment {
	m, ok := momentNames[in.Aux.Field]
	if !ok {
		panic(value.Errorf(value.CodeFeatureNotSupported, "moment %q is not supported", in.Aux.Field))
	}
	return m
}

// makeVariance compiles OpVarNum.
func makeVariance(_ *Compiler, in *kernel.Compute) apply {
	moment, scale := momentOf(in), in.Aux.Scale
	return func(f *frame) {
		count, m, dst := vector.Of[int64](f.args[0]), f.args[0].Mask(), vector.Of[value.Num](f.dst)
		sum, squares := numeric(f.args[1], scale), numeric(f.args[2], 2*scale)
		f.maybe(func(i int) (ok bool) {
			var err error
			dst[i], ok, err = value.MomentNum(moment, count[i&m], sum(i), squares(i))
			sqlstate.Check(err)
			return ok
		})
	}
}

// makeStatistic compiles OpStatistic.
func makeStatistic(_ *Compiler, in *kernel.Compute) apply {
	statistic, op, _ := kernel.FindStatistic(in.Aux.Field)
	row, _ := op.Row()
	result := sqlstate.Must(statistic.Of(row.Parts))
	state, parts, masks := make([]float64, len(in.Args)), make([][]float64, len(in.Args)), make([]int, len(in.Args))
	return func(f *frame) {
		for p, arg := range f.args {
			parts[p], masks[p] = vector.Of[float64](arg), arg.Mask()
		}
		dst := vector.Of[float64](f.dst)
		f.maybe(func(i int) (ok bool) {
			for p := range state {
				state[p] = parts[p][i&masks[p]]
			}
			dst[i], ok = result(state)
			return ok
		})
	}
}
