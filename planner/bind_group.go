package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/value"
	"github.com/cubeloom/cubeloom/sql"
)

// grouping collects what the aggregation of a block needs while its clauses
// are bound: aggregate and GROUPING calls are bound to columns of their own,
// which the Aggregate node and the expressions above it define afterwards.
type grouping struct {
	used      bool // there is an aggregation, though perhaps without GROUP BY
	aggs      []algebra.Agg
	groupings []groupingCall
	keys      []algebra.Item
	sets      []algebra.KeySet
	made      algebra.ColSet // columns of aggs and groupings
	ordered   []*orderedCall // aggregates that need their rows in an order
}

// groupingCall is GROUPING(…), bound to a column that stands for it.
type groupingCall struct {
	col       algebra.Column
	args      []algebra.Expr
	positions []sql.Pos
}

// groupBy builds the aggregation and brings the items and HAVING into terms of
// its output.
func (s *block) groupBy(having algebra.Expr) error {
	if !s.group.used && s.sel.GroupBy == nil {
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
	agg := &algebra.Aggregate{Input: s.node, Keys: g.keys, Sets: g.sets, Aggs: g.aggs}
	if len(g.groupings) > 0 && len(g.sets) > 1 {
		agg.GroupingID = s.newColumn("grouping set", algebra.TInt32, false)
	}
	s.node = agg
	r, err := s.newRegrouper(agg)
	if err != nil {
		return err
	}
	for i := range s.items {
		if s.items[i].expr, err = r.rewrite(s.items[i].expr); err != nil {
			return err
		}
	}
	if err := s.win.mapExprs(r.rewrite); err != nil {
		return err
	}
	for _, c := range s.rows.calls {
		if c.made {
			continue
		}
		for i := range c.args {
			if c.args[i], err = r.rewrite(c.args[i]); err != nil {
				return err
			}
		}
	}
	if having == nil {
		return nil
	}
	cond, err := r.rewrite(having)
	if err != nil {
		return err
	}
	s.node = &algebra.Filter{Input: agg, Conds: algebra.Conjuncts(cond)}
	return nil
}

// groupKeys fills in the keys and the grouping sets.
func (s *block) groupKeys() error {
	gb := s.sel.GroupBy
	switch {
	case gb == nil:
		s.group.sets = []algebra.KeySet{0}
		return nil
	case gb.All:
		return s.groupByAll(gb)
	}
	sets, err := s.crossElements(gb.Elements)
	if err != nil {
		return err
	}
	if gb.Distinct {
		sets = distinctSets(sets)
	}
	s.group.sets = sets
	return nil
}

// groupByAll groups by every item that holds no aggregate.
func (s *block) groupByAll(gb *sql.GroupBy) error {
	set := algebra.KeySet(0)
	for _, item := range s.items[:s.visible] {
		refs := algebra.References(item.expr)
		if refs.Intersects(s.group.made) || refs.Intersects(s.win.made) || refs.Empty() {
			continue
		}
		k, err := s.key(item.expr, item.name, gb.Pos)
		if err != nil {
			return err
		}
		set |= 1 << k
	}
	s.group.sets = []algebra.KeySet{set}
	return nil
}

// groupExpr resolves one expression of GROUP BY to a key. A bare name means an
// input column before it means an output column; a number counts items.
func (s *block) groupExpr(e sql.Expr) (int, error) {
	n, ok, err := ordinal(e, s.visible, "GROUP BY")
	if err != nil {
		return 0, err
	}
	if !ok {
		if n, err = s.groupAlias(e); err != nil {
			return 0, err
		}
		ok = n >= 0
	}
	if ok {
		return s.itemKey(n, e)
	}
	x := s.exprs("GROUP BY", false)
	bound, err := x.expr(e)
	if err != nil {
		return 0, err
	}
	if bound, err = x.settle(bound, e.Position()); err != nil {
		return 0, err
	}
	return s.key(bound, outputName(e), e.Position())
}

// groupAlias finds the output column that a bare name means because no input
// column has it; -1 for none.
func (s *block) groupAlias(e sql.Expr) (int, error) {
	ref, ok := e.(*sql.ColumnRef)
	if !ok || len(ref.Name) != 1 {
		return -1, nil
	}
	if c, err := s.scope.find(ref.Name[0]); c != nil || err != nil {
		return -1, err
	}
	return s.outputNamed(ref.Name[0], "GROUP BY")
}

// itemKey groups by an item of the select list.
func (s *block) itemKey(n int, e sql.Expr) (int, error) {
	item := &s.items[n]
	if algebra.References(item.expr).Intersects(s.win.made) {
		return 0, value.ErrorAt(int(item.pos), value.CodeWindowing, "window functions are not allowed in GROUP BY")
	}
	if algebra.References(item.expr).Intersects(s.group.made) {
		return 0, value.ErrorAt(int(item.pos), value.CodeGrouping, "aggregate functions are not allowed in GROUP BY")
	}
	return s.key(item.expr, item.name, e.Position())
}

// key gives the index of a key, making it where there is none yet.
func (s *block) key(e algebra.Expr, name string, pos sql.Pos) (int, error) {
	for i := range s.group.keys {
		if algebra.Equal(s.group.keys[i].Expr, e) {
			return i, nil
		}
	}
	if len(s.group.keys) == maxKeys {
		return 0, value.ErrorAt(int(pos), value.CodeProgramLimit, "GROUP BY has more than %d different expressions", maxKeys)
	}
	if ref, ok := e.(*algebra.ColumnRef); ok {
		name = ref.Column.Name
	}
	col := s.newColumn(name, e.Type(), algebra.CanBeNull(e))
	s.group.keys = append(s.group.keys, algebra.Item{Column: col, Expr: e})
	return len(s.group.keys) - 1, nil
}

// regrouper brings expressions over the input of an aggregation into terms of
// its output.
type regrouper struct {
	*block
	agg  *algebra.Aggregate
	in   algebra.ColSet                    // the columns of its input
	cols map[algebra.ColumnID]algebra.Expr // what stands for bare keys, aggregates and GROUPING calls
	cplx []int                             // keys that are not bare columns
	// nested is set inside subqueries.
	nested bool
}

func (s *block) newRegrouper(agg *algebra.Aggregate) (*regrouper, error) {
	r := &regrouper{block: s, agg: agg, in: algebra.Outputs(agg.Input), cols: make(map[algebra.ColumnID]algebra.Expr)}
	out := agg.Columns()
	for i, key := range agg.Keys {
		if ref, ok := key.Expr.(*algebra.ColumnRef); ok {
			r.cols[ref.Column.ID] = out[i].Ref()
		} else {
			r.cplx = append(r.cplx, i)
		}
	}
	for _, a := range agg.Aggs {
		r.cols[a.Column.ID] = a.Column.Ref()
	}
	for _, c := range s.win.columns() {
		r.cols[c.ID] = c.Ref()
	}
	for _, call := range s.group.groupings {
		e, err := r.groupingExpr(call)
		if err != nil {
			return nil, err
		}
		r.cols[call.col.ID] = e
	}
	return r, nil
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

// column gives what stands for a column. One that is not of the aggregation's
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
	return nil, value.ErrorAt(r.positionOf(ref), value.CodeGrouping, message, r.scope.describe(ref.Column.ID))
}

func (b *binder) positionOf(ref *algebra.ColumnRef) int {
	if pos, ok := b.refPos[ref]; ok {
		return pos
	}
	return value.NoPos
}

// groupingExpr computes GROUPING(…) from the number of the grouping set: bit
// by bit from the left, one for each argument that the set does not have.
func (r *regrouper) groupingExpr(call groupingCall) (algebra.Expr, error) {
	keys := make([]int, len(call.args))
	for i, arg := range call.args {
		keys[i] = -1
		for k := range r.agg.Keys {
			if algebra.Equal(r.agg.Keys[k].Expr, arg) {
				keys[i] = k
			}
		}
		if keys[i] < 0 {
			return nil, value.ErrorAt(int(call.positions[i]), value.CodeGrouping,
				"arguments to GROUPING must be grouping expressions of the associated query level")
		}
	}
	values := make([]int64, len(r.agg.Sets))
	for i, set := range r.agg.Sets {
		for _, k := range keys {
			values[i] <<= 1
			if !set.Has(k) {
				values[i] |= 1
			}
		}
	}
	return tableLookup(r.agg.GroupingID, values), nil
}

// tableLookup is an expression that gives values[col]: the column itself, a
// constant, or a CASE with an arm for each value, the most frequent one last
// as its ELSE.
func tableLookup(col algebra.Column, values []int64) algebra.Expr {
	var order []int64
	rows := make(map[int64][]algebra.Expr)
	common, identity := values[0], true
	for i, v := range values {
		if rows[v] == nil {
			order = append(order, v)
		}
		identity = identity && v == int64(i)
		rows[v] = append(rows[v], int32Const(int64(i)))
		if len(rows[v]) > len(rows[common]) {
			common = v
		}
	}
	switch {
	case len(order) == 1:
		return int32Const(common)
	case identity:
		return col.Ref()
	}
	lookup := &algebra.Case{Else: int32Const(common), Typ: algebra.TInt32}
	for _, v := range order {
		if v != common {
			lookup.Whens = append(lookup.Whens, algebra.When{Cond: isOneOf(col, rows[v]), Then: int32Const(v)})
		}
	}
	return lookup
}

func isOneOf(col algebra.Column, consts []algebra.Expr) algebra.Expr {
	if len(consts) == 1 {
		return &algebra.Call{Func: algebra.Eq, Args: []algebra.Expr{col.Ref(), consts[0]}, Typ: algebra.TBool, Pos: value.NoPos}
	}
	args := append([]algebra.Expr{col.Ref()}, consts...)
	return &algebra.Call{Func: algebra.In, Args: args, Typ: algebra.TBool, Pos: value.NoPos}
}

func int32Const(i int64) *algebra.Const {
	return &algebra.Const{Val: value.Value{Kind: value.Int, I: i}, Typ: algebra.TInt32}
}
