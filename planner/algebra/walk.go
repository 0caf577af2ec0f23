package algebra

import "slices"

// Walk visits n and then, where visit returns true, the nodes below it, from
// left to right.
func Walk(n Node, visit func(Node) bool) {
	if !visit(n) {
		return
	}
	for _, in := range n.Inputs() {
		Walk(in, visit)
	}
}

// Transform rebuilds a plan from the leaves up: f gets each node with its new
// inputs and gives what takes its place. What f leaves alone is shared with
// the old plan.
func Transform(n Node, f func(Node) Node) Node {
	return f(MapInputs(n, func(in Node) Node { return Transform(in, f) }))
}

// MapInputs gives n over f of its inputs, and n itself where f changed none.
func MapInputs(n Node, f func(Node) Node) Node {
	ins := n.Inputs()
	changed := false
	for i, in := range ins {
		ins[i] = f(in)
		changed = changed || ins[i] != in
	}
	if !changed {
		return n
	}
	return n.WithInputs(ins)
}

// VisitExprs calls visit with each expression that n itself holds.
func VisitExprs(n Node, visit func(Expr)) {
	switch n := n.(type) {
	case *Filter:
		visitAll(n.Conds, visit)
	case *Project:
		for i := range n.Items {
			visit(n.Items[i].Expr)
		}
	case *Join:
		for _, key := range n.Keys {
			visit(key.Left)
			visit(key.Right)
		}
		visitAll(n.Residual, visit)
	case *Apply:
		visitAll(n.Conds, visit)
	case *Aggregate:
		for i := range n.Keys {
			visit(n.Keys[i].Expr)
		}
		for i := range n.Aggs {
			visitAggExprs(&n.Aggs[i], visit)
		}
	case *Window:
		visitWindowExprs(n, visit)
	case *Sort:
		for _, key := range n.Keys {
			visit(key.Expr)
		}
	case *Repetition:
		visit(n.Times)
	}
}

func visitAll(exprs []Expr, visit func(Expr)) {
	for _, e := range exprs {
		visit(e)
	}
}

func visitAggExprs(agg *Agg, visit func(Expr)) {
	if agg.Arg != nil {
		visit(agg.Arg)
	}
	if agg.Arg2 != nil {
		visit(agg.Arg2)
	}
	if agg.Filter != nil {
		visit(agg.Filter)
	}
}

// MapExprs gives n with f applied to each expression that n itself holds, and
// n itself where f changed none.
func MapExprs(n Node, f func(Expr) Expr) Node {
	m := exprMapper{f: f}
	var mapped Node
	switch n := n.(type) {
	case *Filter:
		conds := m.exprs(n.Conds)
		if m.changed {
			mapped = &Filter{Input: n.Input, Conds: conds}
		}
	case *Project:
		items := m.items(n.Items)
		if m.changed {
			mapped = &Project{Input: n.Input, Items: items}
		}
	case *Join:
		keys, residual := m.joinKeys(n.Keys), m.exprs(n.Residual)
		if m.changed {
			mapped = &Join{Kind: n.Kind, Left: n.Left, Right: n.Right, Keys: keys, Residual: residual}
		}
	case *Apply:
		conds := m.exprs(n.Conds)
		if m.changed {
			c := *n
			c.Conds = conds
			mapped = &c
		}
	case *Aggregate:
		keys, aggs := m.items(n.Keys), m.aggs(n.Aggs)
		if m.changed {
			c := *n
			c.Keys, c.Aggs = keys, aggs
			mapped = &c
		}
	case *Window:
		out := m.window(n)
		if m.changed {
			mapped = out
		}
	case *Sort:
		keys := m.sortKeys(n.Keys)
		if m.changed {
			c := *n
			c.Keys = keys
			mapped = &c
		}
	case *Repetition:
		times := m.expr(n.Times)
		if m.changed {
			c := *n
			c.Times = times
			mapped = &c
		}
	}
	if mapped == nil {
		return n
	}
	return mapped
}

// exprMapper applies a function to expressions and notes whether it changed one.
// Lists of which it changed none stay as they are.
type exprMapper struct {
	f       func(Expr) Expr
	changed bool
}

// expr maps an expression; nil stays nil.
func (m *exprMapper) expr(e Expr) Expr {
	if e == nil {
		return nil
	}
	out := m.f(e)
	m.changed = m.changed || out != e
	return out
}

func (m *exprMapper) exprs(list []Expr) []Expr {
	out, changed := mapArgs(list, m.f)
	if !changed {
		return list
	}
	m.changed = true
	return out
}

func (m *exprMapper) items(items []Item) []Item {
	return mapEach(items, func(item Item) (Item, bool) {
		was := item.Expr
		item.Expr = m.expr(was)
		return item, item.Expr != was
	})
}

func (m *exprMapper) joinKeys(keys []JoinKey) []JoinKey {
	return mapEach(keys, func(key JoinKey) (JoinKey, bool) {
		was := key
		key.Left, key.Right = m.expr(key.Left), m.expr(key.Right)
		return key, key != was
	})
}

func (m *exprMapper) sortKeys(keys []SortKey) []SortKey {
	return mapEach(keys, func(key SortKey) (SortKey, bool) {
		was := key.Expr
		key.Expr = m.expr(was)
		return key, key.Expr != was
	})
}

