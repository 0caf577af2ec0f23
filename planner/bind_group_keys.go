package planner

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

func (k *groupKey) isItem(i int) bool { return slices.Contains(k.items, i) }

// inTargetOrder are the numbers of the keys in the order in which an expression
// over them finds the one that it means: items first, as they stand.
func (g *grouping) inTargetOrder() []int {
	order := make([]int, len(g.keys))
	for i := range order {
		order[i] = i
	}
	rank := func(k int) int {
		if items := g.keys[k].items; len(items) > 0 {
			return items[0]
		}
		return maxColumns
	}
	slices.SortStableFunc(order, func(a, b int) int { return rank(a) - rank(b) })
	return order
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
	s.group.mergeKeys()
	return nil
}

// groupByAll groups by every item that holds no aggregate.
func (s *block) groupByAll(gb *sql.GroupBy) error {
	set := algebra.KeySet(0)
	for i, item := range s.items[:s.visible] {
		refs := algebra.References(item.expr)
		if refs.Intersects(s.group.made) || refs.Intersects(s.win.made) || refs.Empty() {
			continue
		}
		k, err := s.keyOfItem(i, gb.Pos)
		if err != nil {
			return err
		}
		set |= 1 << k
	}
	s.group.sets = []algebra.KeySet{set}
	s.group.mergeKeys()
	return nil
}

// groupExpr resolves one expression of GROUP BY to a key. A bare name means an
// input column before it means an output column; a number counts items. An
// expression that is an item means the first such item.
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
	for i := range s.items {
		if algebra.Equal(s.items[i].expr, bound) {
			return s.keyOfItem(i, e.Position())
		}
	}
	for k, key := range s.group.keys {
		if len(key.items) == 0 && algebra.Equal(key.Expr, bound) {
			return k, nil
		}
	}
	return s.addKey(bound, outputName(e), e.Position())
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

// itemKey groups by an item of the select list that GROUP BY names.
func (s *block) itemKey(n int, e sql.Expr) (int, error) {
	item := &s.items[n]
	if algebra.References(item.expr).Intersects(s.win.made) {
		return 0, value.ErrorAt(int(item.pos), value.CodeWindowing, "window functions are not allowed in GROUP BY")
	}
	if algebra.References(item.expr).Intersects(s.group.made) {
		return 0, value.ErrorAt(int(item.pos), value.CodeGrouping, "aggregate functions are not allowed in GROUP BY")
	}
	return s.keyOfItem(n, e.Position())
}

// keyOfItem gives the number of the key that an item is.
func (s *block) keyOfItem(n int, pos sql.Pos) (int, error) {
	for k, key := range s.group.keys {
		if key.isItem(n) {
			return k, nil
		}
	}
	k, err := s.addKey(s.items[n].expr, s.items[n].name, pos)
	if err == nil {
		s.group.keys[k].items = []int{n}
	}
	return k, err
}

// addKey makes a key and gives its number.
func (s *block) addKey(e algebra.Expr, name string, pos sql.Pos) (int, error) {
	if len(s.group.keys) == maxKeys {
		return 0, value.ErrorAt(int(pos), value.CodeProgramLimit, "GROUP BY has more than %d different expressions", maxKeys)
	}
	if ref, ok := e.(*algebra.ColumnRef); ok {
		name = ref.Column.Name
	}
	col := s.newColumn(name, e.Type(), algebra.CanBeNull(e))
	s.group.keys = append(s.group.keys, groupKey{Item: algebra.Item{Column: col, Expr: e}})
	return len(s.group.keys) - 1, nil
}

// mergeKeys makes one key of equal ones that are in the same grouping sets: they
// have the same value in every row, and one costs less.
func (g *grouping) mergeKeys() {
	var kept []groupKey
	var from []int // where each of them was
	for k, key := range g.keys {
		same := slices.IndexFunc(from, func(other int) bool {
			return g.inSameSets(k, other) && algebra.Equal(key.Expr, g.keys[other].Expr)
		})
		if same < 0 {
			kept, from = append(kept, key), append(from, k)
			continue
		}
		kept[same].items = append(kept[same].items, key.items...)
		slices.Sort(kept[same].items)
	}
	if len(kept) == len(g.keys) {
		return
	}
	for i, set := range g.sets {
		g.sets[i] = 0
		for k, old := range from {
			if set.Has(old) {
				g.sets[i] |= 1 << k
			}
		}
	}
	g.keys = kept
}

func (g *grouping) inSameSets(a, b int) bool {
	for _, set := range g.sets {
		if set.Has(a) != set.Has(b) {
			return false
		}
	}
	return true
}
