package rewrite

import (
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// earlyPlan is a way to compute an aggregation: the steps of its spine in some
// order, with aggregations between some of them.
type earlyPlan struct {
	*spine
	accs *accumulations

	places []place // from the base up
	order  []int   // of all steps
	cost   float64
	// common is what the steps before the first aggregation cost, late what the
	// aggregation costs that the query asks for, with no other.
	common, late float64
	lateRows     float64 // that the aggregation then reads
	lateGroup    float64 // what it costs for each
	others       []alternative
}

// What early aggregations must save: half of the work from the first of them on.
const worthEarly = 0.5

// alternative is one that a search has seen, with its places.
type alternative struct {
	places []place
	rows   float64
	cost   float64
}

// note keeps a way to the end of the plan whose last early aggregation is from.
func (p *earlyPlan) note(from *start, rows, cost float64) {
	a := alternative{rows: rows, cost: cost}
	for at := from; !at.plain; at = at.from {
		a.places = append([]place{at.place}, a.places...)
	}
	p.others = append(p.others, a)
}

// search finds the cheapest plan with the fewest rows in it: it goes from sets of
// steps to larger ones. It is nil where there is no place to aggregate at.
func (s *spine) search(accs *accumulations) *earlyPlan {
	rows := s.est.Rows(s.base)
	first := &start{place: place{rows: rows}, plain: true}
	p := &earlyPlan{spine: s, accs: accs}
	p.lateGroup = accs.cost(s.est.Rows(s.agg))
	p.late, p.lateRows = s.lateCost(p.lateGroup)
	best := map[stepSet]*start{}
	var end *start
	p.cost = math.Inf(1)
	finish := func(from *start, to path) float64 {
		cost := from.cost + to.cost + to.rows*p.lateGroup
		if cost < p.cost {
			p.cost = cost
			end = &start{from: from, path: to.steps}
		}
		return cost
	}
	extend := func(from *start) {
		for _, done := range s.supersets(from.done) {
			to, ok := s.reach(from, done)
			if !ok {
				continue
			}
			if done == s.all() {
				if cost := finish(from, to); !from.plain && s.opts.Weigh {
					p.note(from, to.rows, cost)
				}
				continue
			}
			if groups, ok := s.place(done, accs, to.rows); ok {
				next := &start{place: place{done, groups}, cost: from.cost + to.cost + to.rows*accs.cost(groups), from: from, path: to.steps}
				if have := best[done]; have == nil || next.cost < have.cost {
					best[done] = next
				}
			}
		}
	}
	if groups, ok := s.place(0, accs, rows); ok {
		best[0] = &start{place: place{0, groups}, cost: rows * accs.cost(groups), from: first}
	}
	s.paths = make(map[pathKey]path)
	extend(first)
	for _, done := range s.supersets(0) {
		if from := best[done]; from != nil {
			extend(from)
		}
	}
	if len(best) == 0 {
		return nil
	}
	p.trace(end)
	return p
}

// mayPay reports whether some plan that begins with an early aggregation may save
// enough: what comes after that aggregation is taken to cost nothing.
func (s *spine) mayPay(accs *accumulations) bool {
	late, _ := s.lateCost(accs.cost(s.est.Rows(s.agg)))
	base := s.est.Rows(s.base)
	least := accs.cost(0)
	for _, done := range s.supersets(0) {
		if done == s.all() {
			continue
		}
		rows, common := base, 0.0
		for i := range s.steps {
			if done.has(i) {
				rows = s.step(i, rows, &common)
			}
		}
		most := worthEarly*(late-common)*(1+rounding) + rounding*late
		if rows*least > most {
			continue
		}
		if groups, ok := s.place(done, accs, rows); ok && rows*accs.cost(groups) <= most {
			return true
		}
	}
	return false
}

// rounding is what sums of costs may be off by.
const rounding = 1e-9

// cost is what aggregating a row costs: where there are so few groups that they lie in
// the nearest cache, less than looking the row up.
func (accs *accumulations) cost(groups float64) float64 {
	if groups <= accs.costs.FewGroups {
		return min(accs.costs.FewGroup*float64(len(accs.list)), accs.costs.Group)
	}
	return accs.costs.Group
}

// lateCost is what the plan costs as it is, and how many rows it aggregates.
func (s *spine) lateCost(group float64) (cost, rows float64) {
	rows = s.est.Rows(s.base)
	for i := range s.steps {
		rows = s.step(i, rows, &cost)
	}
	return cost + rows*group, rows
}

// step adds the cost of a step for some rows and returns how many there are after it.
func (s *spine) step(i int, rows float64, cost *float64) float64 {
	st := &s.steps[i]
	out := rows * st.fanOut
	if st.other != nil {
		*cost += rows*st.cost + out*s.est.Machine().Planning.Out
	}
	return out
}

// supersets are the sets of steps with all of some steps and with what each needs,
// smaller ones first.
func (s *spine) supersets(of stepSet) []stepSet {
	var sets []stepSet
	if s.fixed {
		for i := range len(s.steps) + 1 {
			if done := stepSet(1)<<i - 1; done&of == of {
				sets = append(sets, done)
			}
		}
		return sets
	}
	for done := of; done <= s.all(); done++ {
		if done&of == of && s.closed(done) {
			sets = append(sets, done)
		}
	}
	return sets
}

// closed reports whether each step of a set has what it needs in it.
func (s *spine) closed(done stepSet) bool {
	for i := range s.steps {
		if done.has(i) && s.steps[i].after&^done != 0 {
			return false
		}
	}
	return true
}

// place guesses the groups that an aggregation after steps has; ok is false where
// there can be none.
func (s *spine) place(done stepSet, accs *accumulations, rows float64) (groups float64, ok bool) {
	have := s.outputs(done)
	if !accs.possible(have) {
		return 0, false
	}
	keys := s.needed(done, accs)
	if n := keys.Len(); n == 0 || n > maxGroupKeys {
		return 0, false
	}
	groups = s.groups(keys, done, rows, accs)
	return groups, groups <= rows*leavesAtMost
}

// leavesAtMost is the share of rows that an early aggregation leaves at most: the
// search looks no further into those that leave more.
const leavesAtMost = 0.9

// reach finds the cheapest order of the steps between a start and a set of steps.
// With a start where nothing is aggregated yet the order is the plan's: that of its
// joins has been chosen for that.
func (s *spine) reach(from *start, done stepSet) (path, bool) {
	if from.plain || s.fixed {
		p := path{rows: from.rows}
		for i := range s.steps {
			if done.has(i) && !from.done.has(i) {
				p.rows = s.step(i, p.rows, &p.cost)
				p.steps = append(p.steps, i)
			}
		}
		return p, true
	}
	if done == from.done {
		return path{rows: from.rows}, true
	}
	key := pathKey{from, done}
	if p, ok := s.paths[key]; ok {
		return p, true
	}
	best := path{cost: math.Inf(1)}
	for i := range s.steps {
		before := done &^ (1 << i)
		if before == done || from.done.has(i) || s.steps[i].after&^before != 0 || !s.closed(before) {
			continue
		}
		p, ok := s.reach(from, before)
		if !ok {
			continue
		}
		cost := p.cost
		if rows := s.step(i, p.rows, &cost); cost < best.cost {
			best = path{cost: cost, rows: rows, steps: append(slices.Clip(p.steps), i)}
		}
	}
	ok := !math.IsInf(best.cost, 1)
	if ok {
		s.paths[key] = best
	}
	return best, ok
}

// trace reads the plan off the end of the search.
func (p *earlyPlan) trace(end *start) {
	for at := end; at != nil; at = at.from {
		p.order = append(slices.Clone(at.path), p.order...)
		if at != end && !at.plain {
			p.places = append([]place{at.place}, p.places...)
		}
	}
	if first := p.firstAt(); first != nil {
		to, _ := p.reach(&start{place: place{rows: p.est.Rows(p.base)}, plain: true}, first.done)
		p.common = to.cost
	}
}

// firstAt is the first place of the plan, nil where it aggregates nothing early.
func (p *earlyPlan) firstAt() *place {
	if len(p.places) == 0 {
		return nil
	}
	return &p.places[0]
}

// pays reports whether the plan saves enough.
func (p *earlyPlan) pays() bool {
	return len(p.places) > 0 && p.cost-p.common <= worthEarly*(p.late-p.common)
}

// keysAt are the columns that an early aggregation groups by.
func (p *earlyPlan) keysAt(at *place) []algebra.Column {
	var keys []algebra.Column
	needed := p.needed(at.done, p.accs)
	add := func(n algebra.Node) {
		for _, col := range n.Columns() {
			if needed.Has(col.ID) {
				keys = append(keys, col)
			}
		}
	}
	add(p.base)
	for i := range p.steps {
		if at.done.has(i) && !p.steps[i].makes.Empty() {
			add(p.steps[i].other)
		}
	}
	return keys
}
