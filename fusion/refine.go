package fusion

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators/cubing"
	"github.com/cubeloom/cubeloom/operators/filter"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// refinement is how the groups of all sets would be found by refinement.
type refinement struct {
	operator *cubing.Operator
	rest     []algebra.Expr // conditions on groups that prune nothing
	sets     []algebra.KeySet
}

// refinement orders the keys: those with the most values first, since they leave the
// smallest partitions, and prune the most.
func (c *cube) refinement() *refinement {
	r := &refinement{sets: c.distinctSets(), operator: &cubing.Operator{Accs: c.accs}}
	r.operator.Bars, r.rest = c.bars()
	order := make([]int, len(c.keys))
	distinct := make([]float64, len(c.keys))
	in := c.est.Of(c.node.Input)
	for i := range order {
		order[i], distinct[i] = i, in.Distinct(c.node.Keys[i].Expr)
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(distinct[j], distinct[i]) })
	for _, k := range order {
		r.operator.Keys = append(r.operator.Keys, c.keys[k])
	}
	for _, set := range r.sets {
		var own algebra.KeySet
		for at, k := range order {
			if set.Has(k) {
				own |= 1 << at
			}
		}
		r.operator.Sets = append(r.operator.Sets, own)
	}
	return r
}

// refine adds the groups of all sets by refinement.
func (c *cube) refine(r *refinement) int {
	id, least := c.add(r.operator, 1, c.in), c.leastRows(r)
	for i, set := range r.sets {
		c.made = append(c.made, made{set, id, i})
		c.ops[id].Rows += c.surviving(least, set, nil).groups
	}
	having := c.having
	c.having = nil
	all := c.unite()
	if len(having) > 0 && len(c.last.Items) > 0 {
		all = c.add(c.last, c.ops[all].Rows, all)
	}
	if len(r.rest) > 0 {
		all = c.add(&filter.Operator{Conds: r.rest}, c.ops[all].Rows*c.passing, all)
	}
	return all
}

// choose chooses how the groups of all sets are found.
func (c *cube) choose(r *refinement) strategy.Decision {
	rollup := strategy.Offer{Strategy: cubing.Rollup}
	groups := 0.0
	rollup.Cost, groups = c.rollupCost()
	rollup.Detail = fmt.Sprintf("%d cuboids of %.4g groups", len(r.sets), groups)
	refine := strategy.Offer{Strategy: cubing.Refine, Refusal: cubing.Refusal(r.operator.Keys, c.accs)}
	if refine.Refusal != "" {
		return sqlstate.Must(c.opts.Cubes.Choose("cube", rollup, refine))
	}
	cost := c.refineCost(r)
	refine.Cost = cost.time
	refine.Detail = fmt.Sprintf("%d cuboids of %.4g groups, %.4g partitions of which %.4g are pruned", len(r.sets), cost.groups, cost.partitions, cost.pruned)
	return sqlstate.Must(c.opts.Cubes.Choose("cube", rollup, refine))
}

// rollupCost is what it costs to make the finest cuboids of the input, and each other one
// of the smallest that has its keys, and how many groups they have.
func (c *cube) rollupCost() (cost, groups float64) {
	roots := c.roots()
	type size struct {
		set  algebra.KeySet
		rows float64
	}
	var sizes []size
	for i, set := range append(slices.Clone(roots), c.distinctSets()...) {
		rows := c.ops[c.in].Rows
		if i >= len(roots) {
			if slices.Contains(roots, set) {
				continue
			}
			for _, finer := range sizes {
				if set&^finer.set == 0 {
					rows = min(rows, finer.rows)
				}
			}
		}
		n := c.groupSizes().Groups(set)
		sizes = append(sizes, size{set, n})
		groups += n
		cost += c.groupingCost(set, rows, n)
	}
	return cost, groups
}

