package fusion

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/merge"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/sql/value"
)

// keysPerVisit is how many keys of a table in order a merge passes at most on its way to
// the next key that is sought.
const keysPerVisit = 1000

// side is a base table in order as one side of a join: what the other is merged with.
type side struct {
	stream  algebra.Node // the other
	swapped bool         // that is the right one
	scan    *algebra.Scan
	by      int                                   // the column of the scan in whose order the table is
	key     int                                   // of the join
	conds   []algebra.Expr                        // of filters over the scan
	renamed []algebra.Item                        // by projections over the scan, the lowest first
	names   map[algebra.ColumnID]algebra.ColumnID // of those, what they are of the scan
}

// mergeOffers are what merges with either side of a join would cost, and the sides by
// the place of their offers. A join of kind inner may be merged with both.
func (g *graph) mergeOffers(n *algebra.Join) (offers []strategy.Offer, sides []*side) {
	offers, sides = make([]strategy.Offer, 0, 2), make([]*side, 0, 2)
	for _, swapped := range []bool{false, true} {
		offer := strategy.Offer{Strategy: MergeJoin, Detail: "with the right side"}
		if swapped {
			offer.Detail = "with the left side"
		}
		var s *side
		if n.Kind == algebra.JoinRight || n.Kind == algebra.JoinFull || swapped && n.Kind != algebra.JoinInner {
			offer.Refusal = "rows without a match of the table in order cannot be found by a merge"
		} else if s, offer.Refusal = g.side(n, swapped); s != nil {
			offer.Cost = g.mergeCost(s)
		}
		offers, sides = append(offers, offer), append(sides, s)
	}
	return offers, sides
}

// side returns the right input of a join, the left one where swapped is set, if the
// join can be merged with it, or why it cannot.
func (g *graph) side(n *algebra.Join, swapped bool) (_ *side, refusal string) {
	stream, table := n.Left, n.Right
	if swapped {
		stream, table = table, stream
	}
	s := peel(table)
	switch {
	case s == nil || !s.scan.Table.Exact:
		return nil, "it is no table"
	case len(s.conds) > 0 && slices.ContainsFunc(slices.Concat(s.conds, n.Residual), mayRaise):
		return nil, "a condition on it may raise an error"
	}
	s.stream, s.swapped = stream, swapped
	refusal = "it is not in the order of a key"
	for s.key = range n.Keys {
		mine, isColumn := s.of(n.Keys[s.key].Right, n.Keys[s.key].Left).(*algebra.ColumnRef)
		other, isToo := s.of(n.Keys[s.key].Left, n.Keys[s.key].Right).(*algebra.ColumnRef)
		if !isColumn || !isToo || !sameIntegers(mine.Column.Type, other.Column.Type) || !sameTypes(n.Keys, s.key) {
			continue
		}
		s.by = slices.IndexFunc(s.scan.Cols, func(c algebra.Column) bool { return c.ID == s.name(mine.Column.ID) })
		switch {
		case s.by < 0 || !s.scan.ColStats[s.by].Ascending:
		case g.opts.Joins.Prefers(MergeJoin, HashJoin):
			return s, ""
		case !ascends(stream, other.Column.ID):
			refusal = "the other side does not come in its order"
		case g.takesTurns(n, s):
			refusal = "a device goes over its rows once for each match of a row"
		default:
			return s, ""
		}
	}
	return nil, refusal
}

// takesTurns reports whether a merge would have the blocks of a device go over their rows
// once for each match of a row, most of them without one where filters have left few:
// TPC-H's queries took up to twice the time of a hash table.
func (g *graph) takesTurns(n *algebra.Join, s *side) bool {
	return g.opts.Device && n.Kind != algebra.JoinSemi && n.Kind != algebra.JoinAnti && !s.scan.ColStats[s.by].Unique
}

// of is the first expression, or the second where the sides are swapped.
func (s *side) of(a, b algebra.Expr) algebra.Expr {
	if s.swapped {
		return b
	}
	return a
}

func mayRaise(e algebra.Expr) bool { return algebra.MayRaise(e, nil) }

// peel finds the scan below filters and renamings, or returns nil.
func peel(n algebra.Node) *side {
	switch n := n.(type) {
	case *algebra.Scan:
		return &side{scan: n, names: map[algebra.ColumnID]algebra.ColumnID{}}
	case *algebra.Filter:
		s := peel(n.Input)
		if s != nil {
			s.conds = append(s.conds, n.Conds...)
		}
		return s
	case *algebra.Project:
		s := peel(n.Input)
		for _, item := range n.Items {
			ref, ok := item.Expr.(*algebra.ColumnRef)
			if s == nil || !ok {
				return nil
			}
			s.renamed = append(s.renamed, item)
			s.names[item.Column.ID] = s.name(ref.Column.ID)
		}
		return s
	}
	return nil
}

// name is the column of the scan that a column is.
func (s *side) name(id algebra.ColumnID) algebra.ColumnID {
	if of, ok := s.names[id]; ok {
		return of
	}
	return id
}

