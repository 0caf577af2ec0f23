package fusion

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/build"
	"github.com/cubeloom/cubeloom/operators/probe"
	"github.com/cubeloom/cubeloom/operators/union"
	"github.com/cubeloom/cubeloom/operators/unmatched"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

func (g *graph) join(n *algebra.Join) int {
	d, side := g.chosenJoin(n)
	if side != nil {
		id := g.addMerge(n, side)
		g.decide(id, d)
		return id
	}
	right, left := g.node(n.Right), g.node(n.Left)
	var leftKeys, rightKeys []operators.Key
	for _, k := range n.Keys {
		t := keyType(k.Left.Type(), k.Right.Type())
		leftKeys = append(leftKeys, operators.Key{Expr: g.expr(k.Left), Type: t, NullSafe: k.NullSafe})
		rightKeys = append(rightKeys, operators.Key{Expr: g.expr(k.Right), Type: t, NullSafe: k.NullSafe})
	}
	residual := g.exprs(n.Residual)
	if g.swaps(n, left, right) {
		d.Taken().Detail = "table of the left side, which has fewer rows"
		id := g.swapped(n, left, right, leftKeys, rightKeys, residual)
		g.decide(id, d)
		return id
	}
	keys := n.Keys
	if i := uniqueKey(n); i >= 0 {
		residual = append(g.exprs(residualKeys(keys, i)), residual...)
		keys, leftKeys, rightKeys = keys[i:i+1], leftKeys[i:i+1], rightKeys[i:i+1]
	}
	op := &probe.Operator{
		Kind: probeKinds[n.Kind], Keys: leftKeys, With: rightKeys, Residual: residual,
		Mark: n.Kind == algebra.JoinRight || n.Kind == algebra.JoinFull,
	}
	isFilter := op.Kind == kernel.ProbeSemi || op.Kind == kernel.ProbeAnti
	rightSide := func(k algebra.JoinKey) algebra.Expr { return k.Right }
	maker := &build.Operator{Keys: rightKeys, Members: isFilter && len(residual) == 0, Repeats: g.repeats(n.Right, keys, rightSide)}
	table := g.add(maker, g.ops[right].Rows, right)
	g.tables[table] = g.domain(n.Right, keys, rightSide)
	found := g.add(op, g.est.Rows(n), left, table)
	g.decide(found, d)
	if isFilter {
		g.ops[found].cols = g.ops[left].cols
	}
	if !op.Mark {
		return found
	}
	return g.withUnmatched(left, table, found)
}

// uniqueKey is the one of several keys of a join that no two rows of the right input share,
// −1 where there is none. The table is made of it alone, often an array then, and the other
// keys are compared where it has found a row.
func uniqueKey(n *algebra.Join) int {
	if len(n.Keys) < 2 {
		return -1
	}
	for i, k := range n.Keys {
		ref, ok := k.Right.(*algebra.ColumnRef)
		if ok && !k.NullSafe && ref.Column.Type.IsInteger() && sameTypes(n.Keys, i) &&
			algebra.Unique(n.Right, algebra.SetOf([]algebra.Column{ref.Column})) {
			return i
		}
	}
	return -1
}

// domain estimates the number of values among which those of one side's keys are.
func (g *graph) domain(n algebra.Node, keys []algebra.JoinKey, side func(algebra.JoinKey) algebra.Expr) float64 {
	p := g.est.Of(n)
	product := 1.0
	for _, k := range keys {
		product *= p.Domain(side(k))
	}
	return product
}

// repeats reports whether several rows of a side are likely to have the same keys: they have noticeably fewer
// values than there are rows.
func (g *graph) repeats(n algebra.Node, keys []algebra.JoinKey, side func(algebra.JoinKey) algebra.Expr) bool {
	const noticeably = 1.05
	p := g.est.Of(n)
	product := 1.0
	for _, k := range keys {
		ref, ok := side(k).(*algebra.ColumnRef)
		if !ok || p.DistinctIsUnknown(ref.Column.ID) {
			return false
		}
		product *= p.DistinctOf(ref.Column.ID)
	}
	return len(keys) > 0 && p.Rows > noticeably*product
}

