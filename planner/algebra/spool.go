package algebra

import (
	"slices"
	"strconv"
)

// Spool reads the rows of a plan that several nodes of a query read, such as those of a
// WITH query, and which is computed once for all of them. Cols are columns of its own,
// Cols[i] that of Input's column Ordinals[i].
//
// While the rules run a Spool is a leaf to them (Apart): Input is a plan of its own,
// without references to columns around it. The last rule makes it an input, the same one
// for all that have an ID.
type Spool struct {
	ID       ColumnID // no column has it
	Name     string   // of the WITH query; "" where there is none
	Input    Node
	Cols     []Column
	Ordinals []int
	Apart    bool
	// Forced is set where the query says AS MATERIALIZED, or cannot be computed twice.
	Forced bool
}

// Columns implements Node.
func (n *Spool) Columns() []Column { return n.Cols }

func (n *Spool) op() string { return "spool" }
func (n *Spool) operands() (l, r *Node) {
	if n.Apart {
		return nil, nil
	}
	return &n.Input, nil
}
func (n *Spool) copy() Node { c := *n; return &c }
func (n *Spool) fields() fields {
	return fields{{"rows", true, (*spooled)(n)}, {"columns", false, &n.Cols}}
}

// Of returns the column of Input that a column of the Spool is.
func (n *Spool) Of(id ColumnID) (Column, bool) {
	for i := range n.Cols {
		if n.Cols[i].ID == id {
			return n.Input.Columns()[n.Ordinals[i]], true
		}
	}
	return Column{}, false
}

// Plain is a plan with the rows of a Spool that reads its Input alone.
func (n *Spool) Plain() Node {
	items := n.items()
	top, ok := n.Input.(*Project)
	if !ok {
		return &Project{Input: n.Input, Items: items}
	}
	for i := range items {
		items[i].Expr = top.Items[n.Ordinals[i]].Expr
	}
	return &Project{Input: top.Input, Items: items}
}

// items are the columns as a projection of Input makes them.
func (n *Spool) items() []Item {
	cols := n.Input.Columns()
	items := make([]Item, len(n.Cols))
	for i, c := range n.Cols {
		items[i] = Item{Column: c, Expr: cols[n.Ordinals[i]].Ref()}
	}
	return items
}

// spooled is what a Spool reads.
type spooled Spool

func (s *spooled) texts(ids bool) []string {
	switch {
	case s.Name != "":
		return []string{s.Name}
	case ids:
		return []string{"#" + strconv.Itoa(int(s.ID))}
	}
	return nil
}

func (s *spooled) equal(other property) bool {
	o := other.(*spooled)
	return s.ID == o.ID && slices.Equal(s.Ordinals, o.Ordinals)
}

// EachSpool visits the Spools of a plan, of its recursions and of its subqueries, not those
// of the plans that Spools read apart.
func EachSpool(n Node, visit func(*Spool)) {
	Walk(n, func(n Node) bool {
		switch n := n.(type) {
		case *Spool:
			visit(n)
		case *Recursive:
			EachSpool(n.Base, visit)
			EachSpool(n.Term, visit)
		}
		VisitExprs(n, func(e Expr) { eachSubquery(e, func(plan Node) { EachSpool(plan, visit) }) })
		return true
	})
}

func eachSubquery(e Expr, visit func(Node)) {
	WalkExpr(e, func(e Expr) bool {
		if q, ok := e.(*Subquery); ok {
			visit(q.Plan)
			if q.Test != nil {
				eachSubquery(q.Test, visit)
			}
		}
		return true
	})
}

// MapSpools is n over f of the Spools that EachSpool visits.
func MapSpools(n Node, f func(*Spool) Node) Node {
	plans := func(plan Node) Node { return MapSpools(plan, f) }
	return Transform(n, func(n Node) Node {
		switch n := n.(type) {
		case *Spool:
			return f(n)
		case *Recursive:
			return n.mapPlans(plans)
		}
		return MapExprs(n, func(e Expr) Expr { return mapSubqueries(e, plans) })
	})
}

func mapSubqueries(e Expr, f func(Node) Node) Expr {
	q, ok := e.(*Subquery)
	if !ok {
		return MapOperands(e, func(operand Expr) Expr { return mapSubqueries(operand, f) })
	}
	c := *q
	c.Plan = f(q.Plan)
	if q.Test != nil {
		c.Test = mapSubqueries(q.Test, f)
	}
	if c.Plan == q.Plan && c.Test == q.Test {
		return e
	}
	return &c
}