// sameIntegers reports whether values of two types are integers that compare as such.
func sameIntegers(a, b algebra.Type) bool {
	switch a.Kind {
	case algebra.Int16, algebra.Int32, algebra.Int64:
		return b.Kind == algebra.Int16 || b.Kind == algebra.Int32 || b.Kind == algebra.Int64
	case algebra.Date, algebra.Timestamp, algebra.TimestampTZ, algebra.Time, algebra.Enum:
		return a.Kind == b.Kind
	}
	return false
}

// sameTypes reports whether the keys other than that of a merge can be residual
// conditions: both of their sides have one type.
func sameTypes(keys []algebra.JoinKey, merged int) bool {
	for i, k := range keys {
		if i != merged && k.Left.Type() != k.Right.Type() {
			return false
		}
	}
	return true
}

// ascends reports whether the rows of a node are likely to come in the order of a column.
func ascends(n algebra.Node, id algebra.ColumnID) bool {
	switch n := n.(type) {
	case *algebra.Scan:
		i := slices.IndexFunc(n.Cols, func(c algebra.Column) bool { return c.ID == id })
		return i >= 0 && n.ColStats[i].Ascending
	case *algebra.Filter:
		return ascends(n.Input, id)
	case *algebra.Project:
		for _, item := range n.Items {
			if item.Column.ID == id {
				ref, ok := item.Expr.(*algebra.ColumnRef)
				return ok && ascends(n.Input, ref.Column.ID)
			}
		}
	case *algebra.Join:
		if n.Kind == algebra.JoinRight || n.Kind == algebra.JoinFull {
			return false
		}
		return ascends(n.Left, id) || n.Kind == algebra.JoinInner && ascends(n.Right, id)
	}
	return false
}

// scanCost is what it costs to read the base table that a node is of; 0 for others.
func (g *graph) scanCost(n algebra.Node) float64 {
	if s := peel(n); s != nil {
		return g.costs.Scanned * float64(s.scan.Table.Rows)
	}
	return 0
}

// mergeCost is what a join costs as a merge with s.
func (g *graph) mergeCost(s *side) float64 {
	rows, all := g.est.Rows(s.stream), float64(s.scan.Table.Rows)
	keys := max(s.scan.ColStats[s.by].Distinct, 1)
	return g.costs.Sought*rows + g.costs.Paired*rows*max(all/keys, 1) + g.costs.Visited*min(keysPerVisit*rows, all) + g.scanCost(s.stream)
}

// addMerge adds a join as a merge with s.
func (g *graph) addMerge(n *algebra.Join, s *side) int {
	in := g.node(s.stream)
	for _, item := range s.renamed {
		g.rename(item.Column, g.expr(item.Expr).(*algebra.ColumnRef).Column)
	}
	op := &merge.Operator{
		Kind: probeKinds[n.Kind], Scan: s.scan, By: s.scan.Cols[s.by], Unique: s.scan.ColStats[s.by].Unique,
		Residual: g.exprs(slices.Concat(s.conds, residualKeys(n.Keys, s.key), n.Residual)),
	}
	key := s.of(n.Keys[s.key].Left, n.Keys[s.key].Right)
	op.Key = operators.Key{Expr: g.expr(key), Type: key.Type()}
	id := g.add(op, g.est.Rows(n), in)
	if op.Kind == kernel.ProbeSemi || op.Kind == kernel.ProbeAnti {
		g.ops[id].cols = g.ops[in].cols
	}
	return id
}

// residualKeys are the keys other than that of a merge as conditions.
func residualKeys(keys []algebra.JoinKey, merged int) []algebra.Expr {
	var conds []algebra.Expr
	for i, k := range keys {
		if i == merged {
			continue
		}
		cond := &algebra.Call{Func: algebra.Eq, Args: []algebra.Expr{k.Left, k.Right}, Typ: algebra.TBool, Pos: value.NoPos}
		if k.NullSafe {
			cond.Func = algebra.Distinct
			cond = &algebra.Call{Func: algebra.Not, Args: []algebra.Expr{cond}, Typ: algebra.TBool, Pos: value.NoPos}
		}
		conds = append(conds, cond)
	}
	return conds
}

// The strategies of joins, and of set operations, which are joins of whole rows or
// groups of them.
const (
	HashJoin  = "hash"
	MergeJoin = "merge"
)

// JoinStrategies are the names of the strategies of joins.
func JoinStrategies() []string { return []string{HashJoin, MergeJoin} }

// probeKinds are the kinds of probes of the joins: a right join is an inner
// probe and the unmatched rest, a full join a left probe and that rest.
var probeKinds = map[algebra.JoinKind]kernel.ProbeKind{
	algebra.JoinInner: kernel.ProbeInner, algebra.JoinRight: kernel.ProbeInner,
	algebra.JoinLeft: kernel.ProbeLeft, algebra.JoinFull: kernel.ProbeLeft,
	algebra.JoinSemi: kernel.ProbeSemi, algebra.JoinAnti: kernel.ProbeAnti,
}
