package rewrite

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/estimate"
)

// place is an aggregation between steps.
type place struct {
	done stepSet // the steps before it
	rows float64 // of its result
}

// start is a state of the search: what there is to take further steps from.
type start struct {
	place
	plain bool // nothing has been aggregated yet
	cost  float64
	from  *start
	path  []int // the steps from there
}

// path is the cheapest order of steps from a start.
type path struct {
	cost  float64
	rows  float64
	steps []int
}

// pathKey is what a path leads from and to.
type pathKey struct {
	from *start
	to   stepSet
}

// A spine is the input of an aggregation taken apart: a relation, the base, and
// what is done with its rows one after the other, each for itself. Steps can be
// taken in any order in which each has the columns that it refers to, and what they
// leave can be aggregated between any two.
type spine struct {
	*context
	agg   *algebra.Aggregate
	base  algebra.Node
	steps []step // in the order of the plan
	// fixed says that the steps stay in their order: there are too many to try all.
	fixed bool
	cols  map[stepSet]algebra.ColSet // that there are after steps
	above algebra.ColSet             // what the keys of the aggregation refer to
	paths map[pathKey]path
	// columns are those of the base and of what the steps add to it.
	columns []spineColumn
}

// spineColumn is a column that a spine may group by.
type spineColumn struct {
	id       algebra.ColumnID
	step     int // that adds it; -1 for the base
	of       *estimate.Props
	distinct float64 // 0 before it is asked for
}

// step is a filter, or a join with another relation.
type step struct {
	node   algebra.Node
	other  algebra.Node // of a join
	onLeft bool         // the spine is the left side
	refs   algebra.ColSet
	makes  algebra.ColSet
	after  stepSet // the steps that must have been taken
	fanOut float64 // rows that there are after it for one before it
	cost   float64 // of a row before it
}

// stepSet is a set of steps.
type stepSet uint32

func (s stepSet) has(i int) bool { return s&(1<<i) != 0 }

// Bounds of the search: steps of a spine, and steps whose orders are tried.
const (
	maxSteps = 20
	maxTried = 6
)

// spines takes the input of an aggregation apart, along the side of each join
// that has what is aggregated, and along the larger side where that is another one.
func (c *context) spines(n *algebra.Aggregate, accs *accumulations) []*spine {
	isLarger := func(join *algebra.Join) bool { return c.est.Rows(join.Left) >= c.est.Rows(join.Right) }
	differ := false
	byArgs := c.spine(n, func(join *algebra.Join) bool {
		left, right := accs.refs.Intersects(algebra.Outputs(join.Left)), accs.refs.Intersects(algebra.Outputs(join.Right))
		if left == right {
			return isLarger(join)
		}
		differ = differ || left != isLarger(join)
		return left
	})
	if byArgs == nil {
		return nil
	}
	if differ {
		if bySize := c.spine(n, isLarger); bySize != nil && bySize.base != byArgs.base {
			return []*spine{byArgs, bySize}
		}
	}
	return []*spine{byArgs}
}

// spine goes down from an aggregation; left chooses the side of inner joins. It is
// nil where there is no join.
func (c *context) spine(n *algebra.Aggregate, left func(*algebra.Join) bool) *spine {
	s := &spine{context: c, agg: n, cols: make(map[stepSet]algebra.ColSet)}
	for _, key := range n.Keys {
		s.above.AddReferences(key.Expr)
	}
	at, joins := n.Input, 0
	for {
		st, below, ok := c.stepAt(at, left)
		if !ok {
			break
		}
		s.steps = append(s.steps, st)
		at = below
		if st.other != nil {
			joins = len(s.steps)
		}
	}
	if joins == 0 || joins > maxSteps {
		return nil
	}
	// Filters below all joins belong to the base.
	if joins < len(s.steps) {
		at = s.steps[joins].node
		s.steps = s.steps[:joins]
	}
	s.base = at
	for i, k := 0, len(s.steps)-1; i < k; i, k = i+1, k-1 {
		s.steps[i], s.steps[k] = s.steps[k], s.steps[i]
	}
	s.arrange()
	return s
}

