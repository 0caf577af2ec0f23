package expression

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

var comparisons = map[string]algebra.Func{
	"=": algebra.Eq, "<>": algebra.Ne, "<": algebra.Lt, "<=": algebra.Le, ">": algebra.Gt, ">=": algebra.Ge,
}

func comparison(x *scope.Exprs, f algebra.Func, op string, l, r sql.Expr, pos sql.Pos) algebra.Expr {
	left, right := convert.Pair(x, l, r)
	return Compare(x, f, left, right, term.Operands{Op: op, Left: l.Position(), Right: r.Position(), Pos: pos})
}

// Compare binds a comparison: both operands get the type in which they are
// compared.
func Compare(x *scope.Exprs, f algebra.Func, l, r algebra.Expr, at term.Operands) algebra.Expr {
	l = literalLike(x, l, r.Type(), at.Left)
	r = literalLike(x, r, l.Type(), at.Right)
	if l.Type().Kind == algebra.Array && !HasNoOrder(l.Type()) && r.Type().Kind == algebra.Array {
		return compareArrays(x, f, l, r, at)
	}
	if l.Type().Kind == algebra.Record && r.Type().Kind == algebra.Record {
		return compareRecords(x, f, l, r, at)
	}
	if HasNoOrder(l.Type()) || HasNoOrder(r.Type()) {
		panic(term.NoOperator(at.Op, l, r, at.Pos))
	}
	if l.Type().Kind == algebra.JSONBinary && r.Type().Kind == algebra.JSONBinary {
		l, r = OrderKey(x.Binder, l, at.Left), OrderKey(x.Binder, r, at.Right)
	}
	l, r = convert.ComparedChars(x.Binder, l, r)
	typ, ok := comparisonType(l.Type(), r.Type())
	if !ok {
		panic(term.NoOperator(at.Op, l, r, at.Pos))
	}
	l = operand(x, l, typ, at.Left)
	r = operand(x, r, typ, at.Right)
	return term.Call(f, algebra.TBool, at.Pos, l, r)
}

// literalLike converts an untyped literal to the type of what it is compared with,
// without that type's precision or length: the literal is not to lose digits
// or characters.
func literalLike(x *scope.Exprs, e algebra.Expr, like algebra.Type, pos sql.Pos) algebra.Expr {
	if e.Type().Kind != algebra.Unknown || like.Kind == algebra.Unknown {
		return e
	}
	if like.Kind == algebra.Float32 && convert.IsWide(x.Binder, e) {
		like = algebra.TFloat64
	}
	switch like.Kind {
	case algebra.Text:
		if like.Padded {
			like = algebra.TBPChar
		} else {
			like = algebra.TText
		}
		return convert.Coerce(x, e, like, sqltype.Implicit, pos)
	case algebra.Decimal:
		e := convert.Coerce(x, e, algebra.TNumeric, sqltype.Implicit, pos)
		if c, ok := e.(*algebra.Const); ok && c.Val.Kind == value.Decimal {
			return &algebra.Const{Val: c.Val, Typ: eval.NumType(c.Val.Num)}
		}
		return e
	}
	return convert.Coerce(x, e, like.Plain(), sqltype.Implicit, pos)
}

// operand converts an operand of a comparison, and leaves it alone where it
// compares as it is.
func operand(x *scope.Exprs, e algebra.Expr, typ algebra.Type, pos sql.Pos) algebra.Expr {
	if e.Type().Kind != algebra.Unknown && algebra.Comparable(e.Type(), typ) {
		return e
	}
	return convert.Coerce(x, e, typ, sqltype.Implicit, pos)
}

// comparisonType is the type in which two values are compared. Decimals are
// compared at the larger scale, and reals in double precision with other numbers.
func comparisonType(a, b algebra.Type) (algebra.Type, bool) {
	if a.Kind == algebra.Time && b.Kind == algebra.Interval || a.Kind == algebra.Interval && b.Kind == algebra.Time {
		return algebra.TInterval, true
	}
	typ, ok := sqltype.Wider(a, b)
	if typ.Kind == algebra.Unknown {
		return algebra.TText, true
	}
	if typ == algebra.TFloat32 && a != b {
		return algebra.TFloat64, ok
	}
	if ok && typ.Kind == algebra.Numeric {
		l, r := sqltype.AsDecimal(a), sqltype.AsDecimal(b)
		if l.Kind == algebra.Decimal && r.Kind == algebra.Decimal {
			scale := max(l.Scale, r.Scale)
			whole := max(l.Precision-l.Scale, r.Precision-r.Scale)
			if int(whole)+int(scale) <= sqltype.MaxPrecision {
				return algebra.TDecimal(whole+scale, scale), true
			}
		}
	}
	return typ, ok
}