// swaps reports whether the table of a semi or anti join is better made of its left
// input: putting a row into a table costs several times what looking it up does, and the
// guesses are rough. The rows come in the order of the table then, and without keys each pair
// of rows would have to be looked at.
func (g *graph) swaps(n *algebra.Join, left, right int) bool {
	return (n.Kind == algebra.JoinSemi || n.Kind == algebra.JoinAnti) && len(n.Keys) > 0 &&
		!g.ops[left].Ordered && g.ops[left].Rows*g.opts.Machine.Planning.SwapRatio <= g.ops[right].Rows
}

// swapped adds a semi or anti join whose table is made of the left input: the
// rows of the right input mark their matches, and then those that have a mark,
// or have none, are the result.
func (g *graph) swapped(n *algebra.Join, left, right int, leftKeys, rightKeys []operators.Key, residual []algebra.Expr) int {
	leftSide := func(k algebra.JoinKey) algebra.Expr { return k.Left }
	table := g.add(&build.Operator{Keys: leftKeys, Repeats: g.repeats(n.Left, n.Keys, leftSide)}, g.ops[left].Rows, left)
	g.tables[table] = g.domain(n.Left, n.Keys, leftSide)
	marking := &probe.Operator{Kind: kernel.ProbeSemi, Keys: rightKeys, Residual: residual, Mark: true}
	marked := g.add(marking, g.ops[right].Rows, right, table)
	g.ops[marked].cols = nil
	rest := g.add(&unmatched.Operator{Matched: n.Kind == algebra.JoinSemi}, g.est.Rows(n), table, marked)
	g.ops[rest].cols = g.ops[table].cols
	return rest
}

// withUnmatched unites what a probe found with the rows of the table that it
// did not find, which have NULL for the left columns.
func (g *graph) withUnmatched(left, table, found int) int {
	rest := g.add(&unmatched.Operator{}, g.ops[table].Rows/2, table, found)
	u := &union.Operator{Parts: make([]union.Part, 2)}
	for _, c := range g.ops[left].cols {
		c.Nullable = true
		u.Cols = append(u.Cols, c)
		u.Parts[0] = append(u.Parts[0], union.PartCol{From: c})
		u.Parts[1] = append(u.Parts[1], union.PartCol{})
	}
	for _, c := range g.ops[table].cols {
		u.Cols = append(u.Cols, c)
		u.Parts[0] = append(u.Parts[0], union.PartCol{From: c})
		u.Parts[1] = append(u.Parts[1], union.PartCol{From: c})
	}
	g.ops[rest].cols = g.ops[table].cols
	return g.add(u, g.ops[found].Rows+g.ops[rest].Rows, found, rest)
}

// keyType is a type that holds the keys of both sides.
func keyType(left, right algebra.Type) algebra.Type {
	if left.Kind == algebra.Decimal && right.Precision > left.Precision {
		return right
	}
	return left
}

// chosenJoin chooses the strategy of a join; s is the side that it is merged with, nil
// for a hash table.
func (g *graph) chosenJoin(n *algebra.Join) (d strategy.Decision, s *side) {
	merges, sides := g.mergeOffers(n)
	return g.chosen("join", g.hashCost(n), merges, sides)
}

// chosen chooses between a hash table, by its cost, and merges with the sides.
func (g *graph) chosen(of string, hashCost float64, merges []strategy.Offer, sides []*side) (d strategy.Decision, s *side) {
	offers := make([]strategy.Offer, 1, 1+len(merges))
	offers[0] = strategy.Offer{Strategy: HashJoin, Cost: hashCost}
	d = sqlstate.Must(g.opts.Joins.Choose(of, append(offers, merges...)...))
	for i, s := range sides {
		if d.Offers[1+i].Taken {
			return d, s
		}
	}
	return d, nil
}

// hashCost is what a join costs with a hash table, whichever side it is made of.
func (g *graph) hashCost(n *algebra.Join) float64 {
	left, right := g.est.Rows(n.Left), g.est.Rows(n.Right)
	cost := g.costs.Built*right + g.costs.Probed*left
	if n.Kind == algebra.JoinSemi || n.Kind == algebra.JoinAnti {
		cost = min(cost, g.costs.Built*left+g.costs.Probed*right)
	}
	return cost + g.scanCost(n.Left) + g.scanCost(n.Right)
}
