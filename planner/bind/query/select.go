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
func selectBlock(b *scope.Binder, sel *sql.Select, orderBy []sql.OrderItem, env *scope.Environment, keepUnknown bool) (*scope.Bound, error) {
	s := &Block{Binder: b, Sel: sel, Env: env, group: scope.Grouping{Arrays: expression.ArraysGrouped(sel)}}
	s.win = scope.Windowing{Defs: sel.Windows, Exprs: func() *scope.Exprs { return s.Exprs("window definitions", true) }}
	var err error
	if s.node, s.Scope, err = From(b, sel.From, env); err != nil {
		return nil, err
	}
	if err := s.selectList(keepUnknown && !sel.Distinct); err != nil {
		return nil, err
	}
	if err := s.where(); err != nil {
		return nil, err
	}
	having, err := s.having()
	if err != nil {
		return nil, err
	}
	s.visible = len(s.Items)
	if err := s.orderBy(orderBy); err != nil {
		return nil, err
	}
	if err := s.bindDistinctOn(); err != nil {
		return nil, err
	}
	if err := s.bindQualify(); err != nil {
		return nil, err
	}
	if err := window.BindNamed(&s.win); err != nil {
		return nil, err
	}
	if err := s.groupBy(having); err != nil {
		return nil, err
	}
	s.addWindows()
	if s.firstBeforeRows() {
		s.keepFirst()
	}
	s.expandRows(func(*scope.SetCall) bool { return true })
	return s.finish()
}

// Exprs binds expressions of a clause; aggregates are allowed where grouped,
// window functions where windowed binds them.
func (s *Block) Exprs(clause string, grouped bool) *scope.Exprs {
	x := &scope.Exprs{Binder: s.Binder, Scope: s.Scope, Env: s.Env, Clause: clause}
	if grouped {
		x.Group = &s.group
	}
	return x
}

// windowed binds expressions of a clause that is computed behind the groups
// and windows.
func (s *Block) windowed(clause string) *scope.Exprs {
	x := s.Exprs(clause, true)
	x.Window = &s.win
	if clause != "QUALIFY" {
		x.Rows = &s.rows
	}
	return x
}

func (s *Block) selectList(keepUnknown bool) error {
	return s.SelectItems(s.windowed("SELECT"), keepUnknown)
}

// SelectItems binds the items of a select list, or of RETURNING.
func (s *Block) SelectItems(x *scope.Exprs, keepUnknown bool) error {
	for _, item := range s.Sel.Items {
		if star, ok := item.Expr.(*sql.Star); ok {
			cols, err := s.Scope.Expand(star)
			if err != nil {
				return err
			}
			for _, c := range cols {
				ref := c.Ref()
				s.RefPos[ref] = int(star.Pos)
				s.Items = append(s.Items, selectItem{Expr: ref, Name: c.Name, pos: star.Pos})
			}
			continue
		}
		e, err := x.Expr(item.Expr)
		if err != nil {
			return err
		}
		if !keepUnknown {
			if e, err = convert.Settle(x, e, item.Expr.Position()); err != nil {
				return err
			}
		}
		name := item.Alias.Name
		if name == "" {
			name = term.OutputName(item.Expr)
		}
		s.Items = append(s.Items, selectItem{Expr: e, Name: name, pos: item.Expr.Position()})
	}
	if len(s.Items) > scope.MaxColumns {
		return value.ErrorAt(int(s.Sel.Pos), "54011", "target lists can have at most %d entries", scope.MaxColumns)
	}
	return nil
}

func (s *Block) where() error {
	if s.Sel.Where == nil {
		return nil
	}
	cond, err := convert.Condition(s.Exprs("WHERE", false), s.Sel.Where, "WHERE")
	if err != nil {
		return err
	}
	s.node = &algebra.Filter{Input: s.node, Conds: algebra.Conjuncts(cond)}
	return nil
}

// having binds HAVING, which is applied once the groups are known.
func (s *Block) having() (algebra.Expr, error) {
	if s.Sel.Having == nil {
		return nil, nil
	}
	s.group.Used = true
	return convert.Condition(s.Exprs("HAVING", true), s.Sel.Having, "HAVING")
}

