package fusion

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/cubeloom/cubeloom/operators/aggregate"
	"github.com/cubeloom/cubeloom/operators/cuboid"
	"github.com/cubeloom/cubeloom/operators/filter"
	"github.com/cubeloom/cubeloom/operators/finalize"
	"github.com/cubeloom/cubeloom/operators/project"
	"github.com/cubeloom/cubeloom/operators/scan"
	"github.com/cubeloom/cubeloom/operators/union"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/estimate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// cube adds the aggregations of several grouping sets. The finest of them
// reads the input; each coarser one combines the groups of the smallest finer
// one that has been made, so that the lattice of cuboids is walked along its
// cheapest edges. Aggregates of distinct values and percentiles do not combine: with them each
// set is aggregated from the input.
type cube struct {
	*graph
	node *algebra.Aggregate
	in   int
	keys []algebra.Item
	accs []aggregate.Accumulator
	made []made
	// sizes are the estimated numbers of groups of sets, and shapes how large groups are.
	sizes  map[algebra.KeySet]float64
	shapes *estimate.GroupSizes
	// having are conditions on the groups of each set, which the share passing is estimated
	// to satisfy; before them last makes the results of the SQL aggregates.
	having  []algebra.Expr
	passing float64
	last    *finalize.Operator
	args    map[algebra.ColumnID]algebra.Expr // by column of an accumulator that is a result: the argument, in columns of the node's input
	ranges  algebra.Ranges                    // of these; nil: not asked for yet
}

// made is a grouping set that has been computed.
type made struct {
	set    algebra.KeySet
	op     int
	result int // of the operator, where it has several
}

// rollUp makes the finest sets of the input, and each other one of a finer one.
func (c *cube) rollUp() int {
	roots := c.roots()
	if len(roots) > 1 {
		c.computeTexts()
	}
	for _, set := range roots {
		c.fromInput(set)
	}
	for _, set := range c.distinctSets() {
		if c.find(set) == nil {
			c.fromFiner(set)
		}
	}
	return c.unite()
}

// distinctSets are the grouping sets, each once, finer ones first.
func (c *cube) distinctSets() []algebra.KeySet {
	sets := slices.Clone(c.node.Sets)
	slices.SortStableFunc(sets, func(a, b algebra.KeySet) int {
		return cmp.Or(bits.OnesCount64(uint64(b))-bits.OnesCount64(uint64(a)), cmp.Compare(a, b))
	})
	return slices.Compact(sets)
}

// roots are the sets that are aggregated from the input: one that contains all
// others, if it is asked for or is so much smaller than the input that making
// it pays; else those that no other contains.
func (c *cube) roots() []algebra.KeySet {
	const pays = 0.25 // of the input's rows
	sets := c.distinctSets()
	if slices.ContainsFunc(c.accs, func(a aggregate.Accumulator) bool { return !a.Combines() }) {
		return sets
	}
	var all algebra.KeySet
	for _, set := range sets {
		all |= set
	}
	rows := c.ops[c.in].Rows
	if slices.Contains(sets, all) || c.groups(all) <= pays*rows {
		return []algebra.KeySet{all}
	}
	var roots []algebra.KeySet
	for _, set := range sets {
		if !slices.ContainsFunc(roots, func(r algebra.KeySet) bool { return set&^r == 0 }) {
			roots = append(roots, set)
		}
	}
	return roots
}

func (c *cube) keysOf(set algebra.KeySet) []algebra.Item {
	var keys []algebra.Item
	for i, k := range c.keys {
		if set.Has(i) {
			keys = append(keys, k)
		}
	}
	return keys
}

// computeTexts computes text keys before the input is aggregated several times:
// text that each aggregation computed by itself would be in a dictionary of
// each, and their groups could not come together.
func (c *cube) computeTexts() {
	op := &project.Operator{}
	for i, k := range c.keys {
		if _, ok := k.Expr.(*algebra.ColumnRef); ok || !k.Column.Type.IsString() {
			continue
		}
		text := c.newColumn(k.Column.Name, k.Column.Type)
		op.Items = append(op.Items, algebra.Item{Column: text, Expr: k.Expr})
		c.keys[i].Expr = text.Ref()
	}
	if len(op.Items) > 0 {
		c.in = c.add(op, c.ops[c.in].Rows, c.in)
	}
}

// fromInput adds an aggregation of the input. A table is scanned anew by each;
// what has been computed is materialized once and read by each.
func (c *cube) fromInput(set algebra.KeySet) {
	in := c.in
	if s, ok := c.ops[in].Operator.(*scan.Operator); ok && len(c.ops[in].consumers) > 0 {
		in = c.add(s, c.ops[in].Rows)
	}
	op := &aggregate.Operator{Keys: c.keysOf(set), Accs: c.accs}
	c.made = append(c.made, made{set: set, op: c.grouped(op, len(op.Keys), c.groups(set), in)})
}

