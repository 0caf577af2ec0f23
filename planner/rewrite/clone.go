package rewrite

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// maxCopied is how many nodes the rules may copy for one statement: copies of copies
// can double a plan with each subquery.
const maxCopied = 10_000

// cloner copies a plan with fresh columns, for a plan that is needed twice.
// References to columns that the plan does not make stay as they are.
type cloner struct {
	*context
	cols map[algebra.ColumnID]algebra.Column // what stands for each column
}

func (c *context) clone(n algebra.Node) (algebra.Node, *cloner) {
	cl := &cloner{context: c, cols: make(map[algebra.ColumnID]algebra.Column)}
	return cl.node(n), cl
}

// column returns the column that stands for another; one that is passed on has one already.
func (c *cloner) column(col algebra.Column) algebra.Column {
	if fresh, ok := c.cols[col.ID]; ok {
		col.ID = fresh.ID
		return col
	}
	fresh := c.newColumn(col)
	c.cols[col.ID] = fresh
	return fresh
}

// of returns the column that stands for one of the plan's, with the nullability
// that it had.
func (c *cloner) of(col algebra.Column) algebra.Column {
	fresh, ok := c.cols[col.ID]
	if !ok {
		return col
	}
	fresh.Nullable = col.Nullable
	return fresh
}

func (c *cloner) expr(e algebra.Expr) algebra.Expr {
	return algebra.RewriteExpr(e, func(e algebra.Expr) algebra.Expr {
		if ref, ok := e.(*algebra.ColumnRef); ok {
			if fresh := c.of(ref.Column); fresh.ID != ref.Column.ID {
				return fresh.Ref()
			}
		}
		return e
	})
}

func (c *cloner) node(n algebra.Node) algebra.Node {
	c.opts.Meter.Must(nodeWork)
	if c.copied++; c.copied > maxCopied {
		panic(value.Errorf(value.CodeTooComplex, "the subqueries of the statement need copies of more than %d operators", maxCopied))
	}
	n = algebra.MapInputs(n, c.node)
	n = algebra.MapExprs(n, c.expr)
	return algebra.MapColumns(n, c.column)
}
