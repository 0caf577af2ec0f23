package algebra

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

// MapExprs returns n with f applied to each expression that n itself holds, and
// n itself where f changed none.
func MapExprs(n Node, f func(Expr) Expr) Node {
	if r, ok := n.(*Recursive); ok {
		return r.mapFree(f)
	}
	var few [16]Expr
	mapped, changed := few[:0], false
	eachExpr(n, func(e *Expr) {
		now := *e
		if now != nil {
			now = f(now)
			changed = changed || now != *e
		}
		mapped = append(mapped, now)
	})
	if !changed {
		return n
	}
	out := clone(n)
	eachExpr(out, func(e *Expr) { *e, mapped = mapped[0], mapped[1:] })
	return out
}

// visitFree visits references to the columns of queries around n, which are the only
// expressions that n holds itself.
func (n *Recursive) visitFree(visit func(Expr)) {
	free := FreeColumns(n.Base).Union(FreeColumns(n.Term))
	if free.Empty() {
		return
	}
	for _, part := range []Node{n.Base, n.Term} {
		visitRefs(part, func(e *ColumnRef) {
			if free.Has(e.Column.ID) {
				visit(e)
			}
		})
	}
}

// visitRefs visits all references to columns in a plan and its subqueries.
func visitRefs(n Node, visit func(*ColumnRef)) {
	var expr func(Expr)
	expr = func(e Expr) {
		WalkExpr(e, func(e Expr) bool {
			switch e := e.(type) {
			case *ColumnRef:
				visit(e)
			case *Subquery:
				visitRefs(e.Plan, visit)
				if e.Test != nil {
					expr(e.Test)
				}
			}
			return true
		})
	}
	Walk(n, func(n Node) bool {
		VisitExprs(n, expr)
		return true
	})
}

// mapFree is n over f of the expressions of its plans where these refer to columns of
// queries around it.
func (n *Recursive) mapFree(f func(Expr) Expr) Node {
	if FreeColumns(n.Base).Union(FreeColumns(n.Term)).Empty() {
		return n
	}
	return n.mapPlans(func(part Node) Node {
		return Transform(part, func(n Node) Node { return MapExprs(n, f) })
	})
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

// AddReferences puts the columns that e refers to into the set.
func (s *ColSet) AddReferences(e Expr) {
	WalkExpr(e, func(e Expr) bool {
		switch e := e.(type) {
		case *ColumnRef:
			s.Add(e.Column.ID)
		case *Subquery:
			free := FreeColumns(e.Plan)
			if e.Test != nil {
				free = free.Union(References(e.Test).Minus(Outputs(e.Plan)))
			}
			s.AddSet(free)
		}
		return true
	})
}

// References is the set of the columns that e refers to.
func References(e Expr) ColSet {
	var s ColSet
	s.AddReferences(e)
	return s
}
