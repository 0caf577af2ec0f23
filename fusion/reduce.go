package fusion

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/aggregate"
	"github.com/cubeloom/cubeloom/operators/build"
	"github.com/cubeloom/cubeloom/operators/filter"
	"github.com/cubeloom/cubeloom/operators/finalize"
	"github.com/cubeloom/cubeloom/operators/groups"
	"github.com/cubeloom/cubeloom/operators/merge"
	"github.com/cubeloom/cubeloom/operators/probe"
	"github.com/cubeloom/cubeloom/operators/project"
	"github.com/cubeloom/cubeloom/operators/scan"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// reduce adds semi-join reductions. What an inner or semi probe will drop for
// want of a match in its hash table need not be
//
//   - aggregated before it: a semi probe of the table by the columns that the
//     groups' keys come from goes below the aggregation;
//   - in the table of a later probe of the same stream, which only rows that
//     have passed look into: if the two probes have a key in common, a semi
//     probe of the first table goes below the build of the second;
//   - looked up by several keys: where the rows of the table have been looked up
//     by one of them in another table, a semi probe of that goes before.
//
// Tables that exist anyway are looked into once more; none is made for it. reduce
// renumbers the operators and returns the root's new number.
func (g *graph) reduce(root int) int {
	made := len(g.ops)
	for id := range made {
		p, ok := g.ops[id].Operator.(*probe.Operator)
		if !ok {
			continue
		}
		stream, table := g.ops[id].Inputs[0], g.ops[id].Inputs[1]
		if drops(p) {
			r := reduction{graph: g, made: made, table: table, keys: p.Keys, above: id}
			r.into(stream, true)
			g.reduceStream(p, made, id)
		}
		if !p.Mark {
			g.reduceTable(p, made, stream, table)
		}
	}
	if made == len(g.ops) {
		return root
	}
	return g.renumber(root)
}

// drops reports whether a row without a match does not pass a probe.
func drops(p *probe.Operator) bool {
	return (p.Kind == kernel.ProbeInner || p.Kind == kernel.ProbeSemi) && len(p.Keys) > 0
}

// reduceTable reduces the table of p by those that its stream has been looked up
// in before.
func (g *graph) reduceTable(p *probe.Operator, made, stream, table int) {
	for id := stream; rowByRow(g.ops[id].Operator); id = g.ops[id].Inputs[0] {
		before, ok := g.ops[id].Operator.(*probe.Operator)
		if !ok || !drops(before) {
			continue
		}
		by := g.ops[id].Inputs[1]
		if keys, ok := g.common(before, by, p, table); ok {
			r := reduction{graph: g, made: made, table: by, keys: keys, above: table, shrunk: []int{table}}
			r.into(g.ops[table].Inputs[0], false)
		}
	}
}

// reduceStream reduces the stream of probe id, p, which looks rows up by several keys, by the tables that the
// rows of its table have been looked up in.
func (g *graph) reduceStream(p *probe.Operator, made, id int) {
	stream, table := g.ops[id].Inputs[0], g.ops[id].Inputs[1]
	if len(p.Keys) < 2 {
		return
	}
	for at := g.ops[table].Inputs[0]; rowByRow(g.ops[at].Operator); at = g.ops[at].Inputs[0] {
		before, ok := g.ops[at].Operator.(*probe.Operator)
		if !ok || !drops(before) || len(before.Keys) >= len(p.Keys) {
			continue
		}
		by := g.ops[at].Inputs[1]
		keys, ok := g.inherited(before, by, p, table)
		if ok && !g.dropsBy(stream, keys) && g.isQuicker(by, table, len(p.Keys)) {
			r := reduction{graph: g, made: made, table: by, keys: keys, above: id}
			r.into(stream, false)
		}
	}
}

// isQuicker reports whether a device looks a row up more quickly in a table of one integer key, as a set of bits, and then, where
// it is found, in another one by so many keys, than in that one alone.
func (g *graph) isQuicker(by, table, keys int) bool {
	const word = 8 // bytes; a slot takes half of one, and there are twice as many slots as rows
	filters, values := &g.opts.Machine.Device.Filters, g.tables[by]
	alone := filters.Lookup(g.ops[table].Rows * word * float64(keys+1))
	return g.opts.Device && filters.Lookup(values/8)+alone*min(g.ops[by].Rows/values, 1) < alone
}

// dropsBy reports whether rows of a stream are dropped for want of a match of some keys already.
func (g *graph) dropsBy(stream int, keys []operators.Key) bool {
	for id := stream; rowByRow(g.ops[id].Operator); id = g.ops[id].Inputs[0] {
		if p, ok := g.ops[id].Operator.(*probe.Operator); ok && drops(p) && sameKeys(p.Keys, keys) {
			return true
		}
	}
	return false
}

