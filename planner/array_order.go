package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// compareArrays binds a comparison of two arrays. Those of elements with one text
// each are equal where they are the same; else, and in an order, texts that order
// as the arrays do are compared in their place.
func (x *exprBinder) compareArrays(f algebra.Func, l, r algebra.Expr, at operands) (algebra.Expr, error) {
	lt, rt := l.Type(), r.Type()
	if !sqltype.SameElements(lt, rt) {
		return nil, noOperator(at.op, l, r, at.pos)
	}
	switch f {
	case algebra.Eq, algebra.Ne, algebra.Distinct:
		if algebra.Comparable(lt, rt) && algebra.Groupable(lt) && algebra.Groupable(rt) {
			return call(f, algebra.TBool, at.pos, l, r), nil
		}
	}
	return call(f, algebra.TBool, at.pos, x.arrayOrder(l, at.left), x.arrayOrder(r, at.right)), nil
}

// arrayOrder is a text that orders as an array does.
func (b *binder) arrayOrder(array algebra.Expr, pos sql.Pos) algebra.Expr {
	return b.folded(call(value.ArrayOrder, algebra.TText, pos, elementText(array.Type()), array))
}

// isArrayOrder reports whether a sort key stands for an array.
func isArrayOrder(e algebra.Expr) bool {
	c, ok := e.(*algebra.Call)
	return ok && c.Func == value.ArrayOrder
}

// checkGroups refuses what groups by arrays of which equal ones can have several
// texts.
func checkGroups(node algebra.Node) error {
	var err error
	refuse := func(t algebra.Type) {
		if err == nil && !algebra.Groupable(t) {
			err = value.Errorf(value.CodeFeatureNotSupported, "grouping by values of type %s is not supported", sqltype.Name(t))
		}
	}
	algebra.Walk(node, func(n algebra.Node) bool {
		groupedTypes(n, refuse)
		algebra.VisitExprs(n, func(e algebra.Expr) {
			algebra.WalkExpr(e, func(e algebra.Expr) bool {
				if q, ok := e.(*algebra.Subquery); ok && err == nil {
					err = checkGroups(q.Plan)
				}
				return err == nil
			})
		})
		return err == nil
	})
	return err
}

// groupedTypes gives the types by whose equality a node groups rows.
func groupedTypes(n algebra.Node, found func(algebra.Type)) {
	switch n := n.(type) {
	case *algebra.Aggregate:
		for i := range n.Keys {
			found(n.Keys[i].Expr.Type())
		}
		for i := range n.Aggs {
			if n.Aggs[i].Distinct {
				found(n.Aggs[i].Arg.Type())
			}
		}
	case *algebra.Window:
		for _, e := range n.PartitionBy {
			found(e.Type())
		}
	case *algebra.SetOp:
		for _, c := range n.Cols {
			if n.Kind != algebra.Union || !n.All {
				found(c.Type)
			}
		}
	}
}
