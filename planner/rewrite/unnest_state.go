package rewrite

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

type unnester struct {
	*context
	computed []computed // values of subqueries so far
}

// domain is the set of the different combinations of the values that a
// subquery takes from the outer relation.
type domain struct {
	cols []algebra.Column // of the outer relation
	node algebra.Node     // makes the combinations; each use has a copy of it
	vals []algebra.Column // its columns, one for each of cols
	// working are the columns that hold a combination in the working tables of the
	// recursions that the domain has been brought into.
	working map[algebra.ColumnID]values
}

// values are the columns of a plan that hold a domain's values, by the outer
// relation's column.
type values map[algebra.ColumnID]algebra.Column

func (v values) exprs() map[algebra.ColumnID]algebra.Expr {
	by := make(map[algebra.ColumnID]algebra.Expr, len(v))
	for id, c := range v {
		by[id] = c.Ref()
	}
	return by
}

// list returns the columns in the domain's order.
func (v values) list(d *domain) []algebra.Column {
	return lists.Map(d.cols, func(c algebra.Column) algebra.Column { return v[c.ID] })
}

// computed is the value of a subquery that was joined to a relation. An equal
// subquery over that relation, or over what is made of it, has the same value.
type computed struct {
	kind  algebra.SubqueryKind
	plan  algebra.Node // without subqueries
	nodes int          // of plan
	col   algebra.ColumnID
	value algebra.Expr
	in    algebra.Node // the relation with the value's columns
}

// pulled is a subquery taken apart: what does not refer to the outer relation,
// and what does, to be evaluated above a join with it.
type pulled struct {
	node  algebra.Node
	outer algebra.ColSet // the outer relation's columns
	// conds are conditions on a row of node and of the outer relation.
	conds []algebra.Expr
	// deferred are columns of the subquery that node does not make, computed from
	// its and the outer relation's.
	deferred []algebra.Item
	// single says that the subquery is an aggregation of all rows. Node has the
	// groups by what conds compare, so at most one for an outer row; an outer row
	// that has none goes with an aggregation of nothing. All of the subquery's
	// columns are deferred, and are right for both. The row counts where after
	// holds.
	single bool
	after  []algebra.Expr
}

func (p *pulled) exprs() map[algebra.ColumnID]algebra.Expr { return itemMap(p.deferred) }

func (p *pulled) isOuter(e algebra.Expr) bool { return algebra.References(e).Intersects(p.outer) }

// outerEquals reads a condition as the equality of something of the outer
// relation with something of a subquery's columns.
func outerEquals(cond algebra.Expr, inner algebra.ColSet) (outer, of algebra.Expr, ok bool) {
	call, ok := cond.(*algebra.Call)
	if ok && call.Func == algebra.Not {
		if call, ok = call.Args[0].(*algebra.Call); ok && call.Func != algebra.Distinct {
			return nil, nil, false
		}
	} else if ok && call.Func != algebra.Eq {
		return nil, nil, false
	}
	if !ok {
		return nil, nil, false
	}
	a, b := call.Args[0], call.Args[1]
	if algebra.References(a).Intersects(inner) {
		a, b = b, a
	}
	refs := algebra.References(b)
	ok = !algebra.References(a).Intersects(inner) && !refs.Empty() && refs.SubsetOf(inner)
	return a, b, ok
}

// hasWorking reports whether a plan reads the working table of a recursion that the
// domain has been brought into.
func (d *domain) hasWorking(n algebra.Node) bool {
	found := false
	if len(d.working) == 0 {
		return found
	}
	algebra.Walk(n, func(n algebra.Node) bool {
		switch n := n.(type) {
		case *algebra.Working:
			found = found || d.working[n.Of] != nil
		case *algebra.Recursive:
			found = found || d.hasWorking(n.Base) || d.hasWorking(n.Term)
		}
		return !found
	})
	return found
}

// valuer computes the subqueries in expressions over a relation as columns
// that are joined to it.
type valuer struct {
	*unnester
	in     algebra.Node
	known  map[algebra.ColumnID]known // values of subqueries, by ID
	guards guards                     // of the expression at hand
	// tested are the columns of the subqueries whose tests the expression at hand is in.
	tested algebra.ColSet
	// late says that what a subquery computes of its aggregates, and may raise an error, is computed where its value is
	// needed.
	late bool
}

// known is the value of a subquery in the rows that pass guards.
type known struct {
	value  algebra.Expr
	guards guards
}
