package lower

import (
	"math"
	"math/big"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Guarded returns the value of e for the rows for which cond (NoValue: all) is
// true: an error in it is raised for those only.
func (b *Builder) Guarded(cond kernel.ValueID, e algebra.Expr) kernel.ValueID {
	if cond == kernel.NoValue {
		return b.Expr(e)
	}
	a := b.newArm()
	var v kernel.ValueID
	b.in(a, func() { v = b.Expr(e) })
	if !b.Func.BlockCanRaise(a.block) {
		b.splice(a)
		return v
	}
	return b.choose(cond, e.Type(),
		func() kernel.ValueID { return b.Expr(e) },
		func() kernel.ValueID { return b.null(PhysicalType(e.Type()), scaleOf(e.Type())) })
}

// AccArg returns an argument in a form that the accumulator takes: text that
// comes out of it, not as codes.
func (b *Builder) AccArg(op kernel.AccOp, v kernel.ValueID) kernel.ValueID {
	if row, _ := op.Row(); row.Texts {
		return b.Text(v)
	}
	return v
}

// Accumulate defines the values that an accumulator gives for columns cols
// when it has taken at most rows rows. With empty a group can be without rows.
func (b *Builder) Accumulate(acc kernel.Acc, cols []algebra.Column, rows float64, empty bool) []kernel.ValueID {
	row, _ := acc.Op.Row()
	dst := make([]kernel.ValueID, len(cols))
	for i, c := range cols {
		v, known := b.accValue(acc, c, rows)
		v.Name = c.Name
		v.Nullable = v.Nullable || empty && !row.NotNull
		dst[i] = b.define(v, known)
	}
	return dst
}

// accValue describes what an accumulator gives for column c.
func (b *Builder) accValue(acc kernel.Acc, c algebra.Column, rows float64) (kernel.Value, fact) {
	row, _ := acc.Op.Row()
	switch {
	case row.Bounds == kernel.BoundedByRows:
		return kernel.Value{Type: kernel.I64}, fact{bounds: countBounds(rows)}
	case row.State != nil:
		return kernel.Value{Type: kernel.F64}, fact{}
	case acc.Op == kernel.AccSketch || acc.Op == kernel.AccConcatenate:
		return kernel.Value{Type: kernel.Str, Nullable: b.Func.Values[acc.Args[0]].Nullable || acc.Filter != kernel.NoValue}, fact{}
	}
	arg, known := b.Func.Values[acc.Args[0]], b.facts[acc.Args[0]]
	known.param, known.widened = nil, false
	v := kernel.Value{Type: arg.Type, Dict: arg.Dict, Range: arg.Range}
	v.Nullable = arg.Nullable || acc.Filter != kernel.NoValue
	if !arg.Type.IsInteger() {
		return v, known
	}
	switch row.Bounds {
	case kernel.BoundedByType:
		v.Range, known.bounds = kernel.Range{}, bounds{}
	case kernel.BoundedBySum:
		known.bounds = sumBounds(b.boundsOf(acc.Args[0]), rows)
		v.Type, v.Range = sumTypeOf(c.Type, known.bounds), kernel.Range{}
		if arg.Type == kernel.I128 {
			// Few rows, or none, may bound the sum more tightly than its
			// argument; the sum of wide integers is wide all the same.
			v.Type = kernel.I128
		}
	case kernel.BoundedBySquares:
		v.Type, v.Range = kernel.I128, kernel.Range{}
		known.scale *= 2
		known.bounds = bounds{}
	}
	if !known.bounds.in(v.Type) {
		known.bounds = bounds{}
	}
	return v, known
}

// sumTypeOf is the type of a sum within r: bigint overflows where SQL says so,
// other sums are as wide as they can become.
func sumTypeOf(t algebra.Type, r bounds) kernel.Type {
	if t.Kind == algebra.Int64 {
		return kernel.I64
	}
	if r.known() {
		return smallest(r)
	}
	return kernel.I128
}

// sumBounds are the bounds of a sum of at most rows numbers within r.
func sumBounds(r bounds, rows float64) bounds {
	if rows >= math.MaxInt64 {
		return bounds{}
	}
	most := bounds{big.NewInt(0), big.NewInt(int64(rows))}
	return r.mul(most)
}

func countBounds(rows float64) bounds {
	if rows >= math.MaxInt64 {
		return int64Bounds(0, math.MaxInt64)
	}
	return int64Bounds(0, int64(rows))
}

// Average emits the average of a group from its sum and count. Without rows
// the sum is NULL, and so is the average.
func (b *Builder) Average(sum, count kernel.ValueID, t algebra.Type) kernel.ValueID {
	switch t.Kind {
	case algebra.Float64:
		return b.op(kernel.OpDiv, kernel.F64, value.NoPos, sum, b.toFloat(count, value.NoPos))
	case algebra.Interval:
		return b.op(kernel.OpDivInterval, kernel.Interval, value.NoPos, sum, b.toFloat(b.nonZero(count), value.NoPos))
	}
	return b.compute(kernel.Compute{
		Op: kernel.OpAvgNum, Args: []kernel.ValueID{sum, count},
		Aux: kernel.Aux{Scale: b.facts[sum].scale}, Pos: value.NoPos,
	}, kernel.Value{Type: kernel.Num}, fact{})
}

// nonZero returns a count, or NULL where it is zero.
func (b *Builder) nonZero(count kernel.ValueID) kernel.ValueID {
	cond := b.op(kernel.OpEq, kernel.Bool, value.NoPos, count, b.Integer(0))
	return b.Choose(cond, b.null(kernel.I64, 0), count)
}

// Variance emits a variance or standard deviation of exact numbers from their count,
// sum and sum of squares.
func (b *Builder) Variance(f algebra.AggFunc, accs []kernel.ValueID) kernel.ValueID {
	in := kernel.Compute{Op: kernel.OpVarNum, Args: accs, Aux: kernel.Aux{Field: string(f), Scale: b.facts[accs[1]].scale}, Pos: value.NoPos}
	if t := b.typ(accs[1]); t.IsInteger() {
		in.Args = []kernel.ValueID{accs[0], b.toInt(accs[1], kernel.I128, value.NoPos), accs[2]}
	}
	return b.compute(in, kernel.Value{Type: kernel.Num}, fact{})
}

// Statistic emits the kernel.Statistic of a name from the parts of its accumulator.
func (b *Builder) Statistic(name string, parts []kernel.ValueID) kernel.ValueID {
	in := kernel.Compute{Op: kernel.OpStatistic, Args: parts, Aux: kernel.Aux{Field: name}, Pos: value.NoPos}
	return b.compute(in, kernel.Value{Type: kernel.F64}, fact{})
}
