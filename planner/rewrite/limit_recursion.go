package rewrite

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// limitRecursion ends the recursion below filters, projects and joins, which give for
// each of its rows what they give whatever the others are, when the iterations so far make
// as many rows as the limit wants:
//
//	limit 10 ← filter i % 2000 = 0 ← recursive
//
// becomes the same over a recursion that counts, after every round, the rows of the
// filter over the iteration's rows. Not where it depends on chance: counting would draw
// other numbers.
func limitRecursion(n *algebra.Limit) algebra.Node {
	wanted := n.Count + n.Offset
	r := eachRowOf(n.Input)
	if r == nil || r.Limit >= 0 || n.Count < 0 || wanted < 0 {
		return n
	}
	one := algebra.Item{
		Column: algebra.Column{ID: r.ID, Name: "counted", Type: algebra.TInt32},
		Expr:   &algebra.Const{Val: value.Value{Kind: value.Int, I: 1}, Typ: algebra.TInt32},
	}
	out := *r
	out.Limit = wanted
	out.Counted = &algebra.Project{
		Input: putFor(n.Input, r, &algebra.Working{Of: r.ID, Cols: r.Cols}), Items: []algebra.Item{one},
	}
	return &algebra.Limit{Input: putFor(n.Input, r, &out), Count: n.Count, Offset: n.Offset}
}

// eachRowOf is the recursion whose rows, one by one, n makes its own of; nil for none.
func eachRowOf(n algebra.Node) *algebra.Recursive {
	drawn := false
	algebra.VisitExprs(n, func(e algebra.Expr) {
		algebra.WalkExpr(e, func(e algebra.Expr) bool {
			c, ok := e.(*algebra.Call)
			drawn = drawn || ok && (c.Func == algebra.Random || c.Func == value.RandomOf)
			return !drawn
		})
	})
	if drawn {
		return nil
	}
	switch n := n.(type) {
	case *algebra.Recursive:
		return n
	case *algebra.Filter:
		return eachRowOf(n.Input)
	case *algebra.Project:
		return eachRowOf(n.Input)
	case *algebra.Join:
		if n.Kind == algebra.JoinInner || n.Kind == algebra.JoinLeft || isFiltering(n.Kind) {
			return eachRowOf(n.Left)
		}
	}
	return nil
}

// putFor is n with another leaf in the place of a recursion.
func putFor(n algebra.Node, r *algebra.Recursive, leaf algebra.Node) algebra.Node {
	return algebra.Transform(n, func(n algebra.Node) algebra.Node {
		if n == algebra.Node(r) {
			return leaf
		}
		return n
	})
}