// stepAt reads a node as a step and returns what is below it; ok is false where the
// node is the base.
func (c *context) stepAt(n algebra.Node, left func(*algebra.Join) bool) (st step, below algebra.Node, ok bool) {
	st.node = n
	switch n := n.(type) {
	case *algebra.Filter:
		below, ok = n.Input, true
	case *algebra.Join:
		switch n.Kind {
		case algebra.JoinInner:
			st.onLeft, ok = left(n), true
		case algebra.JoinLeft, algebra.JoinSemi, algebra.JoinAnti:
			st.onLeft, ok = true, true
		case algebra.JoinRight:
			ok = true
		}
		below, st.other = n.Right, n.Left
		if st.onLeft {
			below, st.other = n.Left, n.Right
		}
	}
	if !ok {
		return st, nil, false
	}
	if join, isJoin := n.(*algebra.Join); isJoin {
		if join.Kind != algebra.JoinSemi && join.Kind != algebra.JoinAnti {
			st.makes = algebra.Outputs(st.other)
		}
		st.cost = c.est.Machine().Planning.Lookup(c.est.Rows(join.Right))
	}
	st.fanOut = c.est.Rows(n) / max(c.est.Rows(below), 1)
	st.refs = ownReferences(n)
	if st.other != nil {
		st.refs = st.refs.Minus(algebra.Outputs(st.other))
	}
	return st, below, true
}

// arrange finds which steps must be taken before which: those that make columns it
// refers to, and for one that may raise an error all that stand before it.
func (s *spine) arrange() {
	s.fixed = len(s.steps) > maxTried
	for i := range s.steps {
		st := &s.steps[i]
		raises := s.fixed
		algebra.VisitExprs(st.node, func(e algebra.Expr) { raises = raises || algebra.MayRaise(e, nil) })
		for k := range i {
			if raises || st.refs.Intersects(s.steps[k].makes) {
				st.after |= 1 << k
			}
		}
	}
}

// all is the set of all steps.
func (s *spine) all() stepSet { return 1<<len(s.steps) - 1 }

// outputs are the columns that there are after steps.
func (s *spine) outputs(done stepSet) algebra.ColSet {
	if cols, ok := s.cols[done]; ok {
		return cols
	}
	cols := algebra.Outputs(s.base)
	for i := range s.steps {
		if done.has(i) {
			cols = cols.Union(s.steps[i].makes)
		}
	}
	s.cols[done] = cols
	return cols
}

// needed are the columns after steps that something refers to later.
func (s *spine) needed(done stepSet, accs *accumulations) algebra.ColSet {
	have := s.outputs(done)
	refs := s.above.Union(accs.keptWith(have))
	for i := range s.steps {
		if !done.has(i) {
			refs = refs.Union(s.steps[i].refs)
		}
	}
	return refs.Intersect(have)
}

// groups guesses how many groups of columns some rows have.
func (s *spine) groups(cols algebra.ColSet, done stepSet, rows float64, accs *accumulations) float64 {
	if s.columns == nil {
		s.listColumns(accs)
	}
	combinations := 1.0
	for i := range s.columns {
		col := &s.columns[i]
		if !cols.Has(col.id) || col.step >= 0 && !done.has(col.step) {
			continue
		}
		if col.distinct == 0 {
			col.distinct = max(col.of.DistinctOf(col.id), 1)
		}
		combinations *= col.distinct
	}
	return estimate.Filled(combinations, rows)
}

// listColumns lists what there may be to group by: what the steps, the keys or the
// aggregates refer to.
func (s *spine) listColumns(accs *accumulations) {
	refs := s.above.Union(accs.refs)
	for i := range s.steps {
		refs = refs.Union(s.steps[i].refs)
	}
	s.columns = make([]spineColumn, 0, refs.Len())
	list := func(step int, n algebra.Node) {
		of := s.est.Of(n)
		for _, col := range n.Columns() {
			if refs.Has(col.ID) {
				s.columns = append(s.columns, spineColumn{id: col.ID, step: step, of: of})
			}
		}
	}
	list(-1, s.base)
	for i := range s.steps {
		if !s.steps[i].makes.Empty() {
			list(i, s.steps[i].other)
		}
	}
}