func sameKeys(a, b []operators.Key) bool {
	return slices.EqualFunc(a, b, func(a, b operators.Key) bool { return sameColumn(a.Expr, b.Expr) })
}

// inherited returns the keys of p that are equal, for rows that match, to the keys that
// before has looked the rows of p's table up by in the table by; ok is false where one of those has no equal.
func (g *graph) inherited(before *probe.Operator, by int, p *probe.Operator, table int) (keys []operators.Key, ok bool) {
	return g.equalKeys(before, by, g.ops[table].Operator.(*build.Operator).Keys, p.Keys)
}

// common returns the keys of the table of p that are equal, for rows that match, to
// the keys that before has looked up in the table by; ok is false where one of
// those has no equal.
func (g *graph) common(before *probe.Operator, by int, p *probe.Operator, table int) (keys []operators.Key, ok bool) {
	return g.equalKeys(before, by, p.Keys, g.ops[table].Operator.(*build.Operator).Keys)
}

// equalKeys finds each key that before looks up in the table by among keys of one side of a
// join, and returns those of the other side.
func (g *graph) equalKeys(before *probe.Operator, by int, side, other []operators.Key) (keys []operators.Key, ok bool) {
	sought := g.ops[by].Operator.(*build.Operator)
	for i, k := range before.Keys {
		at := slices.IndexFunc(side, func(q operators.Key) bool {
			return sameColumn(q.Expr, k.Expr) || before.Kind == kernel.ProbeInner && sameColumn(q.Expr, sought.Keys[i].Expr)
		})
		if at < 0 || side[at].Expr.Type() != k.Expr.Type() || other[at].Expr.Type() != k.Expr.Type() {
			return nil, false
		}
		k.Expr = other[at].Expr
		keys = append(keys, k)
	}
	return keys, true
}

// sameColumn reports whether two expressions are one column.
func sameColumn(a, b algebra.Expr) bool {
	x, ok := a.(*algebra.ColumnRef)
	y, okToo := b.(*algebra.ColumnRef)
	return ok && okToo && x.Column.ID == y.Column.ID
}

// rowByRow reports whether an operator makes each row of one row of its first
// input, and so can be exchanged with one that drops rows of it.
func rowByRow(o operators.Operator) bool {
	switch o := o.(type) {
	case *filter.Operator, *project.Operator, *groups.Operator, *finalize.Operator, *merge.Operator:
		return true
	case *probe.Operator:
		return !o.Mark // marks are for every row
	}
	return false
}

// A reduction is a semi probe that goes down from where rows without a match are
// known not to matter.
type reduction struct {
	*graph
	made   int             // operators of the plan; those after them are reductions
	table  int             // a build
	keys   []operators.Key // looked up in it, in terms of the rows at hand
	above  int             // the operator that reads them
	shrunk []int           // operators passed, which have fewer rows with it
}

// So few groups and accumulators that adding a row costs less than the lookup that would
// leave it out.
const (
	fewGroups = 1 << 8
	fewSums   = 2
)

// reduces is the greatest part of the rows that may be left for a reduction to
// be worth its lookups.
const reduces = 0.5

// into goes down from operator at and adds the probe where it is computed least
// often: above the filters of a scan, or where the keys are made. With
// onlyAggregated it must have passed an aggregation.
func (r *reduction) into(at int, onlyAggregated bool) {
	for r.passes(at) {
		if _, ok := r.ops[at].Operator.(*aggregate.Operator); ok {
			onlyAggregated = false
		}
		r.shrunk = append(r.shrunk, at)
		r.above, at = at, r.ops[at].Inputs[0]
	}
	if onlyAggregated || r.reduced(at) || r.dependsOn(r.table, r.above, map[int]bool{}) {
		return
	}
	rows := r.ops[at].Rows * min(r.ops[r.table].Rows/r.tables[r.table], 1)
	if rows <= reduces*r.ops[at].Rows {
		r.insert(at, rows)
	}
}

// reduced reports whether operator at drops rows by the same columns already: by
// the same table, or by one that the plan has for that.
func (r *reduction) reduced(at int) bool {
	p, ok := r.ops[at].Operator.(*probe.Operator)
	return ok && drops(p) && (r.ops[at].Inputs[1] == r.table || p.Kind == kernel.ProbeSemi) && sameKeys(p.Keys, r.keys)
}

