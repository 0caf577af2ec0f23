package algebra

// RewriteExpr rebuilds an expression from the leaves up: f gets each
// expression with its new operands and returns what takes its place. What f
// leaves alone is shared with the old expression.
func RewriteExpr(e Expr, f func(Expr) Expr) Expr {
	return f(MapOperands(e, func(operand Expr) Expr { return RewriteExpr(operand, f) }))
}

// MapOperands returns e over f of its operands, and e itself where f changed
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

// mapCase returns nil where nothing changed.
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
