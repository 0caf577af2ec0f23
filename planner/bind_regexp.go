package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
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
func (x *exprBinder) regexpMatch(e *sql.Binary, op regexpOp) (algebra.Expr, error) {
	l, r, err := x.pair(e.L, e.R)
	if err != nil {
		return nil, err
	}
	if !isTextual(l) || !isTextual(r) {
		return nil, noOperator(e.Op, l, r, e.Pos)
	}
	if l, err = x.coerce(x.shown(l), algebra.TText, sqltype.Implicit, e.L.Position()); err != nil {
		return nil, err
	}
	if r, err = x.coerce(r, algebra.TText, sqltype.Implicit, e.R.Position()); err != nil {
		return nil, err
	}
	return negateIf(op.not, call(algebra.RegexpLike, algebra.TBool, e.Pos, l, r, textConst(op.flags))), nil
}
