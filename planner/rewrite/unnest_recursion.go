package rewrite

import (
	"maps"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// pushRecursive brings the domain into a recursion: its first rows are those for each
// combination, and each round goes on with the combination that a row is for.
//
//	domain ⋈ recursive(base, term over working)
//
// becomes
//
//	recursive(domain ⋈ base, term over working with the domain's columns)
func (u *unnester) pushRecursive(n *algebra.Recursive, d *domain) (algebra.Node, values) {
	inner := *d
	inner.working = maps.Clone(d.working)
	if inner.working == nil {
		inner.working = make(map[algebra.ColumnID]values)
	}
	own, vals := make(values), make(values)
	for _, c := range d.cols {
		c.Nullable = true // as all columns of working tables
		own[c.ID], vals[c.ID] = u.newColumn(c), u.newColumn(c)
	}
	out := *n
	out.Base = u.withDomain(n.Base, &inner)
	inner.working[n.ID] = own
	out.Term = u.withDomain(n.Term, &inner)
	out.Cols = slices.Concat(n.Cols, vals.list(d))
	return &out, vals
}

// withDomain is a plan without subqueries over the domain, whose columns stand behind
// its own.
func (u *unnester) withDomain(n algebra.Node, d *domain) algebra.Node {
	node, vals := u.push(withColumns(u.node(n), n.Columns()), d)
	return withColumns(node, slices.Concat(n.Columns(), vals.list(d)))
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