// groupingCost is what it costs to group so many rows by a set.
func (c *cube) groupingCost(set algebra.KeySet, rows, groups float64) float64 {
	if device := &c.opts.Machine.Device; c.opts.Device {
		cost := device.Rollup.Step + device.Rollup.Row*rows
		if len(c.having) > 0 {
			cost += device.Rollup.Filter + device.Rollup.Filtered*groups
		}
		return cost
	}
	host, in := &c.opts.Machine.Host, c.est.Of(c.node.Input)
	each := host.Row + host.Instruction*float64(len(c.accs))
	cells := 1.0
	for i, key := range c.node.Keys {
		if set.Has(i) {
			cells *= in.Distinct(key.Expr)
		}
	}
	if cells*float64(8*(1+len(c.accs))) <= float64(host.Caches.DenseBytes) {
		return (each+host.DenseGroup)*rows + host.DenseCell*cells
	}
	cost := (each+host.Hashed+host.Missed)*rows + host.Missed*groups + host.Cuboid
	if groups > float64(host.Caches.SparseGroups) {
		cost += host.Partitioned*rows + host.Outgrown
	}
	return cost
}

// refined is what refinement costs.
type refined struct{ time, groups, partitions, pruned float64 }

// refineCost is what refinement costs: each step looks at the rows of the partitions before
// it that are left.
func (c *cube) refineCost(r *refinement) refined {
	costs := &c.opts.Machine.Host.Refine
	if c.opts.Device {
		costs = &c.opts.Machine.Device.Refine
	}
	rows := c.ops[c.in].Rows
	sets := lists.Map(r.operator.Sets, func(set algebra.KeySet) uint64 { return uint64(set) })
	all := refined{time: costs.Start + costs.Coded*rows*float64(len(c.keys))}
	beside := 0.0 // accumulators beside the number of rows
	for i := range c.accs {
		if c.accs[i].Op != kernel.AccCountStar || c.accs[i].Filter != nil {
			beside++
		}
	}
	least := c.leastRows(r)
	var walk func(at *kernel.Refinement, keys algebra.KeySet, before *survivors)
	walk = func(at *kernel.Refinement, keys algebra.KeySet, before *survivors) {
		for _, step := range at.Finer {
			own := keys | 1<<step.Key
			s := c.surviving(least, c.original(r, own), before)
			all.partitions += s.found
			all.pruned += max(s.found-s.groups, 0)
			if s.found >= 1 {
				all.time += costs.Step
			}
			all.time += costs.Counted*before.rows + costs.Partition*s.found
			if len(step.Finer) > 0 {
				all.time += costs.Moved * before.rows
			}
			if step.Set >= 0 {
				all.groups += s.groups
				all.time += costs.Added*beside*s.rows + costs.Group*s.groups
			}
			walk(step, own, s)
		}
	}
	walk(kernel.Refinements(sets), 0, c.surviving(least, 0, nil))
	return all
}

// original is a set of the operator's keys as a set of the node's.
func (c *cube) original(r *refinement, own algebra.KeySet) (set algebra.KeySet) {
	for i := range r.operator.Keys {
		if own.Has(i) {
			set |= 1 << slices.IndexFunc(c.keys, func(k algebra.Item) bool { return k.Column.ID == r.operator.Keys[i].Column.ID })
		}
	}
	return set
}

// leastRows is how many rows a group has at least that passes the bars, about.
func (c *cube) leastRows(r *refinement) float64 {
	least := 1.0
	for _, b := range r.operator.Bars {
		acc := c.accumulator(b.Acc.ID)
		switch acc.Op {
		case kernel.AccCountStar, kernel.AccCount:
			least = max(least, float64(b.Limit))
		case kernel.AccSum:
			if rng, ok := c.ranges.Of(c.args[b.Acc.ID]); ok {
				least = max(least, 2*float64(b.Limit)/(rng.Lo.Float64()+rng.Hi.Float64()+1))
			}
		}
	}
	return math.Ceil(least)
}
