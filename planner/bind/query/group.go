package query

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql/value"
)

// groupBy builds the aggregation and brings the items and HAVING into terms of
// its output.
func (s *Block) groupBy(having algebra.Expr) error {
	if !s.group.Used && s.Sel.GroupBy == nil {
		return nil
	}
	if err := s.groupKeys(); err != nil {
		return err
	}
	s.expandKeys()
	if err := s.orderedWindows(); err != nil {
		return err
	}
	g := &s.group
	agg := &algebra.Aggregate{Input: s.node, Sets: g.Sets, Aggs: g.Aggs}
	for _, key := range g.Keys {
		agg.Keys = append(agg.Keys, key.Item)
	}
	if len(g.Groupings) > 0 && len(g.Sets) > 1 {
		agg.GroupingID = s.NewColumn("grouping set", algebra.TInt32, false)
	}
	s.node = agg
	r, err := s.newRegrouper(agg)
	if err != nil {
		return err
	}
	for i := range s.Items {
		if s.Items[i].Expr, err = r.item(i); err != nil {
			return err
		}
	}
	if err := s.win.MapExprs(r.rewrite); err != nil {
		return err
	}
	for _, c := range s.rows.Calls {
		if c.Made {
			continue
		}
		for i := range c.Args {
			if c.Args[i], err = r.rewrite(c.Args[i]); err != nil {
				return err
			}
		}
	}
	var cond algebra.Expr
	if having != nil {
		if cond, err = r.rewrite(having); err != nil {
			return err
		}
	}
	if having == nil {
		return nil
	}
	conds := algebra.Conjuncts(cond)
	if early := beforeGroups(agg, conds); len(early) > 0 {
		agg.Input = &algebra.Filter{Input: agg.Input, Conds: early}
	}
	s.node = &algebra.Filter{Input: agg, Conds: conds}
	return nil
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

func (s *Block) newRegrouper(agg *algebra.Aggregate) (*regrouper, error) {
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
		e, err := r.groupingExpr(call)
		if err != nil {
			return nil, err
		}
		r.cols[call.Col.ID] = e
	}
	return r, nil
}

// item returns an item of the select list. One that is a key is that very key, even
// where it is a constant or equal to another one.
func (r *regrouper) item(i int) (algebra.Expr, error) {
	for k, key := range r.group.Keys {
		if isItem(&key, i) {
			return r.agg.Columns()[k].Ref(), nil
		}
	}
	return r.rewrite(r.Items[i].Expr)
}

// rewrite replaces the largest parts of e that are keys, and fails where a
// column of the input remains that is not grouped. In subqueries only keys that
// are bare columns are replaced, as in PostgreSQL.
func (r *regrouper) rewrite(e algebra.Expr) (algebra.Expr, error) {
	switch x := e.(type) {
	case *algebra.Const:
		return e, nil
	case *algebra.ColumnRef:
		return r.column(x)
	}
	for _, k := range r.cplx {
		if !r.nested && algebra.Equal(r.agg.Keys[k].Expr, e) {
			return r.agg.Columns()[k].Ref(), nil
		}
	}
	if sub, ok := e.(*algebra.Subquery); ok {
		return r.subquery(sub)
	}
	return r.operands(e)
}

// subquery rewrites the plan of a subquery, and its test, which is not in it.
func (r *regrouper) subquery(e *algebra.Subquery) (algebra.Expr, error) {
	nested := r.nested
	r.nested = true
	plan := *e
	plan.Test = nil
	out, err := r.operands(&plan)
	r.nested = nested
	if err != nil || e.Test == nil {
		return out, err
	}
	sub := *out.(*algebra.Subquery)
	sub.Test, err = r.rewrite(e.Test)
	return &sub, err
}

// operands rewrites the operands of e.
func (r *regrouper) operands(e algebra.Expr) (algebra.Expr, error) {
	var err error
	rewrite := func(e algebra.Expr) algebra.Expr {
		if err != nil {
			return e
		}
		var out algebra.Expr
		if out, err = r.rewrite(e); err != nil {
			return e
		}
		return out
	}
	out := algebra.MapOperands(e, rewrite)
	return out, err
}

// column returns what stands for a column. One that is not of the aggregation's
// input belongs to another query.
func (r *regrouper) column(ref *algebra.ColumnRef) (algebra.Expr, error) {
	if out, ok := r.cols[ref.Column.ID]; ok {
		return out, nil
	}
	if !r.in.Has(ref.Column.ID) {
		return ref, nil
	}
	if r.dependent(ref) {
		return r.anyValue(ref), nil
	}
	message := "column %q must appear in the GROUP BY clause or be used in an aggregate function"
	if r.nested {
		message = "subquery uses ungrouped column %q from outer query"
	}
	return nil, value.ErrorAt(r.PositionOf(ref), value.CodeGrouping, message, r.Scope.Describe(ref.Column.ID))
}
