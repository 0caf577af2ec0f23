package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// selectBlock binds SELECT … FROM … with the ORDER BY behind it, whose
// expressions may refer to the block's input.
func (b *binder) selectBlock(sel *sql.Select, orderBy []sql.OrderItem, env *environment, keepUnknown bool) (*relation, error) {
	s := &block{binder: b, sel: sel, env: env, group: grouping{arrays: arraysGrouped(sel)}}
	s.win = windowing{defs: sel.Windows, exprs: func() *exprBinder { return s.exprs("window definitions", true) }}
	var err error
	if s.node, s.scope, err = b.from(sel.From, env); err != nil {
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
	s.visible = len(s.items)
	if err := s.orderBy(orderBy); err != nil {
		return nil, err
	}
	if err := s.bindDistinctOn(); err != nil {
		return nil, err
	}
	if err := s.bindQualify(); err != nil {
		return nil, err
	}
	if err := s.win.bindNamed(); err != nil {
		return nil, err
	}
	if err := s.groupBy(having); err != nil {
		return nil, err
	}
	s.addWindows()
	if s.firstBeforeRows() {
		s.keepFirst()
	}
	s.expandRows(func(*setCall) bool { return true })
	return s.finish()
}

// exprs binds expressions of a clause; aggregates are allowed where grouped,
// window functions where windowed binds them.
func (s *block) exprs(clause string, grouped bool) *exprBinder {
	x := &exprBinder{binder: s.binder, scope: s.scope, env: s.env, clause: clause}
	if grouped {
		x.group = &s.group
	}
	return x
}

// windowed binds expressions of a clause that is computed behind the groups
// and windows.
func (s *block) windowed(clause string) *exprBinder {
	x := s.exprs(clause, true)
	x.window = &s.win
	if clause != "QUALIFY" {
		x.rows = &s.rows
	}
	return x
}

func (s *block) selectList(keepUnknown bool) error {
	return s.selectItems(s.windowed("SELECT"), keepUnknown)
}

// selectItems binds the items of a select list, or of RETURNING.
func (s *block) selectItems(x *exprBinder, keepUnknown bool) error {
	for _, item := range s.sel.Items {
		if star, ok := item.Expr.(*sql.Star); ok {
			cols, err := s.scope.expand(star)
			if err != nil {
				return err
			}
			for _, c := range cols {
				ref := c.Ref()
				s.refPos[ref] = int(star.Pos)
				s.items = append(s.items, selectItem{expr: ref, name: c.Name, pos: star.Pos})
			}
			continue
		}
		e, err := x.expr(item.Expr)
		if err != nil {
			return err
		}
		if !keepUnknown {
			if e, err = x.settle(e, item.Expr.Position()); err != nil {
				return err
			}
		}
		name := item.Alias.Name
		if name == "" {
			name = outputName(item.Expr)
		}
		s.items = append(s.items, selectItem{expr: e, name: name, pos: item.Expr.Position()})
	}
	if len(s.items) > maxColumns {
		return value.ErrorAt(int(s.sel.Pos), "54011", "target lists can have at most %d entries", maxColumns)
	}
	return nil
}

func (s *block) where() error {
	if s.sel.Where == nil {
		return nil
	}
	cond, err := s.exprs("WHERE", false).condition(s.sel.Where, "WHERE")
	if err != nil {
		return err
	}
	s.node = &algebra.Filter{Input: s.node, Conds: algebra.Conjuncts(cond)}
	return nil
}

// having binds HAVING, which is applied once the groups are known.
func (s *block) having() (algebra.Expr, error) {
	if s.sel.Having == nil {
		return nil, nil
	}
	s.group.used = true
	return s.exprs("HAVING", true).condition(s.sel.Having, "HAVING")
}

// orderBy resolves the keys of ORDER BY to items. A bare name means an output
// column before it means an input column; a number counts output columns.
func (s *block) orderBy(items []sql.OrderItem) error {
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
func (s *block) orderItem(e sql.Expr, clause string) (int, error) {
	if n, ok, err := ordinal(e, s.visible, clause); ok || err != nil {
		return n, err
	}
	if ref, ok := e.(*sql.ColumnRef); ok && len(ref.Name) == 1 {
		if n, err := s.outputNamed(ref.Name[0], clause); n >= 0 || err != nil {
			return n, err
		}
	}
	x := s.windowed(clause)
	bound, err := x.expr(e)
	if err != nil {
		return 0, err
	}
	if bound, err = x.settle(bound, e.Position()); err != nil {
		return 0, err
	}
	for i := range s.items {
		if algebra.Equal(s.items[i].expr, bound) {
			return i, nil
		}
	}
	if s.distinctRows() {
		return 0, value.ErrorAt(int(e.Position()), value.CodeInvalidColumnReference,
			"for SELECT DISTINCT, ORDER BY expressions must appear in select list")
	}
	s.items = append(s.items, selectItem{expr: bound, name: outputName(e), pos: e.Position()})
	return len(s.items) - 1, nil
}

// outputNamed finds the output column of a name; -1 for none. Several columns
// of the name are ambiguous unless they are the same expression.
func (s *block) outputNamed(id sql.Ident, clause string) (int, error) {
	found := -1
	for i := range s.visible {
		if s.items[i].name != id.Name {
			continue
		}
		if found >= 0 && !algebra.Equal(s.items[found].expr, s.items[i].expr) {
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
func (s *block) finish() (*relation, error) {
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
	if s.visible < len(s.items) || len(s.distinctOn) > 0 {
		node = &algebra.Project{Input: node, Items: passOn(cols[:s.visible])}
	}
	return &relation{node: node}, nil
}

// project computes the items. A bare column of the block's own keeps its ID the
// first time.
func (s *block) project() (algebra.Node, []algebra.Column) {
	items := make([]algebra.Item, len(s.items))
	cols := make([]algebra.Column, len(s.items))
	var seen algebra.ColSet
	own := algebra.Outputs(s.node)
	for i, item := range s.items {
		ref, ok := item.expr.(*algebra.ColumnRef)
		if ok && own.Has(ref.Column.ID) && !seen.Has(ref.Column.ID) {
			seen.Add(ref.Column.ID)
			cols[i] = ref.Column
			cols[i].Name = item.name
		} else {
			cols[i] = s.newColumn(item.name, item.expr.Type(), algebra.CanBeNull(item.expr))
		}
		items[i] = algebra.Item{Column: cols[i], Expr: item.expr}
	}
	return &algebra.Project{Input: s.node, Items: items}, cols
}

// distinct groups by all columns.
func (s *block) distinct(node algebra.Node, cols []algebra.Column) (algebra.Node, []algebra.Column, error) {
	agg, err := s.groupAll(node, cols, s.sel.Pos)
	if err != nil {
		return nil, nil, err
	}
	return agg, agg.Columns(), nil
}

// groupAll removes duplicate rows.
func (b *binder) groupAll(node algebra.Node, cols []algebra.Column, pos sql.Pos) (*algebra.Aggregate, error) {
	if len(cols) > maxKeys {
		return nil, value.ErrorAt(int(pos), value.CodeProgramLimit, "duplicates of rows of more than %d columns cannot be removed", maxKeys)
	}
	keys := make([]algebra.Item, len(cols))
	for i, c := range cols {
		keys[i] = algebra.Item{Column: b.newColumn(c.Name, c.Type, c.Nullable), Expr: b.comparedChar(c.Ref())}
	}
	return &algebra.Aggregate{Input: node, Keys: keys, Sets: []algebra.KeySet{algebra.AllKeys(len(keys))}}, nil
}
