package algebra

import (
	"slices"

	"github.com/cubeloom/cubeloom/sql/value"
)

// CanBeNull reports whether the value of e can be NULL.
func CanBeNull(e Expr) bool {
	switch e := e.(type) {
	case *Const:
		return e.Val.Kind == value.Null
	case *ColumnRef:
		return e.Column.Nullable
	case *Call:
		switch e.Func {
		case IsNull, IsTrue, IsFalse, Distinct:
			return false
		}
		if r, ok := Routine(e); ok && r.Nullable || nullOfInfinite(e) {
			return true
		}
		return slices.ContainsFunc(e.Args, CanBeNull)
	case *Case:
		if e.Else == nil || CanBeNull(e.Else) {
			return true
		}
		return slices.ContainsFunc(e.Whens, func(when When) bool { return CanBeNull(when.Then) && !excludesNull(when) })
	case *Subquery:
		return e.Kind != SubqueryExists && (e.Test == nil || CanBeNull(e.Test))
	}
	return true
}

// nullOfInfinite reports whether a call is NULL for infinite dates and timestamps.
func nullOfInfinite(e *Call) bool {
	switch e.Func {
	case Extract:
		return CanBeInfinite(e.Args[1].Type())
	case ToChar:
		return CanBeInfinite(e.Args[0].Type())
	}
	return false
}

// excludesNull reports whether an arm's condition is that its value is not NULL,
// as in what COALESCE is bound to.
func excludesNull(w When) bool {
	not, ok := w.Cond.(*Call)
	if !ok || not.Func != Not {
		return false
	}
	is, ok := not.Args[0].(*Call)
	return ok && is.Func == IsNull && Equal(is.Args[0], w.Then)
}

// Conjuncts are the operands of the ANDs at the top of e, or e itself.
func Conjuncts(e Expr) []Expr {
	call, ok := e.(*Call)
	if !ok || call.Func != And {
		return []Expr{e}
	}
	var conds []Expr
	for _, arg := range call.Args {
		conds = append(conds, Conjuncts(arg)...)
	}
	return conds
}

// Conjunction is the AND of conditions: TRUE for none.
func Conjunction(conds []Expr) Expr {
	switch len(conds) {
	case 0:
		return &Const{Val: value.Value{Kind: value.Bool, B: true}, Typ: TBool}
	case 1:
		return conds[0]
	}
	return &Call{Func: And, Args: conds, Typ: TBool, Pos: value.NoPos}
}