// groups is the estimated number of groups of a set, for which tables are made. A device goes over the rows
// again where there are more, so that there keys are independent: few estimates are too low then.
func (c *cube) groups(set algebra.KeySet) float64 {
	if !c.opts.Device {
		return c.groupSizes().Groups(set)
	}
	n, ok := c.sizes[set]
	if !ok {
		node := *c.node
		node.Sets = []algebra.KeySet{set}
		n = c.est.Groups(&node)[0]
		c.sizes[set] = n
	}
	return n
}

// groupSizes is how large groups are.
func (c *cube) groupSizes() *estimate.GroupSizes {
	if c.shapes == nil {
		c.shapes = c.est.GroupSizes(c.node)
	}
	return c.shapes
}

// fromFiner adds an aggregation of the smallest cuboid that has all keys of set.
func (c *cube) fromFiner(set algebra.KeySet) {
	best := -1
	for _, m := range c.made {
		// Of two of one size the later one has fewer keys.
		if set&^m.set == 0 && (best < 0 || c.ops[m.op].Rows <= c.ops[best].Rows) {
			best = m.op
		}
	}
	op := &cuboid.Operator{Accs: c.accs}
	for _, k := range c.keysOf(set) {
		op.Keys = append(op.Keys, k.Column)
	}
	c.made = append(c.made, made{set: set, op: c.grouped(op, len(op.Keys), min(c.groups(set), c.ops[best].Rows), best)})
}

// find returns what has been made of a set, or nil.
func (c *cube) find(set algebra.KeySet) *made {
	for i := range c.made {
		if c.made[i].set == set {
			return &c.made[i]
		}
	}
	return nil
}

// unite adds the union of the sets' groups, in the order that the query gives
// the sets in; a set that is there twice is read twice. The keys that a set
// does not have are NULL.
func (c *cube) unite() int {
	u := &union.Operator{}
	var ids []int
	rows := 0.0
	for i, set := range c.node.Sets {
		var part union.Part
		for k, key := range c.keys {
			if set.Has(k) {
				part = append(part, union.PartCol{From: key.Column})
			} else {
				part = append(part, union.PartCol{})
			}
		}
		for _, a := range c.accs {
			for _, col := range a.Cols {
				part = append(part, union.PartCol{From: col})
			}
		}
		if c.node.GroupingID.ID != 0 {
			part = append(part, union.PartCol{Const: setNumber(i)})
		}
		if len(c.having) > 0 {
			for _, item := range c.last.Items {
				part = append(part, union.PartCol{From: item.Column})
			}
		}
		u.Parts = append(u.Parts, part)
		of := c.find(set)
		id := c.filtered(of.op, i)
		ids = append(ids, id)
		u.Results = append(u.Results, of.result)
		rows += c.ops[id].Rows
	}
	always := c.node.KeysInAllSets()
	for i, key := range c.keys {
		col := key.Column
		col.Nullable = col.Nullable || !always.Has(i)
		u.Cols = append(u.Cols, col)
	}
	for _, a := range c.accs {
		u.Cols = append(u.Cols, a.Cols...)
	}
	if id := c.node.GroupingID; id.ID != 0 {
		u.Cols = append(u.Cols, id)
	}
	if len(c.having) > 0 {
		u.Cols = append(u.Cols, c.last.Columns()...)
	}
	return c.add(u, rows, ids...)
}

// filtered adds the conditions on the groups of set number i, which operator op has made.
// In them the keys that the set lacks are NULL.
func (c *cube) filtered(op, i int) int {
	if len(c.having) == 0 {
		return op
	}
	known := map[algebra.ColumnID]algebra.Expr{}
	for k, key := range c.keys {
		if !c.node.Sets[i].Has(k) {
			known[key.Column.ID] = &algebra.Const{Typ: key.Column.Type}
		}
	}
	if id := c.node.GroupingID; id.ID != 0 {
		known[id.ID] = &algebra.Const{Val: setNumber(i), Typ: id.Type}
	}
	conds := lists.Map(c.having, func(cond algebra.Expr) algebra.Expr { return algebra.Substitute(cond, known) })
	if len(c.last.Items) > 0 {
		op = c.add(c.last, c.ops[op].Rows, op)
	}
	return c.add(&filter.Operator{Conds: conds}, c.ops[op].Rows*c.passing, op)
}

// setNumber is the number of a grouping set as a value.
func setNumber(i int) value.Value { return value.Value{Kind: value.Int, I: int64(i)} }
