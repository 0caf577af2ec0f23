package planner

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// Reads reports whether a plan of Build with Options.Trace names a column of the
// table of a handle, by its position, as it was bound. What tableoid is computed of does not count.
func (p *Plan) Reads(table any, ordinal int) bool {
	r := &reading{table: table, ordinal: ordinal, located: p.located, seen: map[algebra.ColumnID]bool{}}
	r.node(p.Bound)
	return r.named.Intersects(r.columns)
}

// reading collects the columns that scans make of a table's column, and those
// that expressions name.
type reading struct {
	table          any
	ordinal        int
	columns, named algebra.ColSet
	located        algebra.ColSet            // the columns tableoid
	seen           map[algebra.ColumnID]bool // spools
}

func (r *reading) node(n algebra.Node) {
	algebra.Walk(n, func(n algebra.Node) bool {
		if scan, ok := n.(*algebra.Scan); ok && scan.Table.Handle == r.table {
			for i, o := range scan.Ordinals {
				if o == r.ordinal {
					r.columns.Add(scan.Cols[i].ID)
				}
			}
		}
		if recursive, ok := n.(*algebra.Recursive); ok {
			r.node(recursive.Base)
			r.node(recursive.Term)
		}
		if spool, ok := n.(*algebra.Spool); ok && spool.Apart && !r.seen[spool.ID] {
			r.seen[spool.ID] = true
			r.node(spool.Input)
		}
		if project, ok := n.(*algebra.Project); !ok || !slices.ContainsFunc(project.Items, r.locates) {
			algebra.VisitExprs(n, r.expr)
		}
		return true
	})
}

// locates reports whether an item computes tableoid, of rows that are passed on.
func (r *reading) locates(item algebra.Item) bool {
	return !item.PassesOn() && r.located.Has(item.Column.ID)
}

func (r *reading) expr(e algebra.Expr) {
	algebra.WalkExpr(e, func(e algebra.Expr) bool {
		switch e := e.(type) {
		case *algebra.ColumnRef:
			r.named.Add(e.Column.ID)
		case *algebra.Subquery:
			r.node(e.Plan)
			if e.Test != nil {
				r.expr(e.Test)
			}
		}
		return true
	})
}
