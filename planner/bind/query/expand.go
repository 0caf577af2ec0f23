package query

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/setfunc"
)

// expandRows makes the columns of the set-returning functions that wanted says.
func (s *Block) expandRows(wanted func(*scope.SetCall) bool) {
	var calls []*scope.SetCall
	for _, c := range s.rows.Calls {
		if wanted(c) && !c.Made {
			calls, c.Made = append(calls, c), true
		}
	}
	if len(calls) > 0 {
		s.node = setfunc.Expand(s.Binder, s.node, calls, nil)
	}
}

// expandKeys makes the columns of the set-returning functions that rows are
// grouped by; what stands in those groups is an expression over them.
func (s *Block) expandKeys() {
	var keys algebra.ColSet
	for _, key := range s.group.Keys {
		keys.AddReferences(key.Expr)
	}
	s.expandRows(func(c *scope.SetCall) bool { return keys.Has(c.Col.ID) })
}
