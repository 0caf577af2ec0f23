package scope

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Constant folds an expression that must not depend on a row.
func (b *Binder) Constant(e algebra.Expr, pos int) *algebra.Const {
	c, err := eval.Constant(b.Opts.Meter, e)
	if err != nil {
		panic(value.At(err, pos))
	}
	if c == nil {
		panic(value.ErrorAt(pos, value.CodeFeatureNotSupported, "only a constant is supported here"))
	}
	return c
}

// Folded is an expression computed at once where it depends on nothing, unless
// that fails: then it fails where it is evaluated.
func (b *Binder) Folded(e algebra.Expr) algebra.Expr {
	if c, err := eval.Fold(b.Opts.Meter, e); c != nil && err == nil {
		return c
	}
	return e
}
