package expression

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// subscript binds a[i] and a[i:j].
func subscript(x *scope.Exprs, e *sql.Subscript) algebra.Expr {
	array := x.Expr(e.X)
	array = convert.AsArray(array, e.Pos)
	typ := array.Type()
	switch typ.Kind {
	case algebra.Array:
	case algebra.JSONBinary:
		return x.Folded(term.Call(value.JSONGet, typ, e.Pos, array, subscriptPath(x, e.Bounds)))
	default:
		panic(value.ErrorAt(int(e.X.Position()), value.CodeDatatypeMismatch,
			"cannot subscript type %s because it does not support subscripting", sqltype.Name(typ)))
	}
	subscript := oneDimension(e.Bounds)
	lower := bound(x, subscript.Lower, minIndex)
	if subscript.Slice {
		upper := bound(x, subscript.Upper, maxIndex)
		return x.Folded(term.Call(value.ArraySlice, typ, e.Pos, array, lower, upper))
	}
	text := x.Folded(term.Call(value.ArrayGet, algebra.TText, e.Pos, array, lower))
	return x.Folded(convert.OfKeptText(text, typ.Element(), e.Pos))
}

// oneDimension is the only subscript of an array.
func oneDimension(subscripts []sql.Bounds) *sql.Bounds {
	if len(subscripts) > 1 {
		panic(term.NotSupported(subscripts[1].Pos, "a subscript of several dimensions is"))
	}
	return &subscripts[0]
}

// WithElement is an array or a value of jsonb with the part that subscripts lead to set. It fails where one of them is NULL.
func WithElement(x *scope.Exprs, whole algebra.Expr, subscripts []sql.Bounds, part algebra.Expr, pos sql.Pos) algebra.Expr {
	if whole.Type().Kind == algebra.JSONBinary {
		return withJSON(x, whole, subscripts, part)
	}
	if subscript := oneDimension(subscripts); subscript.Slice {
		return withSlice(x, whole, subscript, part, pos)
	}
	return withItem(x, whole, &subscripts[0], part, pos)
}

// withItem is an array with an element in the place of that with a subscript.
func withItem(x *scope.Exprs, array algebra.Expr, subscript *sql.Bounds, element algebra.Expr, pos sql.Pos) algebra.Expr {
	at := bound(x, subscript.Lower, minIndex)
	item := ArrayItem(x, element, pos)
	return x.Folded(term.Call(value.ArraySet, array.Type(), pos, orEmpty(x.Binder, array), orZero(at), item, term.NotNull(at)))
}

// withSlice is an array with the elements of another one in the place of a slice; NULL in the place of elements changes nothing.
func withSlice(x *scope.Exprs, array algebra.Expr, subscript *sql.Bounds, elements algebra.Expr, pos sql.Pos) algebra.Expr {
	lower, upper := bound(x, subscript.Lower, minIndex), bound(x, subscript.Upper, maxIndex)
	array = orEmpty(x.Binder, array)
	known := term.Connect(algebra.And, []algebra.Expr{term.NotNull(lower), term.NotNull(upper)}, pos)
	set := x.Folded(term.Call(value.ArraySet, array.Type(), pos, array, orZero(lower), orZero(upper), elements, known))
	return x.Folded(term.Coalesce([]algebra.Expr{set, array}, array.Type()))
}

// orZero is a subscript, 0 in the place of NULL.
func orZero(subscript algebra.Expr) algebra.Expr {
	return term.Coalesce([]algebra.Expr{subscript, term.Int32Const(0)}, algebra.TInt32)
}

// bound is a bound of a subscript, or what stands for one that is left out.
func bound(x *scope.Exprs, e sql.Expr, without int64) algebra.Expr {
	if e == nil {
		return &algebra.Const{Val: value.Value{Kind: value.Int, I: without}, Typ: algebra.TInt32}
	}
	bound := x.Expr(e)
	if sqltype.CastNeeds(bound.Type().Kind, algebra.Int32) > sqltype.Assignment || bound.Type().Kind == algebra.Text {
		panic(value.ErrorAt(int(e.Position()), value.CodeDatatypeMismatch, "array subscript must have type integer"))
	}
	return convert.Coerce(x, bound, algebra.TInt32, sqltype.Assignment, e.Position())
}

