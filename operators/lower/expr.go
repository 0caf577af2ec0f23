package lower

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Expr returns the value of an expression, emitting what computes it.
func (b *Builder) Expr(e algebra.Expr) kernel.ValueID {
	switch e := e.(type) {
	case *algebra.Const:
		return b.constant(e)
	case *algebra.ColumnRef:
		return b.Column(e.Column)
	}
	if v, ok := b.reuse(e); ok {
		return v
	}
	v := b.fresh(e)
	h := algebra.Hash(e)
	b.scope.exprs[h] = append(b.scope.exprs[h], exprValue{e, v})
	return v
}

// reuse finds the value of an equal expression that is visible here.
func (b *Builder) reuse(e algebra.Expr) (kernel.ValueID, bool) {
	h := algebra.Hash(e)
	for s := b.scope; s != nil; s = s.outer {
		b.meter.Must(scopeWork)
		for _, known := range s.exprs[h] {
			b.meter.Must(scopeWork)
			if algebra.Equal(known.expr, e) {
				return known.val, true
			}
		}
		if s.sealed {
			break
		}
	}
	return kernel.NoValue, false
}

func (b *Builder) fresh(e algebra.Expr) kernel.ValueID {
	if column, ok := b.dictionaryColumn(e); ok {
		return b.mapDictionary(e, column)
	}
	switch e := e.(type) {
	case *algebra.Call:
		return b.call(e)
	case *algebra.Case:
		return b.caseExpr(e.Whens, e)
	}
	panic(unsupported(value.NoPos, "an expression of kind %T", e))
}

// floatField emits a field as double precision. ok is false for other expressions, and where
// nothing is infinite.
func (b *Builder) floatField(e *algebra.Call) (v kernel.ValueID, ok bool) {
	extract, ok := algebra.FloatField(e)
	if !ok {
		return kernel.NoValue, false
	}
	x := b.Expr(extract.Args[1])
	if b.finite(x) {
		return kernel.NoValue, false
	}
	in := kernel.Compute{Args: []kernel.ValueID{x}, Aux: kernel.Aux{Field: extract.Args[0].(*algebra.Const).Val.S}, Pos: e.Pos}
	return b.extractFloat(in, x, extract.Args[1].Type()), true
}

func (b *Builder) exprs(list []algebra.Expr) []kernel.ValueID {
	return lists.Map(list, b.Expr)
}

// constant is the parameter for a literal.
func (b *Builder) constant(c *algebra.Const) kernel.ValueID {
	t := PhysicalType(c.Typ)
	if c.Val.Kind == value.Decimal {
		return b.exactParam(c.Val.Num.Coef, int(c.Val.Num.Scale))
	}
	return b.Param(t, scaleOf(c.Typ), c.Val)
}

func (b *Builder) call(e *algebra.Call) kernel.ValueID {
	switch e.Func {
	case algebra.And, algebra.Or:
		return b.connective(e)
	case algebra.Extract, algebra.DateTrunc:
		return b.field(e, b.Expr(e.Args[1]))
	case algebra.Cast:
		if v, ok := b.floatField(e); ok {
			return v
		}
	case algebra.Length:
		if both, ok := e.Args[0].(*algebra.Call); ok && both.Func == algebra.Concat {
			return b.lengths(e, both.Args)
		}
	case algebra.Floor, algebra.Ceil, algebra.Trunc:
		if div, ok := dividedByConstant(e); ok {
			if v, ok := b.wholeQuotient(e.Func, b.Expr(div.Args[0]), b.Expr(div.Args[1]), div.Pos); ok {
				return v
			}
		}
	}
	args := b.exprs(e.Args)
	switch e.Func {
	case algebra.Add, algebra.Sub, algebra.Mul, algebra.Mod, algebra.Div:
		return b.arithmetic(e, args[0], args[1])
	case algebra.Neg, algebra.Abs, algebra.Sign:
		return b.unary(e, args[0])
	case algebra.Round, algebra.Trunc, algebra.Floor, algebra.Ceil:
		return b.rounding(e, args[0])
	case algebra.Power, algebra.Sqrt, algebra.Ln, algebra.Log10, algebra.Exp:
		return b.inexact(e, args)
	case algebra.Eq, algebra.Ne, algebra.Lt, algebra.Le, algebra.Gt, algebra.Ge, algebra.Distinct:
		return b.Compare(kernel.Op(e.Func), args[0], args[1])
	case algebra.In:
		return b.membership(args)
	case algebra.Not, algebra.IsNull, algebra.IsTrue, algebra.IsFalse:
		return b.logic(kernel.Op(e.Func), args[0])
	case algebra.AtMostOne:
		return b.op(kernel.OpAtMostOne, kernel.Bool, e.Pos, b.toInt(args[0], kernel.I64, e.Pos))
	case algebra.Assign:
		return b.assign(b.Text(args[0]), e.Typ, e.Pos)
	case algebra.Cast:
		return b.cast(args[0], e.Args[0].Type(), e.Typ, e.Pos)
	}
	if v, ok := b.timeCall(e, args); ok {
		return v
	}
	if v, ok := b.textCall(e, args); ok {
		return v
	}
	if r, ok := algebra.Routine(e); ok {
		return b.routine(e, r, args)
	}
	panic(unsupported(e.Pos, "function %s", e.Func))
}

