package query

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

func isItem(k *scope.GroupKey, i int) bool { return slices.Contains(k.Items, i) }

// inTargetOrder are the numbers of the keys in the order in which an expression
// over them finds the one that it means: items first, as they stand.
func inTargetOrder(g *scope.Grouping) []int {
	order := make([]int, len(g.Keys))
	for i := range order {
		order[i] = i
	}
	rank := func(k int) int {
		if items := g.Keys[k].Items; len(items) > 0 {
			return items[0]
		}
		return scope.MaxColumns
	}
	slices.SortStableFunc(order, func(a, b int) int { return rank(a) - rank(b) })
	return order
}

// groupKeys fills in the keys and the grouping sets.
func (s *Block) groupKeys() error {
	gb := s.Sel.GroupBy
	switch {
	case gb == nil:
		s.group.Sets = []algebra.KeySet{0}
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
	s.group.Sets = sets
	mergeKeys(&s.group)
	return nil
}

// groupByAll groups by every item that holds no aggregate.
func (s *Block) groupByAll(gb *sql.GroupBy) error {
	set := algebra.KeySet(0)
	for i, item := range s.Items[:s.visible] {
		refs := algebra.References(item.Expr)
		if refs.Intersects(s.group.Made) || refs.Intersects(s.win.Made) || refs.Empty() {
			continue
		}
		k, err := s.keyOfItem(i, gb.Pos)
		if err != nil {
			return err
		}
		set |= 1 << k
	}
	s.group.Sets = []algebra.KeySet{set}
	mergeKeys(&s.group)
	return nil
}

// groupExpr resolves one expression of GROUP BY to a key. A bare name means an
// input column before it means an output column; a number counts items. An
// expression that is an item means the first such item.
func (s *Block) groupExpr(e sql.Expr) (int, error) {
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
	x := s.Exprs("GROUP BY", false)
	bound, err := x.Expr(e)
	if err != nil {
		return 0, err
	}
	if bound, err = convert.Settle(x, bound, e.Position()); err != nil {
		return 0, err
	}
	for i := range s.Items {
		if algebra.Equal(s.Items[i].Expr, bound) {
			return s.keyOfItem(i, e.Position())
		}
	}
	for k, key := range s.group.Keys {
		if len(key.Items) == 0 && algebra.Equal(key.Expr, bound) {
			return k, nil
		}
	}
	return s.addKey(bound, term.OutputName(e), e.Position())
}

// groupAlias finds the output column that a bare name means because no input
// column has it; -1 for none.
func (s *Block) groupAlias(e sql.Expr) (int, error) {
	ref, ok := e.(*sql.ColumnRef)
	if !ok || len(ref.Name) != 1 {
		return -1, nil
	}
	if c, err := s.Scope.Find(ref.Name[0]); c != nil || err != nil {
		return -1, err
	}
	return s.outputNamed(ref.Name[0], "GROUP BY")
}

// itemKey groups by an item of the select list that GROUP BY names.
func (s *Block) itemKey(n int, e sql.Expr) (int, error) {
	item := &s.Items[n]
	if algebra.References(item.Expr).Intersects(s.win.Made) {
		return 0, value.ErrorAt(int(item.pos), value.CodeWindowing, "window functions are not allowed in GROUP BY")
	}
	if algebra.References(item.Expr).Intersects(s.group.Made) {
		return 0, value.ErrorAt(int(item.pos), value.CodeGrouping, "aggregate functions are not allowed in GROUP BY")
	}
	return s.keyOfItem(n, e.Position())
}

// keyOfItem gives the number of the key that an item is.
func (s *Block) keyOfItem(n int, pos sql.Pos) (int, error) {
	for k, key := range s.group.Keys {
		if isItem(&key, n) {
			return k, nil
		}
	}
	k, err := s.addKey(s.Items[n].Expr, s.Items[n].Name, pos)
	if err == nil {
		s.group.Keys[k].Items = []int{n}
	}
	return k, err
}

// addKey makes a key and gives its number.
func (s *Block) addKey(e algebra.Expr, name string, pos sql.Pos) (int, error) {
	if len(s.group.Keys) == maxKeys {
		return 0, value.ErrorAt(int(pos), value.CodeProgramLimit, "GROUP BY has more than %d different expressions", maxKeys)
	}
	if ref, ok := e.(*algebra.ColumnRef); ok {
		name = ref.Column.Name
	}
	col := s.NewColumn(name, e.Type(), algebra.CanBeNull(e))
	s.group.Keys = append(s.group.Keys, scope.GroupKey{Item: algebra.Item{Column: col, Expr: e}})
	return len(s.group.Keys) - 1, nil
}

// mergeKeys makes one key of equal ones that are in the same grouping sets: they
// have the same value in every row, and one costs less.
func mergeKeys(g *scope.Grouping) {
	var kept []scope.GroupKey
	var from []int // where each of them was
	for k, key := range g.Keys {
		same := slices.IndexFunc(from, func(other int) bool {
			return inSameSets(g, k, other) && algebra.Equal(key.Expr, g.Keys[other].Expr)
		})
		if same < 0 {
			kept, from = append(kept, key), append(from, k)
			continue
		}
		kept[same].Items = append(kept[same].Items, key.Items...)
		slices.Sort(kept[same].Items)
	}
	if len(kept) == len(g.Keys) {
		return
	}
	for i, set := range g.Sets {
		g.Sets[i] = 0
		for k, old := range from {
			if set.Has(old) {
				g.Sets[i] |= 1 << k
			}
		}
	}
	g.Keys = kept
}

func inSameSets(g *scope.Grouping, a, b int) bool {
	for _, set := range g.Sets {
		if set.Has(a) != set.Has(b) {
			return false
		}
	}
	return true
}
