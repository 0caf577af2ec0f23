package rewrite

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// maxDigits is how many digits a decimal has at most.
const maxDigits = 38

func conjunction(conds []algebra.Expr) algebra.Expr {
	switch len(conds) {
	case 0:
		return nil
	case 1:
		return conds[0]
	}
	return newCall(algebra.And, conds...)
}

// both is the conjunction of two conditions of which either may be nil.
func both(a, b algebra.Expr) algebra.Expr {
	var conds []algebra.Expr
	for _, e := range []algebra.Expr{a, b} {
		if e != nil {
			conds = append(conds, algebra.Conjuncts(e)...)
		}
	}
	return conjunction(conds)
}

// asType is an expression with a cast where its type is another one.
func asType(e algebra.Expr, t algebra.Type) algebra.Expr {
	if e.Type() == t {
		return e
	}
	return &algebra.Call{Func: algebra.Cast, Args: []algebra.Expr{e}, Typ: t, Pos: value.NoPos}
}

// mirror returns the comparison that is the same with its operands exchanged.
var mirror = map[algebra.Func]algebra.Func{
	algebra.Eq: algebra.Eq, algebra.Ne: algebra.Ne, algebra.Lt: algebra.Gt,
	algebra.Gt: algebra.Lt, algebra.Le: algebra.Ge, algebra.Ge: algebra.Le,
}

func allConstant(exprs []algebra.Expr) bool {
	for _, e := range exprs {
		if _, ok := e.(*algebra.Const); !ok {
			return false
		}
	}
	return true
}

func isNull(e algebra.Expr) bool {
	c, ok := e.(*algebra.Const)
	return ok && c.Val.Kind == value.Null
}

// isBool reports whether e is the constant b.
func isBool(e algebra.Expr, b bool) bool {
	c, ok := e.(*algebra.Const)
	return ok && c.Val.Kind == value.Bool && c.Val.B == b
}

func boolConst(b bool) *algebra.Const {
	return &algebra.Const{Val: value.Value{Kind: value.Bool, B: b}, Typ: algebra.TBool}
}

func newCall(f algebra.Func, args ...algebra.Expr) *algebra.Call {
	return &algebra.Call{Func: f, Args: args, Typ: algebra.TBool, Pos: value.NoPos}
}

// equality is a key as a condition.
func equality(key algebra.JoinKey) algebra.Expr {
	if key.NullSafe {
		return newCall(algebra.Not, newCall(algebra.Distinct, key.Left, key.Right))
	}
	return newCall(algebra.Eq, key.Left, key.Right)
}

func sameExprs(a, b []algebra.Expr) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// notNull is that an expression is not NULL.
func notNull(e algebra.Expr) algebra.Expr {
	return newCall(algebra.Not, newCall(algebra.IsNull, e))
}

func substituteIn(exprs []algebra.Expr, by map[algebra.ColumnID]algebra.Expr) []algebra.Expr {
	if len(exprs) == 0 {
		return nil
	}
	return lists.Map(exprs, func(e algebra.Expr) algebra.Expr { return algebra.Substitute(e, by) })
}

func int32Const(i int) *algebra.Const {
	return &algebra.Const{Val: value.Value{Kind: value.Int, I: int64(i)}, Typ: algebra.TInt32}
}

func int64Const(i int64) *algebra.Const {
	return &algebra.Const{Val: value.Value{Kind: value.Int, I: i}, Typ: algebra.TInt64}
}
