package check

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Groups has rows grouped by texts that order as the values do where equal values can have
// several texts: those of jsonb, arrays of numeric, and character without a length. What is
// shown of a group is the least of its texts. It refuses what cannot be grouped.
func Groups(b *scope.Binder, node algebra.Node) (algebra.Node, error) {
	if !groupsByOrder(node) {
		return node, nil
	}
	g := &grouper{b: b}
	node = algebra.Transform(node, g.node)
	return node, g.err
}

// groupsByOrder reports whether a plan groups by values that are not oneText.
func groupsByOrder(node algebra.Node) bool {
	found := false
	algebra.Walk(node, func(n algebra.Node) bool {
		groupedTypes(n, func(t algebra.Type) { found = found || !oneText(t) })
		orderedTypes(n, func(t algebra.Type) { found = found || expression.HasNoOrder(t) })
		algebra.VisitExprs(n, func(e algebra.Expr) {
			algebra.WalkExpr(e, func(e algebra.Expr) bool {
				if q, ok := e.(*algebra.Subquery); ok && !found {
					found = groupsByOrder(q.Plan)
				}
				return !found
			})
		})
		return !found
	})
	return found
}

// oneText reports whether equal values of a type have the same text.
func oneText(t algebra.Type) bool { return algebra.Groupable(t) && t != algebra.TBPChar }

// orderKey is a text by which values of a type that is not oneText are equal.
func orderKey(b *scope.Binder, e algebra.Expr) algebra.Expr {
	if e.Type().IsChar() {
		return term.Call(algebra.Cast, algebra.TText, sql.NoPos, convert.ComparedChar(b, e))
	}
	return expression.OrderKey(b, e, sql.NoPos)
}

// groupedTypes yields the types by whose equality a node groups rows.
func groupedTypes(n algebra.Node, found func(algebra.Type)) {
	switch n := n.(type) {
	case *algebra.Aggregate:
		for i := range n.Keys {
			found(n.Keys[i].Expr.Type())
		}
		for i := range n.Aggs {
			if n.Aggs[i].Distinct {
				found(n.Aggs[i].Arg.Type())
			}
		}
	case *algebra.Window:
		for _, e := range n.PartitionBy {
			found(e.Type())
		}
	case *algebra.SetOp:
		for _, c := range n.Cols {
			if n.Kind != algebra.Union || !n.All {
				found(c.Type)
			}
		}
	}
}

// orderedTypes returns the types by whose order a node sorts rows.
func orderedTypes(n algebra.Node, found func(algebra.Type)) {
	var keys []algebra.SortKey
	switch n := n.(type) {
	case *algebra.Sort:
		keys = n.Keys
	case *algebra.Window:
		keys = n.OrderBy
	}
	for _, k := range keys {
		found(k.Expr.Type())
	}
}

// grouper rewrites a plan.
type grouper struct {
	b   *scope.Binder
	err error
}

func (g *grouper) node(n algebra.Node) algebra.Node {
	n = algebra.MapExprs(n, func(e algebra.Expr) algebra.Expr { return algebra.RewriteExpr(e, g.subquery) })
	groups := false
	groupedTypes(n, func(t algebra.Type) {
		groups = groups || !oneText(t)
		if g.err == nil && expression.HasNoOrder(t) {
			g.err = value.Errorf(value.CodeUndefinedFunction, "could not identify an equality operator for type %s", sqltype.Name(t))
		}
	})
	orderedTypes(n, func(t algebra.Type) {
		if g.err == nil && expression.HasNoOrder(t) {
			e := value.Errorf(value.CodeUndefinedFunction, "could not identify an ordering operator for type %s", sqltype.Name(t))
			e.Hint = "Use an explicit ordering operator or modify the query."
			g.err = e
		}
	})
	if !groups || g.err != nil {
		return n
	}
	switch n := n.(type) {
	case *algebra.Aggregate:
		return g.aggregate(n)
	case *algebra.Window:
		w := *n
		w.PartitionBy = make([]algebra.Expr, len(n.PartitionBy))
		for i, e := range n.PartitionBy {
			w.PartitionBy[i] = orderKey(g.b, e)
		}
		return &w
	case *algebra.SetOp:
		return g.union(n)
	}
	return n
}

func (g *grouper) subquery(e algebra.Expr) algebra.Expr {
	q, ok := e.(*algebra.Subquery)
	if !ok {
		return e
	}
	rewritten := *q
	rewritten.Plan = algebra.Transform(q.Plan, g.node)
	return &rewritten
}

// aggregate groups by the orders of the keys.
func (g *grouper) aggregate(n *algebra.Aggregate) algebra.Node {
	agg := *n
	agg.Keys, agg.Aggs = append([]algebra.Item(nil), n.Keys...), append([]algebra.Agg(nil), n.Aggs...)
	for i := range agg.Aggs {
		if a := &agg.Aggs[i]; a.Distinct {
			a.Arg = orderKey(g.b, a.Arg)
		}
	}
	shown := map[algebra.ColumnID]algebra.Expr{}
	for i, key := range n.Keys {
		typ := key.Expr.Type()
		if oneText(typ) {
			continue
		}
		order := orderKey(g.b, key.Expr)
		agg.Keys[i] = algebra.Item{Column: g.b.NewColumn(key.Column.Name, algebra.TText, true), Expr: order}
		least := algebra.Agg{Column: g.b.NewColumn(key.Column.Name, algebra.TText, true), Func: algebra.Min,
			Arg: term.Call(algebra.Cast, algebra.TText, sql.NoPos, key.Expr)}
		agg.Aggs = append(agg.Aggs, least)
		read := algebra.Func(value.ArrayMade)
		switch {
		case typ.IsJSON():
			read = value.JSONBMade
		case typ.IsChar():
			read = algebra.Cast
		}
		text := term.Call(read, typ, sql.NoPos, least.Column.Ref())
		isKey := term.NotNull(agg.Keys[i].Column.Ref()) // not so in the groups of all its values
		shown[key.Column.ID] = &algebra.Case{Whens: []algebra.When{{Cond: isKey, Then: text}}, Typ: typ}
	}
	items := term.PassOn(n.Columns())
	for i := range items {
		if e := shown[items[i].Column.ID]; e != nil {
			items[i].Expr = e
		}
	}
	return &algebra.Project{Input: &agg, Items: items}
}

// union groups the rows of a UNION.
func (g *grouper) union(n *algebra.SetOp) algebra.Node {
	if n.Kind != algebra.Union {
		for _, c := range n.Cols {
			if g.err == nil && !algebra.Groupable(c.Type) {
				g.err = value.Errorf(value.CodeFeatureNotSupported, "INTERSECT and EXCEPT of values of type %s are not supported", sqltype.Name(c.Type))
			}
		}
		return n
	}
	all := *n
	all.All, all.Cols = true, make([]algebra.Column, len(n.Cols))
	keys := make([]algebra.Item, len(n.Cols))
	for i, c := range n.Cols {
		all.Cols[i] = g.b.NewColumn(c.Name, c.Type, c.Nullable)
		keys[i] = algebra.Item{Column: c, Expr: all.Cols[i].Ref()}
	}
	return g.aggregate(&algebra.Aggregate{Input: &all, Keys: keys, Sets: []algebra.KeySet{algebra.AllKeys(len(keys))}})
}