// concatArrays binds || where one side is an array: two arrays, or an array and an
// element. An untyped literal is an array.
func concatArrays(x *scope.Exprs, l, r algebra.Expr, at term.Operands) algebra.Expr {
	isArray := func(e algebra.Expr) bool { return e.Type().Kind == algebra.Array || e.Type().Kind == algebra.Unknown }
	c := &CallSite{Exprs: x, Positions: []sql.Pos{at.Left, at.Right}, Pos: at.Pos}
	f := arrayCat
	switch {
	case !isArray(r):
		f = arrayAppend
	case !isArray(l):
		f = arrayPrepend
	}
	return operatorOf(c, f, l, r, at)
}

// operatorOf binds an operator as a function, whose error about the types of its
// arguments is that of an operator.
func operatorOf(c *CallSite, f func(*CallSite, []algebra.Expr) algebra.Expr, l, r algebra.Expr, at term.Operands) algebra.Expr {
	bound, err := sqlstate.Try(func() algebra.Expr { return f(c, []algebra.Expr{l, r}) })
	if e, ok := err.(*value.Error); ok && e.Code == value.CodeUndefinedFunction {
		panic(term.NoOperator(at.Op, l, r, at.Pos))
	}
	if err != nil {
		panic(err)
	}
	return bound
}

// containments are the operators that look for elements.
var containments = map[string]algebra.Func{
	"@>": value.ArrayContains, "<@": value.ArrayContains, "&&": value.ArrayOverlaps,
}

// containment binds @>, <@ and &&.
func containment(x *scope.Exprs, l, r algebra.Expr, at term.Operands) algebra.Expr {
	l, r = convert.AsArray(l, at.Left), convert.AsArray(r, at.Right)
	lt, rt := l.Type(), r.Type()
	switch {
	case lt.Kind == algebra.Unknown && rt.Kind == algebra.Unknown:
		panic(term.NotUnique(at, l, r))
	case lt.Kind == algebra.Array && rt.Kind == algebra.Array && !sqltype.SameElements(lt, rt):
		panic(term.NoOperator(at.Op, l, r, at.Pos))
	}
	c := &CallSite{Exprs: x, Positions: []sql.Pos{at.Left, at.Right}, Pos: at.Pos}
	return operatorOf(c, func(c *CallSite, args []algebra.Expr) algebra.Expr {
		typ := c.sameArrays(args)
		if at.Op == "<@" {
			args[0], args[1] = args[1], args[0]
		}
		return x.Folded(term.Call(containments[at.Op], algebra.TBool, at.Pos, convert.ElementText(typ), args[0], args[1]))
	}, l, r, at)
}

// anyElement binds l op ANY (array) and ALL for an array that is known when the
// query runs only.
func anyElement(x *scope.Exprs, l, array algebra.Expr, e *sql.Quantified) algebra.Expr {
	at := term.Operands{Op: e.Op, Left: e.X.Position(), Right: e.Array.Position(), Pos: e.Pos}
	if _, ok := comparisons[e.Op]; !ok {
		panic(term.NotSupported(e.Pos, e.Op+" ANY or ALL of an array that is not constant is"))
	}
	elem := array.Type().Element()
	l = literalLike(x, l, elem, at.Left)
	typ, ok := comparisonType(l.Type(), elem)
	if !ok || l.Type().Kind == algebra.Array {
		panic(term.NoOperator(e.Op, l, &algebra.Const{Typ: elem}, e.Pos))
	}
	if typ.Kind == algebra.Decimal {
		typ = algebra.TNumeric
	}
	l = convert.Coerce(x, l, typ, sqltype.Implicit, at.Left)
	array = convert.Coerce(x, array, algebra.TArray(typ), sqltype.Implicit, at.Right)
	item := ArrayItem(x, l, e.Pos)
	f := algebra.Func(value.ArrayAny)
	if e.All {
		f = value.ArrayAll
	}
	return x.Folded(term.Call(f, algebra.TBool, e.Pos, convert.ElementText(array.Type()), term.TextConst(e.Op), item, array))
}