// passes reports whether the probe is to go below operator at, and rewrites the
// keys where that takes it. It stays above other reductions, whose estimate says
// whether one more is worth it.
func (r *reduction) passes(at int) bool {
	op := r.ops[at]
	if len(op.consumers) > 1 || at >= r.made || r.reduced(at) {
		return false
	}
	switch o := op.Operator.(type) {
	case *aggregate.Operator:
		below, ok := r.below(op, o)
		if ok {
			r.keys = below
		}
		return ok
	case *groups.Operator: // nothing stands between it and the aggregation
		in := r.ops[op.Inputs[0]]
		if a, ok := in.Operator.(*aggregate.Operator); ok && len(in.consumers) == 1 {
			_, ok := r.below(in, a)
			return ok
		}
		return false
	}
	if !rowByRow(op.Operator) {
		return false
	}
	in := r.ops[op.Inputs[0]]
	if _, ok := in.Operator.(*scan.Operator); ok {
		if _, ok := op.Operator.(*filter.Operator); ok {
			return false
		}
	}
	have := algebra.SetOf(in.cols)
	uses := operators.KeyReferences(r.keys)
	return uses.SubsetOf(have)
}

// below returns what a's keys are computed from in the place of the keys; ok is false where
// that is not known, or a has so few groups that the probe is to stay above it.
func (r *reduction) below(op *Op, a *aggregate.Operator) (below []operators.Key, ok bool) {
	if op.Rows <= fewGroups && len(a.Accs) <= fewSums {
		return nil, false
	}
	below = slices.Clone(r.keys)
	for i, k := range r.keys {
		at := slices.IndexFunc(a.Keys, func(item algebra.Item) bool { return sameColumn(k.Expr, item.Column.Ref()) })
		if at < 0 || a.Keys[at].Expr.Type() != k.Expr.Type() {
			return nil, false
		}
		below[i].Expr = a.Keys[at].Expr
	}
	return below, true
}

// dependsOn reports whether operator id reads what operator of makes. seen are the
// operators that are known not to.
func (g *graph) dependsOn(id, of int, seen map[int]bool) bool {
	if id == of || seen[id] {
		return id == of
	}
	seen[id] = true
	return slices.ContainsFunc(g.ops[id].Inputs, func(in int) bool { return g.dependsOn(in, of, seen) })
}

// insert adds the probe between operator at and the one that reads it.
func (r *reduction) insert(at int, rows float64) {
	left := rows / r.ops[at].Rows
	for _, id := range r.shrunk {
		r.ops[id].Rows = max(r.ops[id].Rows*left, 1)
	}
	reader, in := r.ops[r.above], r.ops[at]
	in.consumers = slices.DeleteFunc(in.consumers, func(id int) bool { return id == r.above })
	id := r.add(&probe.Operator{Kind: kernel.ProbeSemi, Keys: r.keys}, rows, at, r.table)
	r.ops[id].cols = in.cols
	r.ops[id].consumers = []int{r.above}
	reader.Inputs = slices.Clone(reader.Inputs)
	reader.Inputs[slices.Index(reader.Inputs, at)] = id
}

// renumber puts the operators that root reads, those that were added included, before those
// that read them, leaves them in their order as far as that allows, leaves out what nothing
// reads, and returns root's new number.
func (g *graph) renumber(root int) int {
	number := make([]int, len(g.ops))
	for i := range number {
		number[i] = -1
	}
	read := make(map[int]bool)
	g.dependsOn(root, -1, read)
	var ordered []*Op
	var place func(id int)
	place = func(id int) {
		if number[id] >= 0 {
			return
		}
		for _, in := range g.ops[id].Inputs {
			place(in)
		}
		number[id] = len(ordered)
		ordered = append(ordered, g.ops[id])
	}
	for id := range g.ops {
		if read[id] {
			place(id)
		}
	}
	isGone := func(id int) bool { return number[id] < 0 }
	for _, op := range ordered {
		op.ID = number[op.ID]
		for i, in := range op.Inputs {
			op.Inputs[i] = number[in]
		}
		op.consumers = slices.DeleteFunc(op.consumers, isGone)
		for i, c := range op.consumers {
			op.consumers[i] = number[c]
		}
	}
	g.decisions = slices.DeleteFunc(g.decisions, func(d Decision) bool { return isGone(d.Op) })
	for i := range g.decisions {
		g.decisions[i].Op = number[g.decisions[i].Op]
	}
	loops := make(map[int]*Loop, len(g.loops))
	for id, l := range g.loops {
		loops[number[id]] = l
	}
	g.ops, g.loops, g.tables = ordered, loops, nil // which nothing asks for any more
	return number[root]
}
