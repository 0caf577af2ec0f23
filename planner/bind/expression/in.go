package expression

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// in binds x IN (list): to one test against constants of one type, and to an
// OR of comparisons with what is not constant.
func in(x *scope.Exprs, e *sql.In) algebra.Expr {
	if e.Query != nil {
		return inQuery(x, e)
	}
	if left, ok := e.X.(*sql.Row); ok {
		return inRows(x, e, left)
	}
	exprs := make([]algebra.Expr, 0, len(e.List)+1)
	positions := make([]sql.Pos, 0, len(e.List)+1)
	for _, item := range append([]sql.Expr{e.X}, e.List...) {
		bound := x.Expr(item)
		exprs, positions = append(exprs, bound), append(positions, item.Position())
	}
	return inList(x, e, exprs, positions)
}

// inList binds the test whether the first of some expressions is among the others. As in
// PostgreSQL, what reads columns is compared by itself, in a type that the others have no
// part in.
func inList(x *scope.Exprs, e *sql.In, exprs []algebra.Expr, positions []sql.Pos) algebra.Expr {
	fixed, at := exprs[:1:1], positions[:1:1]
	var tests []algebra.Expr
	for i, item := range exprs[1:] {
		if term.Depends(item) {
			tests = append(tests, inOneByOne(x, e, []algebra.Expr{exprs[0], item}, []sql.Pos{positions[0], positions[i+1]}))
		} else {
			fixed, at = append(fixed, item), append(at, positions[i+1])
		}
	}
	if len(fixed) > 1 {
		tests = append([]algebra.Expr{inFixed(x, e, fixed, at)}, tests...)
	}
	return term.NegateIf(e.Not, term.Connect(algebra.Or, tests, e.Pos))
}

// inFixed binds the test against items that read no columns, as if it were not negated.
func inFixed(x *scope.Exprs, e *sql.In, exprs []algebra.Expr, positions []sql.Pos) algebra.Expr {
	if l, r := exprs[0], exprs[1]; len(exprs) == 2 && l.Type().Kind == algebra.Array && r.Type().Kind == algebra.Array && !sqltype.SameElements(l.Type(), r.Type()) {
		panic(term.NoOperator(listOperator(e), l, r, e.Pos))
	}
	typ, ok := listType(exprs)
	for i := range exprs {
		exprs[i] = literalLike(x, exprs[i], typ, positions[i])
	}
	if ok {
		typ, ok = listType(exprs) // with the digits of the literals
	}
	if !ok {
		return inOneByOne(x, e, exprs, positions)
	}
	for i := range exprs[1:] {
		exprs[0], exprs[i+1] = convert.ComparedChars(x.Binder, exprs[0], exprs[i+1])
	}
	for i := range exprs {
		exprs[i] = operand(x, exprs[i], typ, positions[i])
	}
	for _, item := range exprs[1:] {
		if _, ok := item.(*algebra.Const); !ok || !algebra.Groupable(typ) {
			return inOneByOne(x, e, exprs, positions)
		}
	}
	return term.Call(algebra.In, algebra.TBool, e.Pos, exprs...)
}

// listOperator is what PostgreSQL compares with each item.
func listOperator(e *sql.In) string {
	if e.Not {
		return "<>"
	}
	return "="
}

// listType is the type in which all of the expressions are compared.
func listType(exprs []algebra.Expr) (algebra.Type, bool) {
	typ := algebra.TUnknown
	for _, e := range exprs {
		var ok bool
		switch {
		case e.Type().Kind == algebra.Unknown:
			continue
		case typ.Kind == algebra.Unknown:
			typ = e.Type()
			continue
		}
		if typ, ok = comparisonType(typ, e.Type()); !ok {
			return typ, false
		}
	}
	switch {
	case typ.Kind == algebra.Unknown:
		typ = algebra.TText
	case typ == algebra.TFloat64 && len(exprs) > 2:
		typ = realList(exprs)
	}
	return typ, true
}

// realList is real where no expression of several that are compared in double
// precision is of that type: PostgreSQL makes an array of several items, of their
// common type.
func realList(exprs []algebra.Expr) algebra.Type {
	if slices.ContainsFunc(exprs, func(e algebra.Expr) bool { return e.Type() == algebra.TFloat64 }) {
		return algebra.TFloat64
	}
	return algebra.TFloat32
}

func inOneByOne(x *scope.Exprs, e *sql.In, exprs []algebra.Expr, positions []sql.Pos) algebra.Expr {
	eqs := make([]algebra.Expr, len(exprs)-1)
	for i, item := range exprs[1:] {
		at := term.Operands{Op: listOperator(e), Left: positions[0], Right: positions[i+1], Pos: e.Pos}
		eqs[i] = Compare(x, algebra.Eq, exprs[0], item, at)
	}
	return term.Connect(algebra.Or, eqs, e.Pos)
}

// rows reports whether a comparison is one of row values.
func rows(e *sql.Binary) (l, r *sql.Row, ok bool) {
	l, isRow := e.L.(*sql.Row)
	r, alsoRow := e.R.(*sql.Row)
	return l, r, isRow && alsoRow
}

// compareRows binds (a, b) = (c, d) and its negation column by column.
func compareRows(x *scope.Exprs, e *sql.Binary, l, r *sql.Row) algebra.Expr {
	if e.Op != "=" && e.Op != "<>" {
		return orderRows(x, e, l, r)
	}
	return term.NegateIf(e.Op == "<>", equalRows(x, l, r, e.Pos))
}

func equalRows(x *scope.Exprs, l, r *sql.Row, pos sql.Pos) algebra.Expr {
	l, r = sameLength(x, l, r, pos)
	eqs := make([]algebra.Expr, len(l.Exprs))
	for i := range l.Exprs {
		eqs[i] = comparison(x, algebra.Eq, "=", l.Exprs[i], r.Exprs[i], pos)
	}
	return term.Connect(algebra.And, eqs, pos)
}

// inRows binds (a, b) IN ((1, 2), …).
func inRows(x *scope.Exprs, e *sql.In, left *sql.Row) algebra.Expr {
	eqs := make([]algebra.Expr, len(e.List))
	for i, item := range e.List {
		right, ok := item.(*sql.Row)
		if !ok {
			panic(value.ErrorAt(int(item.Position()), value.CodeSyntax, "a row value is compared with a value that is none"))
		}
		eqs[i] = equalRows(x, left, right, e.Pos)
	}
	return term.NegateIf(e.Not, term.Connect(algebra.Or, eqs, e.Pos))
}
