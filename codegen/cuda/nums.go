package cuda

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

// numArithmetic writes add … abs on numerics.
func (e *computing) numArithmetic(op string, in *kernel.Compute) {
	if len(in.Args) == 1 {
		e.each(in, "%s(%s)", calls[op], e.argsAt(in))
		return
	}
	e.checkNum(in, op+"_overflows(%s, %s)", e.argsAt(in))
}

// checkNum defines Dst by a function of the row's arguments that reports whether the
// result has too many digits; the format takes the arguments and the result. It is
// long, and so stands there once for all rows and is not called for those that do not
// count: they get zero.
func (e *computing) checkNum(in *kernel.Compute, format string, args ...any) {
	args = append(args, e.name(in.Dst)+"[r]")
	e.declare(in.Dst, e.anyNull(in.Args))
	bad := e.Temp("bad")
	e.Line("u32 %s = 0;", bad)
	e.Line("ROWS %s[r] = %s;", e.name(in.Dst), zeroOf(e.f.Values[in.Dst].Type))
	first, last := "0", "R"
	if e.spreads() {
		first, last = "spread ? threadIdx.x % 4 : 0", "(spread ? (int)threadIdx.x % 4 + 1 : R)"
	}
	e.Begin(`_Pragma("unroll 1") for (int r = %s; r < %s; r++)`, first, last)
	e.Line("if (bit(active, r)) set(%s, r, %s);", bad, fmt.Sprintf(format, args...))
	e.End()
	e.raise(e.without(bad, in.Args), ErrNumRange, in)
}

// numDivide writes the division of numerics and its remainder.
func (e *computing) numDivide(op string, in *kernel.Compute) {
	e.checkNum(in, op+"_overflows(%s, %s)", e.argsAt(in))
	e.raiseWhere(in, ErrDivisionByZero, e.At(in.Args[1])+".coef == 0")
}

func (e *computing) numRound(in *kernel.Compute) {
	a := e.At(in.Args[0])
	switch in.Op {
	case kernel.OpFloor, kernel.OpCeil:
		e.checkNum(in, "whole_overflows(%s, %t, %s)", a, in.Op == kernel.OpCeil)
	default:
		e.checkNum(in, "to_scale_overflows(%s, %d, %t, %s)", a, in.Aux.Scale, in.Op == kernel.OpRound)
	}
}

// convertNum writes conversions to and from numerics.
func (e *computing) convertNum(in *kernel.Compute) {
	from, to := e.typeOf(in), e.f.Values[in.Dst].Type
	a := e.At(in.Args[0])
	switch {
	case from.IsInteger():
		e.each(in, "Num{%s, %d}", a, in.Aux.Scale)
	case to == kernel.F64:
		e.each(in, "to_f64(%s)", a)
	case to == kernel.I128:
		e.checkNum(in, "rescale_overflows(%s, %d, %s)", a, in.Aux.Scale)
	case to.IsInteger():
		e.narrowNum(in, a)
	default:
		e.refuse("there is no device code for the conversion of %s to %s", from, to)
	}
}

// narrowNum converts a numeric to 32 or 64 bits. Whole numbers are out of range as
// integers are; decimals that lack room for the digits fail as numerics do.
func (e *computing) narrowNum(in *kernel.Compute, a string) {
	wide, fails, c := e.Temp("wide"), e.Temp("fails"), e.ctype(e.f.Values[in.Dst].Type)
	e.Line("i128 %s[R];", wide)
	e.Line("u32 %s = 0;", fails)
	e.Line("ROWS set(%s, r, rescale_overflows(%s, %d, %s[r]));", fails, a, in.Aux.Scale, wide)
	e.each(in, "(%s)%s[r]", c, wide)
	tooWide := fmt.Sprintf("(%s)%s[r] != %s[r]", c, wide, wide)
	if in.Aux.Scale == 0 {
		e.raiseWhere(in, ErrIntRange, fmt.Sprintf("bit(%s, r) || %s", fails, tooWide))
		return
	}
	e.raise(e.without(fails+" & active", in.Args), ErrNumRange, in)
	e.raiseWhere(in, ErrNumericRange, tooWide)
}

// numAt is an exact number at a row as a numeric; scale is that of integers.
func (e *computing) numAt(id kernel.ValueID, scale int) string {
	if e.f.Values[id].Type == kernel.Num {
		return e.At(id)
	}
	return fmt.Sprintf("Num{%s, %d}", e.At(id), scale)
}

// averageNum writes OpAvgNum.
func (e *computing) averageNum(in *kernel.Compute) {
	count := e.At(in.Args[1])
	e.checkNum(in, "average_overflows(%s, %s, %s)", e.numAt(in.Args[0], in.Aux.Scale), count)
	e.nullWhere(in.Dst, count+" == 0")
}

// nullWhere makes a value NULL in further rows.
func (e *computing) nullWhere(id kernel.ValueID, condition string) {
	if n := e.nulls(id); n != "" {
		e.Line("ROWS set(%s, r, %s);", n, condition)
	}
}

// moments are the variances and deviations by their names in Aux.Field.
var moments = map[string]value.Moment{
	"var_samp": value.VarSamp, "var_pop": value.VarPop,
	"stddev_samp": value.StddevSamp, "stddev_pop": value.StddevPop,
}

// moment returns the variance or deviation that an operation computes.
func (e *computing) moment(in *kernel.Compute) (sample, deviation bool) {
	m, ok := moments[in.Aux.Field]
	if !ok {
		e.refuse("there is no device code for %s", in.Aux.Field)
	}
	return m.IsSample(), m == value.StddevSamp || m == value.StddevPop
}

// momentNum writes OpVarNum.
func (e *computing) momentNum(in *kernel.Compute) {
	sample, deviation := e.moment(in)
	count := e.At(in.Args[0])
	e.checkNum(in, "moment_overflows(%s, %s, %s, %t, %t, %s)",
		count, e.numAt(in.Args[1], in.Aux.Scale), e.numAt(in.Args[2], 2*in.Aux.Scale), sample, deviation)
	e.nullWhere(in.Dst, fmt.Sprintf("%s <= %d", count, fewest(sample)))
}

// fewest is the number of rows that have no variance.
func fewest(sample bool) int {
	if sample {
		return 1
	}
	return 0
}

// numValue declares the numeric that a sum takes of a row, and returns its name.
func (a *GroupedAcc) numValue(e *Entry) string {
	v := e.Temp("num")
	if a.acc.Op == kernel.AccSumSquare {
		x := e.At(a.acc.Args[0])
		e.Line("Num %s;", v)
		e.raise(fmt.Sprintf("mul_overflows(%s, %s, %s)", x, x, v), ErrNumRange, nil)
		return v
	}
	e.Line("const Num %s = %s;", v, e.At(a.acc.Args[0]))
	return v
}

// numAtScale returns what a row adds at the scale of its group.
func (a *GroupedAcc) numAtScale(e *Entry) string {
	v := a.numValue(e)
	e.Line("i128 coef;")
	e.raise(fmt.Sprintf("rescale_overflows(%s, (int)%s[cell[r]] - 1, coef)", v, a.Array(e, 0)), ErrNumRange, nil)
	return "widen(coef)"
}
