package rewrite

import "github.com/cubeloom/cubeloom/planner/algebra"

// shareTotals has an occurrence become a projection of the other, which then is an input of
// two nodes: a walk over the plan meets the same node again, and need not compute it again.
//
// All rows of the occurrence that is replaced have to go into an aggregate without
// keys. So nothing that filters, joins or reduces it can make it cheaper than the
// other one, and nothing above the aggregate has columns of both. What is shared is
// an aggregate, which is in memory in any case, or a join that leaves few of the rows
// that it reads.
func (c *context) shareTotals(n algebra.Node) algebra.Node {
	var totals []total
	algebra.Walk(n, func(n algebra.Node) bool {
		if agg, ok := n.(*algebra.Aggregate); ok && len(agg.Keys) == 0 && len(agg.Sets) == 1 {
			if in := underRows(agg.Input); c.worthSharing(in) {
				totals = append(totals, total{agg, in})
			}
		}
		return true
	})
	s := &sharer{by: make(map[algebra.Node]occurrence), done: make(map[algebra.Node]algebra.Node)}
	algebra.Walk(n, func(first algebra.Node) bool {
		for _, t := range totals {
			s.pair(first, t)
		}
		return len(totals) > 0
	})
	if len(s.by) == 0 {
		return n
	}
	return s.replace(n)
}

// A total is an aggregate without keys and the node whose rows all go into it.
type total struct {
	agg *algebra.Aggregate
	of  algebra.Node
}

// A sharer puts occurrences of nodes in the place of others.
type sharer struct {
	by   map[algebra.Node]occurrence
	done map[algebra.Node]algebra.Node // what became of a node, so that a shared one stays one
}

// An occurrence is a node that computes the same as another, and its column for
// each of the other's.
type occurrence struct {
	node    algebra.Node
	columns map[algebra.ColumnID]algebra.Column
}

// pair notes that the node of a total can be replaced by first.
func (s *sharer) pair(first algebra.Node, t total) {
	_, replaced := s.by[t.of]
	if _, gone := s.by[first]; replaced || gone || within(t.agg, first) {
		return
	}
	if columns, ok := algebra.Match(first, t.of); ok {
		s.by[t.of] = occurrence{first, columns}
	}
}

// replace rebuilds a plan. What takes a node's place is rebuilt too; that ends, since
// plans that match are of one size, and so none holds the other.
func (s *sharer) replace(n algebra.Node) algebra.Node {
	if out, ok := s.done[n]; ok {
		return out
	}
	var out algebra.Node
	if first, ok := s.by[n]; ok {
		out = renamedAs(s.replace(first.node), n.Columns(), first.columns)
	} else {
		out = algebra.MapInputs(n, s.replace)
	}
	s.done[n] = out
	return out
}

// underRows is the first node at or below n that is no filter or projection.
func underRows(n algebra.Node) algebra.Node {
	for {
		switch in := n.(type) {
		case *algebra.Filter:
			n = in.Input
		case *algebra.Project:
			n = in.Input
		default:
			return n
		}
	}
}

// sharedPart is one in how many of the rows that a join reads from tables it may
// leave for them to be put into memory instead of being found twice.
const sharedPart = 4

// worthSharing reports whether it is better to keep the rows of a node than to compute
// them twice.
func (c *context) worthSharing(n algebra.Node) bool {
	switch n := n.(type) {
	case *algebra.Aggregate:
		return true
	case *algebra.SetOp:
		return n.Kind != algebra.Union || !n.All
	case *algebra.Join:
		read := 0.0
		algebra.Walk(n, func(n algebra.Node) bool {
			if scan, ok := n.(*algebra.Scan); ok {
				read += c.est.Rows(scan)
			}
			return true
		})
		return c.est.Rows(n)*sharedPart <= read
	}
	return false
}

// within reports whether a node is part of a plan.
func within(plan, part algebra.Node) bool {
	found := false
	algebra.Walk(plan, func(n algebra.Node) bool {
		found = found || n == part
		return !found
	})
	return found
}

// renamedAs returns the result of n columns that a node had which computed the same;
// of says which of n's columns each of them is.
func renamedAs(n algebra.Node, cols []algebra.Column, of map[algebra.ColumnID]algebra.Column) algebra.Node {
	have := make(map[algebra.ColumnID]algebra.Column)
	for _, c := range n.Columns() {
		have[c.ID] = c
	}
	items := make([]algebra.Item, len(cols))
	for i, c := range cols {
		items[i] = algebra.Item{Column: c, Expr: have[of[c.ID].ID].Ref()}
	}
	return &algebra.Project{Input: n, Items: items}
}
