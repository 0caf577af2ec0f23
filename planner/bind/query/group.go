package query

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql/value"
)

// groupBy builds the aggregation and brings the items and HAVING into terms of
// its output.
func (s *Block) groupBy(having algebra.Expr) {
	if !s.group.Used && s.Sel.GroupBy == nil {
		return
	}
	s.groupKeys()
	s.expandKeys()
	g := &s.group
	agg := &algebra.Aggregate{Input: s.node, Sets: g.Sets, Aggs: g.Aggs}
	for _, key := range g.Keys {
		agg.Keys = append(agg.Keys, key.Item)
	}
	if len(g.Groupings) > 0 && len(g.Sets) > 1 {
		agg.GroupingID = s.NewColumn("grouping set", algebra.TInt32, false)
	}
	s.node = agg
	r := s.newRegrouper(agg)
	for i := range s.Items {
		s.Items[i].Expr = r.item(i)
	}
	s.win.MapExprs(r.rewrite)
	for _, c := range s.rows.Calls {
		if c.Made {
			continue
		}
		for i := range c.Args {
			c.Args[i] = r.rewrite(c.Args[i])
		}
	}
	var conds []algebra.Expr
	if having != nil {
		conds = algebra.Conjuncts(r.rewrite(having))
		if early := beforeGroups(agg, conds); len(early) > 0 {
			agg.Input = &algebra.Filter{Input: agg.Input, Conds: early}
		}
	}
	if s.node = s.groupNode(agg); having != nil {
		s.node = &algebra.Filter{Input: s.node, Conds: conds}
	}
}

// beforeGroups are the conditions of HAVING that name nothing of an aggregation of all
// rows. Where one is not true no row need be aggregated, and the rows are dropped. One
// that may raise an error stays behind the conditions that stood before it.
func beforeGroups(agg *algebra.Aggregate, conds []algebra.Expr) []algebra.Expr {
	if len(agg.Keys) > 0 || len(agg.Sets) > 1 {
		return nil
	}
	var early []algebra.Expr
	made := algebra.Outputs(agg)
	for i, cond := range conds {
		switch {
		case algebra.References(cond).Intersects(made), term.IsVolatile(cond), term.HasSubquery(cond):
		case len(early) == i || !algebra.MayRaise(cond, nil):
			early = append(early, cond)
		}
	}
	return early
}

func (s *Block) newRegrouper(agg *algebra.Aggregate) *regrouper {
	r := &regrouper{Block: s, agg: agg, in: algebra.Outputs(agg.Input), cols: make(map[algebra.ColumnID]algebra.Expr)}
	out := agg.Columns()
	for _, k := range inTargetOrder(&s.group) {
		ref, ok := agg.Keys[k].Expr.(*algebra.ColumnRef)
		switch {
		case !ok:
			r.cplx = append(r.cplx, k)
		case r.cols[ref.Column.ID] == nil:
			r.cols[ref.Column.ID] = out[k].Ref()
		}
	}
	for _, a := range agg.Aggs {
		r.cols[a.Column.ID] = a.Column.Ref()
	}
	for _, c := range s.win.Columns() {
		r.cols[c.ID] = c.Ref()
	}
	for _, call := range s.group.Groupings {
		e := r.groupingExpr(call)
		r.cols[call.Col.ID] = e
	}
	return r
}

// item returns an item of the select list. One that is a key is that very key, even
// where it is a constant or equal to another one.
func (r *regrouper) item(i int) algebra.Expr {
	for k, key := range r.group.Keys {
		if isItem(&key, i) {
			return r.agg.Columns()[k].Ref()
		}
	}
	return r.rewrite(r.Items[i].Expr)
}

// rewrite replaces the largest parts of e that are keys, and fails where a
// column of the input remains that is not grouped. In subqueries only keys that
// are bare columns are replaced, as in PostgreSQL.
func (r *regrouper) rewrite(e algebra.Expr) algebra.Expr {
	switch x := e.(type) {
	case *algebra.Const:
		return e
	case *algebra.ColumnRef:
		return r.column(x)
	}
	for _, k := range r.cplx {
		if !r.nested && algebra.Equal(r.agg.Keys[k].Expr, e) {
			return r.agg.Columns()[k].Ref()
		}
	}
	if sub, ok := e.(*algebra.Subquery); ok {
		return r.subquery(sub)
	}
	return r.operands(e)
}

// subquery rewrites the plan of a subquery, and its test, which is not in it.
func (r *regrouper) subquery(e *algebra.Subquery) algebra.Expr {
	nested := r.nested
	r.nested = true
	plan := *e
	plan.Test = nil
	out := r.operands(&plan)
	r.nested = nested
	if e.Test == nil {
		return out
	}
	sub := *out.(*algebra.Subquery)
	sub.Test = r.rewrite(e.Test)
	return &sub
}

// operands rewrites the operands of e.
func (r *regrouper) operands(e algebra.Expr) algebra.Expr {
	return algebra.MapOperands(e, r.rewrite)
}

// column returns what stands for a column. One that is not of the aggregation's
// input belongs to another query.
func (r *regrouper) column(ref *algebra.ColumnRef) algebra.Expr {
	if out, ok := r.cols[ref.Column.ID]; ok {
		return out
	}
	if !r.in.Has(ref.Column.ID) {
		return ref
	}
	if r.dependent(ref) {
		return r.anyValue(ref)
	}
	message := "column %q must appear in the GROUP BY clause or be used in an aggregate function"
	if r.nested {
		message = "subquery uses ungrouped column %q from outer query"
	}
	panic(value.ErrorAt(r.PositionOf(ref), value.CodeGrouping, message, r.Scope.Describe(ref.Column.ID)))
}
