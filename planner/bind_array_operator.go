package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// subscript binds a[i] and a[i:j].
func (x *exprBinder) subscript(e *sql.Subscript) (algebra.Expr, error) {
	array, err := x.expr(e.X)
	if err != nil {
		return nil, err
	}
	array = asArray(array, e.Pos)
	typ := array.Type()
	if typ.Kind != algebra.Array {
		return nil, value.ErrorAt(int(e.X.Position()), value.CodeDatatypeMismatch,
			"cannot subscript type %s because it does not support subscripting", sqltype.Name(typ))
	}
	lower, err := x.bound(e.Lower, minIndex)
	if err != nil {
		return nil, err
	}
	if e.Slice {
		upper, err := x.bound(e.Upper, maxIndex)
		if err != nil {
			return nil, err
		}
		return x.folded(call(value.ArraySlice, typ, e.Pos, array, lower, upper)), nil
	}
	text := x.folded(call(value.ArrayGet, algebra.TText, e.Pos, array, lower))
	return x.coerce(text, typ.Element(), sqltype.Explicit, e.Pos)
}

// bound is a bound of a subscript, or what stands for one that is left out.
func (x *exprBinder) bound(e sql.Expr, without int64) (algebra.Expr, error) {
	if e == nil {
		return &algebra.Const{Val: value.Value{Kind: value.Int, I: without}, Typ: algebra.TInt32}, nil
	}
	bound, err := x.expr(e)
	if err != nil {
		return nil, err
	}
	if sqltype.CastNeeds(bound.Type().Kind, algebra.Int32) > sqltype.Assignment || bound.Type().Kind == algebra.Text {
		return nil, value.ErrorAt(int(e.Position()), value.CodeDatatypeMismatch, "array subscript must have type integer")
	}
	return x.coerce(bound, algebra.TInt32, sqltype.Assignment, e.Position())
}

// concatArrays binds || where one side is an array: two arrays, or an array and an
// element. An untyped literal is an array.
func (x *exprBinder) concatArrays(l, r algebra.Expr, at operands) (algebra.Expr, error) {
	isArray := func(e algebra.Expr) bool { return e.Type().Kind == algebra.Array || e.Type().Kind == algebra.Unknown }
	c := &callSite{exprBinder: x, positions: []sql.Pos{at.left, at.right}, pos: at.pos}
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
func operatorOf(c *callSite, f func(*callSite, []algebra.Expr) (algebra.Expr, error), l, r algebra.Expr, at operands) (algebra.Expr, error) {
	bound, err := f(c, []algebra.Expr{l, r})
	if e, ok := err.(*value.Error); ok && e.Code == value.CodeUndefinedFunction {
		return nil, noOperator(at.op, l, r, at.pos)
	}
	return bound, err
}

// containments are the operators that look for elements.
var containments = map[string]algebra.Func{
	"@>": value.ArrayContains, "<@": value.ArrayContains, "&&": value.ArrayOverlaps,
}

// containment binds @>, <@ and &&.
func (x *exprBinder) containment(l, r algebra.Expr, at operands) (algebra.Expr, error) {
	l, r = asArray(l, at.left), asArray(r, at.right)
	lt, rt := l.Type(), r.Type()
	switch {
	case lt.Kind == algebra.Unknown && rt.Kind == algebra.Unknown:
		return nil, notUnique(at, l, r)
	case lt.Kind == algebra.Array && rt.Kind == algebra.Array && !sqltype.SameElements(lt, rt):
		return nil, noOperator(at.op, l, r, at.pos)
	}
	c := &callSite{exprBinder: x, positions: []sql.Pos{at.left, at.right}, pos: at.pos}
	return operatorOf(c, func(c *callSite, args []algebra.Expr) (algebra.Expr, error) {
		typ, err := c.sameArrays(args)
		if err != nil {
			return nil, err
		}
		if at.op == "<@" {
			args[0], args[1] = args[1], args[0]
		}
		return x.folded(call(containments[at.op], algebra.TBool, at.pos, elementText(typ), args[0], args[1])), nil
	}, l, r, at)
}

// anyElement binds l op ANY (array) and ALL for an array that is known when the
// query runs only.
func (x *exprBinder) anyElement(l, array algebra.Expr, e *sql.Quantified) (algebra.Expr, error) {
	at := operands{e.Op, e.X.Position(), e.Array.Position(), e.Pos}
	if _, ok := comparisons[e.Op]; !ok {
		return nil, notSupported(e.Pos, e.Op+" ANY or ALL of an array that is not constant is")
	}
	var err error
	elem := array.Type().Element()
	if l, err = x.literalLike(l, elem, at.left); err != nil {
		return nil, err
	}
	typ, ok := comparisonType(l.Type(), elem)
	if !ok || l.Type().Kind == algebra.Array {
		return nil, noOperator(e.Op, l, &algebra.Const{Typ: elem}, e.Pos)
	}
	if typ.Kind == algebra.Decimal {
		typ = algebra.TNumeric
	}
	if l, err = x.coerce(l, typ, sqltype.Implicit, at.left); err != nil {
		return nil, err
	}
	if array, err = x.coerce(array, algebra.TArray(typ), sqltype.Implicit, at.right); err != nil {
		return nil, err
	}
	item, err := x.arrayItem(l, e.Pos)
	if err != nil {
		return nil, err
	}
	f := algebra.Func(value.ArrayAny)
	if e.All {
		f = value.ArrayAll
	}
	return x.folded(call(f, algebra.TBool, e.Pos, elementText(array.Type()), textConst(e.Op), item, array)), nil
}