// routine emits a function that package value computes from values.
func (b *Builder) routine(e *algebra.Call, r value.Routine, args []kernel.ValueID) kernel.ValueID {
	for i, arg := range args {
		switch t := algebra.RoutineType(r.Params[i]); {
		case t.IsString():
			args[i] = b.Text(arg)
		case t.Kind == algebra.Numeric:
			args[i] = b.toNum(arg, e.Pos)
		case t.Kind == algebra.Int64:
			args[i] = b.toInt(arg, kernel.I64, e.Pos)
		}
	}
	return b.compute(kernel.Compute{
		Op: kernel.OpRoutine, Args: args, Aux: kernel.Aux{Field: string(e.Func) + "/" + r.Params}, Pos: e.Pos,
	}, kernel.Value{Type: PhysicalType(e.Typ), Nullable: r.Nullable}, fact{})
}

// timeCall emits the functions of dates, timestamps and intervals.
func (b *Builder) timeCall(e *algebra.Call, args []kernel.ValueID) (kernel.ValueID, bool) {
	switch e.Func {
	case algebra.AddDays:
		return b.addDays(args, e.Pos), true
	case algebra.SubDates:
		return b.subDates(args, e.Pos), true
	case algebra.AddInterval:
		if e.Typ.Kind == algebra.Interval {
			return b.op(kernel.OpAdd, kernel.Interval, e.Pos, args...), true
		}
		return b.moveTime(kernel.OpAddInterval, e, args), true
	case algebra.SubInterval:
		if e.Typ.Kind == algebra.Interval {
			return b.op(kernel.OpSub, kernel.Interval, e.Pos, args...), true
		}
		return b.moveTime(kernel.OpSubInterval, e, args), true
	case algebra.SubTimes:
		return b.op(kernel.OpSubTimes, kernel.Interval, e.Pos, b.bothFinite(args, e.Pos)...), true
	case algebra.Age:
		return b.op(kernel.OpAge, kernel.Interval, e.Pos, args...), true
	case algebra.MulInterval:
		return b.op(kernel.OpMulInterval, kernel.Interval, e.Pos, args...), true
	case algebra.DivInterval:
		return b.op(kernel.OpDivInterval, kernel.Interval, e.Pos, args...), true
	}
	return kernel.NoValue, false
}

// moveTime emits a timestamp from which an interval leads to another; infinity stays.
func (b *Builder) moveTime(op kernel.Op, e *algebra.Call, args []kernel.ValueID) kernel.ValueID {
	return b.moved(args, e.Typ, func() kernel.ValueID { return b.op(op, kernel.I64, e.Pos, args...) })
}

// textCall emits the functions of text, whose names are those of the kernel.
func (b *Builder) textCall(e *algebra.Call, args []kernel.ValueID) (kernel.ValueID, bool) {
	var result kernel.Type
	switch e.Func {
	case algebra.Like, algebra.ILike, algebra.RegexpLike:
		result = kernel.Bool
	case algebra.Length, algebra.Position, algebra.ToDate:
		result = kernel.I32
	case algebra.Substring, algebra.Upper, algebra.Lower, algebra.Trim, algebra.LTrim, algebra.RTrim,
		algebra.Concat, algebra.Replace, algebra.Left, algebra.Right, algebra.LPad, algebra.RPad,
		algebra.SplitPart, algebra.Reverse, algebra.Repeat,
		algebra.MD5, algebra.RegexpReplace, algebra.ToChar:
		result = kernel.Str
	default:
		return kernel.NoValue, false
	}
	for i := range args {
		args[i] = b.Text(args[i])
	}
	compute := func() kernel.ValueID { return b.op(kernel.Op(e.Func), result, e.Pos, args...) }
	if e.Func == algebra.ToChar {
		return b.whereFinite(args[0], e.Typ, compute, func() kernel.ValueID { return b.null(kernel.Str, 0) }), true
	}
	return compute(), true
}

// lengths emits the length of two texts put together, which need not be put together for that.
func (b *Builder) lengths(e *algebra.Call, texts []algebra.Expr) kernel.ValueID {
	of := func(text algebra.Expr) kernel.ValueID {
		return b.Expr(&algebra.Call{Func: algebra.Length, Args: []algebra.Expr{text}, Typ: e.Typ, Pos: e.Pos})
	}
	return b.integers(kernel.OpAdd, e.Typ, of(texts[0]), of(texts[1]), e.Pos)
}

// mapDictionary computes e for each entry of the column's dictionary.
func (b *Builder) mapDictionary(e algebra.Expr, column algebra.Column) kernel.ValueID {
	src := b.Column(column)
	from := b.Func.Values[src]
	arg := b.define(kernel.Value{Type: kernel.Str, Nullable: from.Nullable, Name: column.Name}, fact{})
	body := &arm{scope: newScope(b.scope, true)}
	body.scope.vars[column.ID] = arg
	var result kernel.ValueID
	b.in(body, func() { result = b.Expr(e) })
	val, known := b.Func.Values[result], b.facts[result]
	known.param, known.widened = nil, false // they speak of values inside the map
	dst := kernel.Value{Type: val.Type, Nullable: val.Nullable, Range: val.Range}
	if val.Type == kernel.Str {
		dst.Type, dst.Dict = kernel.Code, b.newDict()
		// The entries of the source, and one for what NULL becomes.
		if from.Range.Known {
			dst.Range = kernel.Range{Known: true, Lo: 0, Hi: from.Range.Hi + 1}
		}
		known.entries = b.facts[src].entries
		known.origin = fmt.Sprintf("%s of %s, dictionary %d", e, b.Func.Name, dst.Dict)
	}
	id := b.define(dst, known)
	b.Emit(&kernel.Map{Src: src, Arg: arg, Body: body.block, Result: result, Dst: id})
	return id
}
