package lower

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// All emits the conjunction of conditions, of which there is at least one.
func (b *Builder) All(conds []algebra.Expr) kernel.ValueID {
	if len(conds) == 1 {
		return b.Expr(conds[0])
	}
	return b.Expr(&algebra.Call{Func: algebra.And, Args: conds, Typ: algebra.TBool, Pos: value.NoPos})
}

// Integer is the parameter for an I64.
func (b *operations) Integer(i int64) kernel.ValueID {
	return b.Param(kernel.I64, 0, value.Value{Kind: value.Int, I: i})
}

// Count returns a sum of counts as an I64.
func (b *operations) Count(v kernel.ValueID) kernel.ValueID {
	return b.toInt(v, kernel.I64, value.NoPos)
}

// Repeat goes on with each row count times and returns the number of the copy.
func (b *operations) Repeat(count kernel.ValueID) kernel.ValueID {
	index := b.define(kernel.Value{Type: kernel.I64}, fact{bounds: int64Bounds(1, math.MaxInt64)})
	b.Emit(&kernel.Repeat{Count: count, Index: index})
	return index
}

// Compute emits an operation that raises no error.
func (b *operations) Compute(op kernel.Op, t kernel.Type, aux kernel.Aux, args ...kernel.ValueID) kernel.ValueID {
	return b.compute(kernel.Compute{Op: op, Args: args, Aux: aux, Pos: value.NoPos}, kernel.Value{Type: t}, fact{})
}

// Difference emits x−y of counts x ≥ y ≥ 0.
func (b *operations) Difference(x, y kernel.ValueID) kernel.ValueID {
	return b.op(kernel.OpSub, kernel.I64, value.NoPos, x, y)
}

// Choose emits x where cond is true and else y, both of one type.
func (b *operations) Choose(cond, x, y kernel.ValueID) kernel.ValueID {
	v := kernel.Value{Type: b.typ(x), Nullable: b.Func.Values[x].Nullable || b.Func.Values[y].Nullable}
	dst := b.define(v, fact{scale: b.facts[x].scale})
	b.Emit(&kernel.If{Cond: cond, ThenVal: x, ElseVal: y, Dst: dst})
	return dst
}

// Combine defines the values that an accumulator gives for columns cols when
// it merges those of finer groups. What bounds a sum or count of those bounds
// that of the coarser: the bound is that of all rows together.
func (b *operations) Combine(acc kernel.Acc, cols []algebra.Column, empty bool) []kernel.ValueID {
	row, _ := acc.Op.Row()
	dst := make([]kernel.ValueID, len(cols))
	for i, c := range cols {
		arg, known := b.Func.Values[acc.Args[i]], b.facts[acc.Args[i]]
		known.widened = false
		arg.Name = c.Name
		arg.Nullable = arg.Nullable || empty && !row.NotNull
		dst[i] = b.define(arg, known)
	}
	return dst
}
