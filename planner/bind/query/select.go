package query

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/bind/window"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// selectBlock binds SELECT … FROM … with the ORDER BY behind it, whose
// expressions may refer to the block's input.
func selectBlock(b *scope.Binder, sel *sql.Select, orderBy []sql.OrderItem, env *scope.Environment, keepUnknown bool) *scope.Bound {
	s := &Block{Binder: b, Sel: sel, Env: env, arrays: expression.ArraysGrouped(sel)}
	s.win = scope.Windowing{Defs: sel.Windows, Exprs: func() *scope.Exprs { return s.Exprs("window definitions", true) }}
	s.node, s.Scope = From(b, sel.From, env)
	s.selectList(keepUnknown && !sel.Distinct)
	s.where()
	having := s.having()
	s.visible = len(s.Items)
	s.orderBy(orderBy)
	s.bindDistinctOn()
	s.bindQualify()
	window.BindNamed(&s.win)
	s.groupBy(having)
	s.addWindows()
	if s.firstBeforeRows() {
		s.keepFirst()
	}
	s.expandRows(func(*scope.SetCall) bool { return true })
	return s.finish()
}

func (s *Block) selectList(keepUnknown bool) {
	s.SelectItems(s.windowed("SELECT"), keepUnknown)
}

// SelectItems binds the items of a select list, or of RETURNING.
func (s *Block) SelectItems(x *scope.Exprs, keepUnknown bool) {
	for _, item := range s.Sel.Items {
		if fields, ok := expression.Spread(x, item.Expr); ok {
			for _, f := range fields {
				s.Items = append(s.Items, selectItem{Expr: f.Expr, Name: f.Column.Name, pos: item.Expr.Position()})
			}
			continue
		}
		e := x.Expr(item.Expr)
		if !keepUnknown {
			e = convert.ResolveUnknown(x, e, item.Expr.Position())
		}
		name := item.Alias.Name
		if name == "" {
			name = term.OutputName(item.Expr)
		}
		s.Items = append(s.Items, selectItem{Expr: e, Name: name, pos: item.Expr.Position()})
	}
	if len(s.Items) > scope.MaxColumns {
		panic(value.ErrorAt(int(s.Sel.Pos), "54011", "target lists can have at most %d entries", scope.MaxColumns))
	}
}

func (s *Block) where() {
	if s.Sel.Where == nil {
		return
	}
	cond := convert.Condition(s.Exprs("WHERE", false), s.Sel.Where, "WHERE")
	s.node = &algebra.Filter{Input: s.node, Conds: algebra.Conjuncts(cond)}
}

// having binds HAVING, which is applied once the groups are known.
func (s *Block) having() algebra.Expr {
	if s.Sel.Having == nil {
		return nil
	}
	s.group.Used = true
	return convert.Condition(s.Exprs("HAVING", true), s.Sel.Having, "HAVING")
}

// orderBy resolves the keys of ORDER BY to items. A bare name means an output
// column before it means an input column; a number counts output columns.
func (s *Block) orderBy(items []sql.OrderItem) {
	for _, spec := range items {
		n := s.orderItem(spec.Expr, "ORDER BY")
		s.Items[n].Expr = convert.ResolveUnknown(s.windowed("ORDER BY"), s.Items[n].Expr, s.Items[n].pos)
		s.order = append(s.order, orderKey{item: n, spec: spec})
	}
}

// finish projects the items, removes duplicates, sorts, and drops what was
// there to sort by.
func (s *Block) finish() *scope.Bound {
	node, cols := s.project()
	if s.distinctRows() {
		node, cols = s.distinct(node, cols)
	}
	if len(s.distinctOn) > 0 && !s.kept {
		node = s.firstRows(node, cols)
	}
	if len(s.order) > 0 {
		node = &algebra.Sort{Input: node, Keys: s.sortKeysOf(cols), Limit: -1}
	}
	if s.visible < len(s.Items) || len(s.distinctOn) > 0 {
		node = &algebra.Project{Input: node, Items: term.PassOn(cols[:s.visible])}
	}
	return &scope.Bound{Node: node}
}

// project computes the items. A bare column of the block's own keeps its ID the
// first time.
func (s *Block) project() (algebra.Node, []algebra.Column) {
	items := make([]algebra.Item, len(s.Items))
	cols := make([]algebra.Column, len(s.Items))
	var seen algebra.ColSet
	own := algebra.Outputs(s.node)
	for i, item := range s.Items {
		ref, ok := item.Expr.(*algebra.ColumnRef)
		if ok && own.Has(ref.Column.ID) && !seen.Has(ref.Column.ID) {
			seen.Add(ref.Column.ID)
			cols[i] = ref.Column
			cols[i].Name = item.Name
		} else {
			cols[i] = s.NewColumn(item.Name, item.Expr.Type(), algebra.CanBeNull(item.Expr))
		}
		items[i] = algebra.Item{Column: cols[i], Expr: item.Expr}
	}
	return &algebra.Project{Input: s.node, Items: items}, cols
}

// distinct groups by all columns.
func (s *Block) distinct(node algebra.Node, cols []algebra.Column) (algebra.Node, []algebra.Column) {
	agg := groupAll(s.Binder, node, cols, s.Sel.Pos)
	return agg, agg.Columns()
}

// groupAll removes duplicate rows.
func groupAll(b *scope.Binder, node algebra.Node, cols []algebra.Column, pos sql.Pos) *algebra.Aggregate {
	if len(cols) > maxKeys {
		panic(value.ErrorAt(int(pos), value.CodeProgramLimit, "duplicates of rows of more than %d columns cannot be removed", maxKeys))
	}
	keys := make([]algebra.Item, len(cols))
	for i, c := range cols {
		keys[i] = algebra.Item{Column: b.NewColumn(c.Name, c.Type, c.Nullable), Expr: c.Ref()}
	}
	return &algebra.Aggregate{Input: node, Keys: keys, Sets: []algebra.KeySet{algebra.AllKeys(len(keys))}}
}
