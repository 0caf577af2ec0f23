package check

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Groups refuses what groups by arrays of which equal ones can have several
// texts.
func Groups(node algebra.Node) error {
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
					err = Groups(q.Plan)
				}
				return err == nil
			})
		})
		return err == nil
	})
	return err
}

// groupedTypes yields the types by whose equality a node groups rows.
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
