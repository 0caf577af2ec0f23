package query

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/sql"
)

// bindQualify binds QUALIFY, which is applied once the windows are computed.
// It may use the names of the select list.
func (s *Block) bindQualify() {
	if s.Sel.Qualify == nil {
		return
	}
	x := s.windowed("QUALIFY")
	x.Output = func(id sql.Ident) algebra.Expr {
		n := s.outputNamed(id, "QUALIFY")
		if n < 0 {
			return nil
		}
		return s.Items[n].Expr
	}
	s.win.Qualify = convert.Condition(x, s.Sel.Qualify, "QUALIFY")
}

// addWindows computes the windows over what the block has become, and applies
// QUALIFY.
func (s *Block) addWindows() {
	for _, spec := range s.win.Specs {
		s.node = &algebra.Window{Input: s.node, PartitionBy: spec.Partition, OrderBy: spec.Order, Calls: spec.Calls}
	}
	if s.win.Qualify != nil {
		s.node = &algebra.Filter{Input: s.node, Conds: algebra.Conjuncts(s.win.Qualify)}
	}
}