// orderBy resolves the keys of ORDER BY to items. A bare name means an output
// column before it means an input column; a number counts output columns.
func (s *Block) orderBy(items []sql.OrderItem) error {
	for _, spec := range items {
		n, err := s.orderItem(spec.Expr, "ORDER BY")
		if err != nil {
			return err
		}
		s.order = append(s.order, orderKey{item: n, spec: spec})
	}
	return nil
}

// orderItem finds or adds the item that a key of a clause is.
func (s *Block) orderItem(e sql.Expr, clause string) (int, error) {
	if n, ok, err := ordinal(e, s.visible, clause); ok || err != nil {
		return n, err
	}
	if ref, ok := e.(*sql.ColumnRef); ok && len(ref.Name) == 1 {
		if n, err := s.outputNamed(ref.Name[0], clause); n >= 0 || err != nil {
			return n, err
		}
	}
	x := s.windowed(clause)
	bound, err := x.Expr(e)
	if err != nil {
		return 0, err
	}
	if bound, err = convert.Settle(x, bound, e.Position()); err != nil {
		return 0, err
	}
	for i := range s.Items {
		if algebra.Equal(s.Items[i].Expr, bound) {
			return i, nil
		}
	}
	if s.distinctRows() {
		return 0, value.ErrorAt(int(e.Position()), value.CodeInvalidColumnReference,
			"for SELECT DISTINCT, ORDER BY expressions must appear in select list")
	}
	s.Items = append(s.Items, selectItem{Expr: bound, Name: term.OutputName(e), pos: e.Position()})
	return len(s.Items) - 1, nil
}

// outputNamed finds the output column of a name; -1 for none. Several columns
// of the name are ambiguous unless they are the same expression.
func (s *Block) outputNamed(id sql.Ident, clause string) (int, error) {
	found := -1
	for i := range s.visible {
		if s.Items[i].Name != id.Name {
			continue
		}
		if found >= 0 && !algebra.Equal(s.Items[found].Expr, s.Items[i].Expr) {
			return -1, value.ErrorAt(int(id.Pos), value.CodeAmbiguousColumn, "%s %q is ambiguous", clause, id.Name)
		}
		if found < 0 {
			found = i
		}
	}
	return found, nil
}

// ordinal reads a position of the select list; ok is false where e is no
// constant.
func ordinal(e sql.Expr, n int, clause string) (index int, ok bool, err error) {
	lit, ok := e.(*sql.Literal)
	if !ok {
		return 0, false, nil
	}
	pos := int(lit.Pos)
	if lit.Kind != sql.IntegerLiteral {
		return 0, true, value.ErrorAt(pos, value.CodeSyntax, "non-integer constant in %s", clause)
	}
	k, ok := smallInt(lit.Text)
	if !ok || k < 1 || k > n {
		return 0, true, value.ErrorAt(pos, value.CodeInvalidColumnReference, "%s position %s is not in select list", clause, lit.Text)
	}
	return k - 1, true, nil
}

// smallInt reads a few decimal digits.
func smallInt(s string) (int, bool) {
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' || n > 1<<20 {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, s != ""
}

// finish projects the items, removes duplicates, sorts, and drops what was
// there to sort by.
func (s *Block) finish() (*scope.Bound, error) {
	node, cols := s.project()
	if s.distinctRows() {
		var err error
		if node, cols, err = s.distinct(node, cols); err != nil {
			return nil, err
		}
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
	return &scope.Bound{Node: node}, nil
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
func (s *Block) distinct(node algebra.Node, cols []algebra.Column) (algebra.Node, []algebra.Column, error) {
	agg, err := groupAll(s.Binder, node, cols, s.Sel.Pos)
	if err != nil {
		return nil, nil, err
	}
	return agg, agg.Columns(), nil
}

// groupAll removes duplicate rows.
func groupAll(b *scope.Binder, node algebra.Node, cols []algebra.Column, pos sql.Pos) (*algebra.Aggregate, error) {
	if len(cols) > maxKeys {
		return nil, value.ErrorAt(int(pos), value.CodeProgramLimit, "duplicates of rows of more than %d columns cannot be removed", maxKeys)
	}
	keys := make([]algebra.Item, len(cols))
	for i, c := range cols {
		keys[i] = algebra.Item{Column: b.NewColumn(c.Name, c.Type, c.Nullable), Expr: convert.ComparedChar(b, c.Ref())}
	}
	return &algebra.Aggregate{Input: node, Keys: keys, Sets: []algebra.KeySet{algebra.AllKeys(len(keys))}}, nil
}
