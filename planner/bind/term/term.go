// Package term makes the small expressions that many parts of the binder need, and the texts
// of its messages. It knows no statement.
package term

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

func Call(f algebra.Func, typ algebra.Type, pos sql.Pos, args ...algebra.Expr) *algebra.Call {
	return &algebra.Call{Func: f, Args: args, Typ: typ, Pos: int(pos)}
}

func NegateIf(not bool, e algebra.Expr) algebra.Expr {
	if !not {
		return e
	}
	return &algebra.Call{Func: algebra.Not, Args: []algebra.Expr{e}, Typ: algebra.TBool, Pos: value.NoPos}
}

func FloatConst(f float64) *algebra.Const {
	return &algebra.Const{Val: value.Value{Kind: value.Float, F: f}, Typ: algebra.TFloat64}
}

func TextConst(s string) *algebra.Const {
	return &algebra.Const{Val: value.Value{Kind: value.Text, S: s}, Typ: algebra.TText}
}

func Int64Value(i int64) *algebra.Const {
	return &algebra.Const{Val: value.Value{Kind: value.Int, I: i}, Typ: algebra.TInt64}
}

// Equals is that a column has a value.
func Equals(col *algebra.ColumnRef, e algebra.Expr) algebra.Expr {
	return Call(algebra.Eq, algebra.TBool, sql.NoPos, col, e)
}

func IsNull(e algebra.Expr) algebra.Expr { return Call(algebra.IsNull, algebra.TBool, sql.NoPos, e) }

func NotNull(e algebra.Expr) algebra.Expr {
	return Call(algebra.Not, algebra.TBool, sql.NoPos, IsNull(e))
}

// Coalesce is the first argument that is not NULL.
func Coalesce(args []algebra.Expr, typ algebra.Type) algebra.Expr {
	last := len(args) - 1
	if last == 0 {
		return args[0]
	}
	c := &algebra.Case{Else: args[last], Typ: typ}
	for _, arg := range args[:last] {
		c.Whens = append(c.Whens, algebra.When{Cond: NotNull(arg), Then: arg})
	}
	return c
}

func TextNull() *algebra.Const { return &algebra.Const{Typ: algebra.TText} }

func Int32Const(i int64) *algebra.Const {
	return &algebra.Const{Val: value.Value{Kind: value.Int, I: i}, Typ: algebra.TInt32}
}

// Connect joins conditions with AND or OR; one condition stays as it is.
func Connect(f algebra.Func, conds []algebra.Expr, pos sql.Pos) algebra.Expr {
	if len(conds) == 1 {
		return conds[0]
	}
	return Call(f, algebra.TBool, pos, conds...)
}

// PassOn are items that pass columns on.
func PassOn(cols []algebra.Column) []algebra.Item {
	return lists.Map(cols, func(c algebra.Column) algebra.Item { return algebra.Item{Column: c, Expr: c.Ref()} })
}

// HasSubquery reports whether a part of an expression is a subquery.
func HasSubquery(e algebra.Expr) bool { return Contains(e, isSubquery) }

// IsVolatile reports whether an expression may have another value for each row although
// it names no column.
func IsVolatile(e algebra.Expr) bool { return Contains(e, isRandom) }

func isSubquery(e algebra.Expr) bool {
	_, ok := e.(*algebra.Subquery)
	return ok
}

func isRandom(e algebra.Expr) bool {
	c, ok := e.(*algebra.Call)
	return ok && c.Func == algebra.Random
}

// Contains reports whether a part of an expression passes a test.
func Contains(e algebra.Expr, test func(algebra.Expr) bool) bool {
	found := false
	algebra.WalkExpr(e, func(e algebra.Expr) bool {
		found = found || test(e)
		return !found
	})
	return found
}

// Depends reports whether an expression needs a row of a query to be computed.
func Depends(e algebra.Expr) bool {
	return Contains(e, func(e algebra.Expr) bool {
		_, ok := e.(*algebra.ColumnRef)
		return ok || isSubquery(e) || isRandom(e)
	})
}

// References are the columns of expressions, of which some are nil.
func References(exprs ...algebra.Expr) algebra.ColSet {
	var refs algebra.ColSet
	for _, e := range exprs {
		if e != nil {
			refs.AddReferences(e)
		}
	}
	return refs
}

// BoolOutput is a boolean as a result shows it, t or f, where a cast to text
// is true or false.
func BoolOutput(e algebra.Expr) algebra.Expr {
	return &algebra.Case{Typ: algebra.TText, Whens: []algebra.When{
		{Cond: e, Then: TextConst("t")},
		{Cond: Call(algebra.Not, algebra.TBool, value.NoPos, e), Then: TextConst("f")},
	}}
}

func SameExprs(a, b []algebra.Expr) bool {
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

func SameKeys(a, b []algebra.SortKey) bool {
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

func IsTextual(e algebra.Expr) bool {
	k := e.Type().Kind
	return k == algebra.Text || k == algebra.Unknown
}
