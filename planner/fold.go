package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/sql/value"
)

// constant folds an expression that must not depend on a row.
func (b *binder) constant(e algebra.Expr, pos int) (*algebra.Const, error) {
	c, err := eval.Constant(b.opts.Meter, e)
	if err != nil {
		return nil, value.At(err, pos)
	}
	if c == nil {
		return nil, value.ErrorAt(pos, value.CodeFeatureNotSupported, "only a constant is supported here")
	}
	return c, nil
}

// folded is an expression computed at once where it depends on nothing, unless
// that fails: then it fails where it is evaluated.
func (b *binder) folded(e algebra.Expr) algebra.Expr {
	if c, err := eval.Fold(b.opts.Meter, e); c != nil && err == nil {
		return c
	}
	return e
}
