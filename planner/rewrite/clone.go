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

// column makes the column that stands for another.
func (c *cloner) column(col algebra.Column) algebra.Column {
	fresh := c.newColumn(col)
	c.cols[col.ID] = fresh
	return fresh
}

func (c *cloner) columns(cols []algebra.Column) []algebra.Column {
	out := make([]algebra.Column, len(cols))
	for i, col := range cols {
		out[i] = c.column(col)
	}
	return out
}

// of gives the column that stands for one of the plan's, with the nullability
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
		value.End(value.Errorf(value.CodeTooComplex, "the subqueries of the statement need copies of more than %d operators", maxCopied))
	}
	n = algebra.MapInputs(n, c.node)
	n = algebra.MapExprs(n, c.expr)
	switch n := n.(type) {
	case *algebra.Scan:
		out := *n
		out.Cols = c.columns(n.Cols)
		return &out
	case *algebra.Values:
		return &algebra.Values{Cols: c.columns(n.Cols), Rows: n.Rows}
	case *algebra.Project:
		return &algebra.Project{Input: n.Input, Items: c.items(n.Items)}
	case *algebra.Aggregate:
		return c.aggregate(n)
	case *algebra.Window:
		out := *n
		out.Calls = append([]algebra.WindowCall(nil), n.Calls...)
		for i := range out.Calls {
			out.Calls[i].Column = c.column(n.Calls[i].Column)
		}
		return &out
	case *algebra.Recursive:
		out := *n
		out.Cols = c.columns(n.Cols)
		return &out
	case *algebra.Working:
		return &algebra.Working{Of: n.Of, Cols: c.columns(n.Cols)}
	case *algebra.Repetition:
		out := *n
		out.Ordinal = c.column(n.Ordinal)
		return &out
	case *algebra.SetOp:
		out := *n
		out.Cols = c.columns(n.Cols)
		return &out
	}
	return n
}

// items gives computed columns fresh IDs; a column that is passed on has one
// already.
func (c *cloner) items(items []algebra.Item) []algebra.Item {
	out := make([]algebra.Item, len(items))
	for i, item := range items {
		out[i] = item
		if fresh, ok := c.cols[item.Column.ID]; ok {
			out[i].Column.ID = fresh.ID
		} else {
			out[i].Column = c.column(item.Column)
		}
	}
	return out
}

func (c *cloner) aggregate(n *algebra.Aggregate) algebra.Node {
	out := *n
	out.Keys = c.items(n.Keys)
	out.Aggs = append([]algebra.Agg(nil), n.Aggs...)
	for i := range out.Aggs {
		out.Aggs[i].Column = c.column(n.Aggs[i].Column)
	}
	if n.GroupingID.ID != 0 {
		out.GroupingID = c.column(n.GroupingID)
	}
	return &out
}
