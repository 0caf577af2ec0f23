package expression

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// compareArrays binds a comparison of two arrays. Those of elements with one text
// each are equal where they are the same; else, and in an order, texts that order
// as the arrays do are compared in their place.
func compareArrays(x *scope.Exprs, f algebra.Func, l, r algebra.Expr, at term.Operands) algebra.Expr {
	lt, rt := l.Type(), r.Type()
	if !sqltype.SameElements(lt, rt) {
		panic(term.NoOperator(at.Op, l, r, at.Pos))
	}
	switch f {
	case algebra.Eq, algebra.Ne, algebra.Distinct:
		if algebra.Comparable(lt, rt) && algebra.Groupable(lt) && algebra.Groupable(rt) {
			return term.Call(f, algebra.TBool, at.Pos, l, r)
		}
	}
	return term.Call(f, algebra.TBool, at.Pos, arrayOrder(x.Binder, l, at.Left), arrayOrder(x.Binder, r, at.Right))
}

// arrayOrder is a text that orders as an array does.
func arrayOrder(b *scope.Binder, array algebra.Expr, pos sql.Pos) algebra.Expr {
	return b.Folded(term.Call(value.ArrayOrder, algebra.TText, pos, convert.ElementText(array.Type()), array))
}

// compareRecords binds the comparison of two values of row types, which takes NULLs for
// equal and for greater than all else.
func compareRecords(x *scope.Exprs, f algebra.Func, l, r algebra.Expr, at term.Operands) algebra.Expr {
	ls, rs := l.Type().Fields(), r.Type().Fields()
	for i := range min(len(ls), len(rs)) {
		if lt, rt := ls[i].Type, rs[i].Type; lt.OID() != rt.OID() || (lt == algebra.TUnknown) != (rt == algebra.TUnknown) {
			panic(value.Errorf(value.CodeDatatypeMismatch, "cannot compare dissimilar column types %s and %s at record column %d", sqltype.Name(lt), sqltype.Name(rt), i+1))
		}
	}
	if len(ls) != len(rs) {
		panic(value.Errorf(value.CodeDatatypeMismatch, "cannot compare record types with different numbers of columns"))
	}
	if json := fieldWithoutOrder(l.Type()); json != algebra.TUnknown {
		what := "a comparison function"
		if f == algebra.Eq || f == algebra.Ne || f == algebra.Distinct {
			what = "an equality operator"
		}
		panic(value.Errorf(value.CodeUndefinedFunction, "could not identify %s for type %s", what, sqltype.Name(json)))
	}
	return term.Call(f, algebra.TBool, at.Pos, OrderKey(x.Binder, l, at.Left), OrderKey(x.Binder, r, at.Right))
}

// rowOrder is a text that orders as a row does.
func rowOrder(b *scope.Binder, row algebra.Expr, pos sql.Pos) algebra.Expr {
	if HasNoOrder(row.Type()) {
		return row // sorting and grouping refuse it
	}
	if err := sqltype.CheckRowStyle(row.Type(), b.Opts.Style); err != nil {
		panic(err)
	}
	return b.Folded(term.Call(value.RowOrder, algebra.TText, pos, term.TextConst(algebra.FieldTypes(row.Type())), row))
}

// OrderKey is a text that orders as values of a type do whose texts do not; of any other
// type it is the value.
func OrderKey(b *scope.Binder, e algebra.Expr, pos sql.Pos) algebra.Expr {
	switch e.Type().Kind {
	case algebra.Array:
		return arrayOrder(b, e, pos)
	case algebra.Record:
		return rowOrder(b, e, pos)
	case algebra.JSONBinary:
		return b.Folded(term.Call(value.JSONBOrder, algebra.TText, pos, e))
	}
	return e
}

// IsArrayOrder reports whether a sort key stands for an array.
func IsArrayOrder(e algebra.Expr) bool {
	c, ok := e.(*algebra.Call)
	return ok && c.Func == value.ArrayOrder
}

// Sorted is the value that a sort key stands for.
func Sorted(key algebra.Expr) algebra.Expr {
	if c, ok := key.(*algebra.Call); ok && c.Func == value.JSONBOrder {
		return c.Args[0]
	}
	return key
}

// SortKey decides where NULLs stand: last in ascending and first in descending
// order where nothing else is said. Arrays are in the order of their elements.
func SortKey(b *scope.Binder, item sql.OrderItem, e algebra.Expr) algebra.SortKey {
	first := item.Desc
	if item.Nulls != sql.NullsDefault {
		first = item.Nulls == sql.NullsFirst
	}
	e = convert.ComparedChar(b, OrderKey(b, e, item.Expr.Position()))
	return algebra.SortKey{Expr: e, Desc: item.Desc, NullsFirst: first}
}
