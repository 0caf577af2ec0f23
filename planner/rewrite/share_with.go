package rewrite

import (
	"fmt"
	"maps"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// shareWith decides of each WITH query that stands several times whether it is computed
// once, or in each place with the conditions that stand there. AS MATERIALIZED and what
// calls random() is computed once always. What is computed once has the conditions of
// which each reference has one.
//
//	before: join of spool c filtered by y = 1 with spool c filtered by y = 2, c reading a large join
//	after:  the same, where spool c reads the join with y = 1 OR y = 2
//	never:  the same of c that reads a table by its rows: reading them twice costs less than keeping them
func shareWith(c *context, n algebra.Node) algebra.Node {
	found := false
	spoolsOf(n, func(*algebra.Spool) { found = true })
	if !found {
		return n
	}
	s := &spooler{context: c, planned: make(map[algebra.ColumnID]algebra.Node)}
	s.plans = map[algebra.ColumnID]algebra.Node{0: algebra.MapSpools(n, s.plan)}
	for id := s.next(); id != 0; id = s.next() {
		s.decide(id)
	}
	return s.final(0)
}

// A spooler decides of the spools of a statement.
type spooler struct {
	*context
	planned map[algebra.ColumnID]algebra.Node // what the spools read, by themselves
	// plans are that of the statement, by 0, and those of spools that are computed once,
	// which hold spools too.
	plans map[algebra.ColumnID]algebra.Node
	ended map[algebra.ColumnID]algebra.Node // of plans, with those that they hold
}

// plan is a spool whose plan the rules have run over.
func (s *spooler) plan(spool *algebra.Spool) algebra.Node {
	if s.planned[spool.ID] == nil {
		s.planned[spool.ID] = s.through(algebra.MapSpools(spool.Input, s.plan), part)
	}
	out := *spool
	out.Input = s.planned[spool.ID]
	return &out
}

// final is one of the plans, in which the spools read what was decided.
func (s *spooler) final(id algebra.ColumnID) algebra.Node {
	if s.ended == nil {
		s.ended = make(map[algebra.ColumnID]algebra.Node)
	}
	if s.ended[id] == nil {
		s.ended[id] = algebra.MapSpools(s.plans[id], func(spool *algebra.Spool) algebra.Node {
			if s.plans[spool.ID] == nil {
				return spool // of a recursion, which has a plan of its own
			}
			out := *spool
			out.Input = s.final(spool.ID)
			return &out
		})
	}
	return s.ended[id]
}

// reference is where a spool stands.
type reference struct {
	spool *algebra.Spool
	conds []algebra.Expr // that its rows satisfy
}

// next is the spool that was defined last of those that are not decided: no other one's
// plan holds it. It is 0 where there is none.
func (s *spooler) next() algebra.ColumnID {
	var last algebra.ColumnID
	for _, plan := range s.plans {
		spoolsOf(plan, func(spool *algebra.Spool) {
			if s.plans[spool.ID] == nil {
				last = max(last, spool.ID)
			}
		})
	}
	return last
}

// references are the places of a spool.
func (s *spooler) references(id algebra.ColumnID) []reference {
	var refs []reference
	for _, of := range s.holders() {
		algebra.Walk(s.plans[of], func(n algebra.Node) bool {
			s.opts.Meter.Must(nodeWork)
			if spool, conds, ok := filtered(n, id); ok {
				refs = append(refs, reference{spool, conds})
				return false
			}
			return true
		})
	}
	return refs
}

// holders are the plans, always in the same order.
func (s *spooler) holders() []algebra.ColumnID { return slices.Sorted(maps.Keys(s.plans)) }

// filtered reads a spool, with or without conditions above it.
func filtered(n algebra.Node, id algebra.ColumnID) (*algebra.Spool, []algebra.Expr, bool) {
	var conds []algebra.Expr
	if f, ok := n.(*algebra.Filter); ok {
		n, conds = f.Input, f.Conds
	}
	spool, ok := n.(*algebra.Spool)
	return spool, conds, ok && spool.ID == id
}

// decide decides of a spool.
func (s *spooler) decide(id algebra.ColumnID) {
	refs := s.references(id)
	first := refs[0].spool
	shared := first.Input
	if cond := anyOf(refs); cond != nil && len(refs) > 1 {
		shared = s.through(&algebra.Filter{Input: shared, Conds: []algebra.Expr{cond}}, part)
	}
	if len(refs) == 1 || !first.Forced && (s.isLazy(shared) || !s.pays(refs, shared)) {
		s.inline(id)
		return
	}
	s.plans[id] = shared
}

// isLazy reports whether a plan is a recursion of which the statement may want some rows
// alone: computed once it would have to end.
func (s *spooler) isLazy(plan algebra.Node) bool {
	recursive, limited := false, false
	algebra.Walk(plan, func(n algebra.Node) bool {
		_, ok := n.(*algebra.Recursive)
		recursive = recursive || ok
		return !recursive
	})
	for _, plan := range s.plans {
		algebra.Walk(plan, func(n algebra.Node) bool {
			_, ok := n.(*algebra.Limit)
			limited = limited || ok
			return recursive && !limited
		})
	}
	return recursive && limited
}

// inline has a spool computed in each of its places.
func (s *spooler) inline(id algebra.ColumnID) {
	var in func(n algebra.Node) algebra.Node
	in = func(n algebra.Node) algebra.Node {
		if spool, conds, ok := filtered(n, id); ok {
			return s.alone(reference{spool, conds})
		}
		return algebra.MapInputs(n, in)
	}
	for _, of := range s.holders() {
		s.plans[of] = in(s.plans[of])
	}
}

// alone is the plan of a spool for one reference.
func (s *spooler) alone(ref reference) algebra.Node {
	copied, _ := s.clone(ref.spool.Input)
	out := *ref.spool
	out.Input = copied
	return s.through(filter(out.Plain(), ref.conds), part)
}

// anyOf is the condition on the columns of a spool's plan that some reference asks for,
// nil where one asks for none or has conditions that may raise.
func anyOf(refs []reference) algebra.Expr {
	var all []algebra.Expr
	for _, ref := range refs {
		by := make(map[algebra.ColumnID]algebra.Expr)
		cols := ref.spool.Input.Columns()
		for i, col := range ref.spool.Cols {
			by[col.ID] = cols[ref.spool.Ordinals[i]].Ref()
		}
		var conds []algebra.Expr
		for _, cond := range ref.conds {
			if !algebra.MayRaise(cond, nil) {
				conds = append(conds, algebra.Substitute(cond, by))
			}
		}
		if len(conds) == 0 {
			return nil
		}
		all = append(all, conjunction(conds))
	}
	if len(all) == 1 {
		return all[0]
	}
	return newCall(algebra.Or, all...)
}

// pays reports whether it costs less to compute a spool once than for each reference.
func (s *spooler) pays(refs []reference, shared algebra.Node) bool {
	times := float64(len(refs))
	once, each := s.cost(shared)+times*s.kept(shared), 0.0
	for _, ref := range refs {
		if len(ref.conds) == 0 {
			each += s.cost(ref.spool.Input)
		} else {
			each += s.cost(s.alone(ref))
		}
	}
	return s.onceOrEach(fmt.Sprintf("WITH %s, which stands %d times", refs[0].spool.Name, len(refs)), s.est.Rows(shared), once, each)
}

// onceOrEach decides whether a plan of so many rows is computed once for all of its places, by
// what that costs and what it costs to compute it in each.
func (c *context) onceOrEach(of string, rows, once, each float64) bool {
	if c.opts.Weigh {
		ns := c.est.Machine().Host.Join.Probed
		d := strategy.Decision{Of: of, Offers: []strategy.Offer{
			{Strategy: "once", Rows: rows, Cost: once * ns},
			{Strategy: "each", Detail: "with the conditions of its place", Cost: each * ns},
		}}
		taken := 0
		if each <= once {
			taken = 1
		}
		d.Take(taken, "the cheapest")
		c.decisions = append(c.decisions, d)
	}
	return once < each
}
