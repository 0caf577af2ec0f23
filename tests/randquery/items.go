package randquery

// items adds an item of each wanted kind, made of the leaves in s.
func (g *generator) items(q *Query, s scope, want []Kind, exact bool) {
	for _, k := range want {
		q.items = append(q.items, item{expr: g.item(s, k, exact)})
	}
}

// aggregates makes a scope of aggregates over the columns of s.
func (g *generator) aggregates(s scope, exact bool) scope {
	var made scope
	// An aggregate of columns of the queries around alone would be one of theirs.
	defer func(outer scope) { g.outer = outer }(g.outer)
	g.outer = nil
	for range 2 + g.IntN(4) {
		k := pick(g.Rand, g.kinds...)
		for len(g.rules.aggregate[k]) == 0 {
			k = pick(g.Rand, g.kinds...)
		}
		a := g.aggregate(s, k, exact)
		a.column, a.aggregate = true, true
		made = append(made, a)
	}
	return made
}

func (g *generator) item(s scope, k Kind, exact bool) *Expr {
	if !exact && k == Float {
		for _, e := range s {
			if e.inexact && g.chance(60) {
				return e.clone()
			}
		}
		return g.apply(s, k, pick(g.Rand, g.rules.scalar[k]...), 1)
	}
	return g.expr(s, k, 3)
}
