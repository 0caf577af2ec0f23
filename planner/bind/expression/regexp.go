package expression

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
)

// regexpOp is an operator that matches a regular expression.
type regexpOp struct {
	flags string
	not   bool
}

var regexpOps = map[string]regexpOp{
	"~": {}, "~*": {flags: "i"}, "!~": {not: true}, "!~*": {flags: "i", not: true},
}

// regexpMatch binds x ~ pattern and its kin.
func regexpMatch(x *scope.Exprs, e *sql.Binary, op regexpOp) (algebra.Expr, error) {
	l, r, err := convert.Pair(x, e.L, e.R)
	if err != nil {
		return nil, err
	}
	if !term.IsTextual(l) || !term.IsTextual(r) {
		return nil, term.NoOperator(e.Op, l, r, e.Pos)
	}
	if l, err = convert.Coerce(x, convert.Shown(x.Binder, l), algebra.TText, sqltype.Implicit, e.L.Position()); err != nil {
		return nil, err
	}
	if r, err = convert.Coerce(x, r, algebra.TText, sqltype.Implicit, e.R.Position()); err != nil {
		return nil, err
	}
	return term.NegateIf(op.not, term.Call(algebra.RegexpLike, algebra.TBool, e.Pos, l, r, term.TextConst(op.flags))), nil
}
