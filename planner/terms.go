package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

func call(f algebra.Func, typ algebra.Type, pos sql.Pos, args ...algebra.Expr) *algebra.Call {
	return &algebra.Call{Func: f, Args: args, Typ: typ, Pos: int(pos)}
}

func negateIf(not bool, e algebra.Expr) algebra.Expr {
	if !not {
		return e
	}
	return &algebra.Call{Func: algebra.Not, Args: []algebra.Expr{e}, Typ: algebra.TBool, Pos: value.NoPos}
}

func floatConst(f float64) *algebra.Const {
	return &algebra.Const{Val: value.Value{Kind: value.Float, F: f}, Typ: algebra.TFloat64}
}

func textConst(s string) *algebra.Const {
	return &algebra.Const{Val: value.Value{Kind: value.Text, S: s}, Typ: algebra.TText}
}

func int64Value(i int64) *algebra.Const {
	return &algebra.Const{Val: value.Value{Kind: value.Int, I: i}, Typ: algebra.TInt64}
}

// equals is that a column has a value.
func equals(col *algebra.ColumnRef, e algebra.Expr) algebra.Expr {
	return call(algebra.Eq, algebra.TBool, sql.NoPos, col, e)
}

func isNull(e algebra.Expr) algebra.Expr { return call(algebra.IsNull, algebra.TBool, sql.NoPos, e) }

func notNull(e algebra.Expr) algebra.Expr {
	return call(algebra.Not, algebra.TBool, sql.NoPos, isNull(e))
}

// coalesce is the first argument that is not NULL.
func coalesce(args []algebra.Expr, typ algebra.Type) algebra.Expr {
	last := len(args) - 1
	if last == 0 {
		return args[0]
	}
	c := &algebra.Case{Else: args[last], Typ: typ}
	for _, arg := range args[:last] {
		c.Whens = append(c.Whens, algebra.When{Cond: notNull(arg), Then: arg})
	}
	return c
}

func textNull() *algebra.Const { return &algebra.Const{Typ: algebra.TText} }

func int32Const(i int64) *algebra.Const {
	return &algebra.Const{Val: value.Value{Kind: value.Int, I: i}, Typ: algebra.TInt32}
}

// connect joins conditions with AND or OR; one condition stays as it is.
func connect(f algebra.Func, conds []algebra.Expr, pos sql.Pos) algebra.Expr {
	if len(conds) == 1 {
		return conds[0]
	}
	return call(f, algebra.TBool, pos, conds...)
}

// passOn are items that pass columns on.
func passOn(cols []algebra.Column) []algebra.Item {
	items := make([]algebra.Item, len(cols))
	for i, c := range cols {
		items[i] = algebra.Item{Column: c, Expr: c.Ref()}
	}
	return items
}

func hasSubquery(e algebra.Expr) bool {
	found := false
	algebra.WalkExpr(e, func(e algebra.Expr) bool {
		_, ok := e.(*algebra.Subquery)
		found = found || ok
		return !found
	})
	return found
}

// depends reports whether an expression needs a row of a query to be computed.
func depends(e algebra.Expr) bool {
	found := false
	algebra.WalkExpr(e, func(e algebra.Expr) bool {
		switch e := e.(type) {
		case *algebra.ColumnRef, *algebra.Subquery:
			found = true
		case *algebra.Call:
			found = found || e.Func == algebra.Random
		}
		return !found
	})
	return found
}

// references are the columns of expressions, of which some are nil.
func references(exprs ...algebra.Expr) algebra.ColSet {
	var refs algebra.ColSet
	for _, e := range exprs {
		if e != nil {
			refs.AddReferences(e)
		}
	}
	return refs
}

// boolOutput is a boolean as a result shows it, t or f, where a cast to text
// gives true or false.
func boolOutput(e algebra.Expr) algebra.Expr {
	return &algebra.Case{Typ: algebra.TText, Whens: []algebra.When{
		{Cond: e, Then: textConst("t")},
		{Cond: call(algebra.Not, algebra.TBool, value.NoPos, e), Then: textConst("f")},
	}}
}

func sameExprs(a, b []algebra.Expr) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !algebra.Equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

func sameKeys(a, b []algebra.SortKey) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Desc != b[i].Desc || a[i].NullsFirst != b[i].NullsFirst || !algebra.Equal(a[i].Expr, b[i].Expr) {
			return false
		}
	}
	return true
}

func isTextual(e algebra.Expr) bool {
	k := e.Type().Kind
	return k == algebra.Text || k == algebra.Unknown
}