func (m *exprMapper) aggs(aggs []Agg) []Agg {
	return mapEach(aggs, func(agg Agg) (Agg, bool) {
		was := [...]Expr{agg.Arg, agg.Arg2, agg.Filter}
		agg.Arg, agg.Arg2, agg.Filter = m.expr(agg.Arg), m.expr(agg.Arg2), m.expr(agg.Filter)
		return agg, was != [...]Expr{agg.Arg, agg.Arg2, agg.Filter}
	})
}

// mapEach is a list with f of each element, and the list itself where f changed
// none.
func mapEach[T any](list []T, f func(T) (T, bool)) []T {
	out := list
	for i := range list {
		x, changed := f(list[i])
		if !changed {
			continue
		}
		if &out[0] == &list[0] {
			out = slices.Clone(list)
		}
		out[i] = x
	}
	return out
}

// WalkExpr visits e and then, where visit returns true, its operands.
func WalkExpr(e Expr, visit func(Expr) bool) {
	if !visit(e) {
		return
	}
	switch e := e.(type) {
	case *Call:
		for _, arg := range e.Args {
			WalkExpr(arg, visit)
		}
	case *Case:
		for _, when := range e.Whens {
			WalkExpr(when.Cond, visit)
			WalkExpr(when.Then, visit)
		}
		if e.Else != nil {
			WalkExpr(e.Else, visit)
		}
	}
}

// RewriteExpr rebuilds an expression from the leaves up: f gets each
// expression with its new operands and gives what takes its place. What f
// leaves alone is shared with the old expression.
func RewriteExpr(e Expr, f func(Expr) Expr) Expr {
	return f(MapOperands(e, func(operand Expr) Expr { return RewriteExpr(operand, f) }))
}

// MapOperands gives e over f of its operands, and e itself where f changed
// none. The operands of a subquery are the expressions that its plan holds.
func MapOperands(e Expr, f func(Expr) Expr) Expr {
	switch x := e.(type) {
	case *Call:
		if args, changed := mapArgs(x.Args, f); changed {
			c := *x
			c.Args = args
			return &c
		}
	case *Case:
		if c := mapCase(x, f); c != nil {
			return c
		}
	case *Subquery:
		return mapSubquery(x, f)
	}
	return e
}

func mapSubquery(e *Subquery, f func(Expr) Expr) Expr {
	c := *e
	c.Plan = Transform(e.Plan, func(n Node) Node { return MapExprs(n, f) })
	if e.Test != nil {
		c.Test = f(e.Test)
	}
	if c.Plan == e.Plan && c.Test == e.Test {
		return e
	}
	return &c
}

func mapArgs(args []Expr, f func(Expr) Expr) ([]Expr, bool) {
	var mapped []Expr
	for i, arg := range args {
		now := f(arg)
		if now != arg && mapped == nil {
			mapped = append(make([]Expr, 0, len(args)), args...)
		}
		if mapped != nil {
			mapped[i] = now
		}
	}
	return mapped, mapped != nil
}

// mapCase gives nil where nothing changed.
func mapCase(e *Case, f func(Expr) Expr) *Case {
	c := *e
	c.Whens = make([]When, len(e.Whens))
	changed := false
	for i, when := range e.Whens {
		c.Whens[i] = When{Cond: f(when.Cond), Then: f(when.Then)}
		changed = changed || c.Whens[i] != when
	}
	if e.Else != nil {
		c.Else = f(e.Else)
		changed = changed || c.Else != e.Else
	}
	if !changed {
		return nil
	}
	return &c
}

// AddReferences puts the columns that e refers to into the set.
func (s *ColSet) AddReferences(e Expr) {
	switch e := e.(type) {
	case *ColumnRef:
		s.Add(e.Column.ID)
	case *Call:
		for _, arg := range e.Args {
			s.AddReferences(arg)
		}
	case *Case:
		for _, when := range e.Whens {
			s.AddReferences(when.Cond)
			s.AddReferences(when.Then)
		}
		if e.Else != nil {
			s.AddReferences(e.Else)
		}
	case *Subquery:
		free := FreeColumns(e.Plan)
		if e.Test != nil {
			free = free.Union(References(e.Test).Minus(Outputs(e.Plan)))
		}
		s.AddSet(free)
	}
}

// FreeColumns is the set of the columns that the expressions of a plan refer to
// and that no node of it makes: those of the relations around a subquery.
func FreeColumns(n Node) ColSet {
	var refs, made ColSet
	Walk(n, func(n Node) bool {
		VisitExprs(n, refs.AddReferences)
		for _, c := range n.Columns() {
			made.Add(c.ID)
		}
		return true
	})
	return refs.Minus(made)
}

// References is the set of the columns that e refers to.
func References(e Expr) ColSet {
	var s ColSet
	s.AddReferences(e)
	return s
}

// Substitute replaces references to columns by the expressions that the map
// holds for them.
func Substitute(e Expr, by map[ColumnID]Expr) Expr {
	return RewriteExpr(e, func(e Expr) Expr {
		if ref, ok := e.(*ColumnRef); ok {
			if x, ok := by[ref.Column.ID]; ok {
				return x
			}
		}
		return e
	})
}
