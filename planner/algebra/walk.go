package algebra

// Walk visits n and then, where visit returns true, the nodes below it, from
// left to right.
func Walk(n Node, visit func(Node) bool) {
	if !visit(n) {
		return
	}
	first, second := operands(n)
	if first != nil {
		Walk(first, visit)
	}
	if second != nil {
		Walk(second, visit)
	}
}

// operands are the inputs of a node; nil where there are fewer than two. It is
// Inputs without a list.
func operands(n Node) (first, second Node) {
	switch n := n.(type) {
	case *Filter:
		return n.Input, nil
	case *Project:
		return n.Input, nil
	case *Join:
		return n.Left, n.Right
	case *Aggregate:
		return n.Input, nil
	case *Sort:
		return n.Input, nil
	}
	ins := n.Inputs()
	switch len(ins) {
	case 0:
		return nil, nil
	case 1:
		return ins[0], nil
	}
	return ins[0], ins[1]
}

// Transform rebuilds a plan from the leaves up: f gets each node with its new
// inputs and gives what takes its place. What f leaves alone is shared with
// the old plan.
func Transform(n Node, f func(Node) Node) Node {
	return f(MapInputs(n, func(in Node) Node { return Transform(in, f) }))
}

// MapInputs gives n over f of its inputs, and n itself where f changed none.
func MapInputs(n Node, f func(Node) Node) Node {
	first, second := operands(n)
	if first == nil {
		return n
	}
	one := f(first)
	if second == nil {
		if one == first {
			return n
		}
		return n.WithInputs([]Node{one})
	}
	if two := f(second); one != first || two != second {
		return n.WithInputs([]Node{one, two})
	}
	return n
}

// VisitExprs calls visit with each expression that n itself holds.
func VisitExprs(n Node, visit func(Expr)) {
	if r, ok := n.(*Recursive); ok {
		r.visitFree(visit)
		return
	}
	eachExpr(n, func(e *Expr) {
		if *e != nil {
			visit(*e)
		}
	})
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
