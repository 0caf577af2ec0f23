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

// groupExpr resolves one expression of GROUP BY to a key. A bare name means an
// input column before it means an output column; a number counts items. An
// expression that is an item means the first such item.
func (s *Block) groupExpr(e sql.Expr) int {
	n, ok := ordinal(e, s.visible, "GROUP BY")
	if !ok {
		n = s.groupAlias(e)
		ok = n >= 0
	}
	if ok {
		return s.itemKey(n, e)
	}
	x := s.Exprs("GROUP BY", false)
	bound := x.Expr(e)
	bound = convert.ResolveUnknown(x, bound, e.Position())
	for i := range s.Items {
		if algebra.Equal(s.Items[i].Expr, bound) {
			return s.keyOfItem(i, e.Position())
		}
	}
	for k, key := range s.group.Keys {
		if len(key.Items) == 0 && algebra.Equal(key.Expr, bound) {
			return k
		}
	}
	return s.addKey(bound, term.OutputName(e), e.Position())
}

// groupAlias finds the output column that a bare name means because no input
// column has it; -1 for none.
func (s *Block) groupAlias(e sql.Expr) int {
	ref, ok := e.(*sql.ColumnRef)
	if !ok || len(ref.Name) != 1 {
		return -1
	}
	c, err := s.Scope.Find(ref.Name[0])
	switch {
	case err != nil:
		panic(err)
	case c != nil:
		return -1
	}
	return s.outputNamed(ref.Name[0], "GROUP BY")
}

// itemKey groups by an item of the select list that GROUP BY names. An untyped literal that is
// grouped by is text, also in a part of a set operation, whose other literals are still open.
func (s *Block) itemKey(n int, e sql.Expr) int {
	item := &s.Items[n]
	if algebra.References(item.Expr).Intersects(s.win.Made) {
		panic(value.ErrorAt(int(item.pos), value.CodeWindowing, "window functions are not allowed in GROUP BY"))
	}
	if algebra.References(item.Expr).Intersects(s.group.Made) {
		panic(value.ErrorAt(int(item.pos), value.CodeGrouping, "aggregate functions are not allowed in GROUP BY"))
	}
	item.Expr = convert.ResolveUnknown(s.Exprs("GROUP BY", false), item.Expr, item.pos)
	return s.keyOfItem(n, e.Position())
}

// keyOfItem returns the number of the key that an item is.
func (s *Block) keyOfItem(n int, pos sql.Pos) int {
	for k, key := range s.group.Keys {
		if isItem(&key, n) {
			return k
		}
	}
	k := s.addKey(s.Items[n].Expr, s.Items[n].Name, pos)
	s.group.Keys[k].Items = []int{n}
	return k
}

// addKey makes a key and returns its number.
func (s *Block) addKey(e algebra.Expr, name string, pos sql.Pos) int {
	if len(s.group.Keys) == maxKeys {
		panic(value.ErrorAt(int(pos), value.CodeProgramLimit, "GROUP BY has more than %d different expressions", maxKeys))
	}
	if ref, ok := e.(*algebra.ColumnRef); ok {
		name = ref.Column.Name
	}
	col := s.NewColumn(name, e.Type(), algebra.CanBeNull(e))
	s.group.Keys = append(s.group.Keys, scope.GroupKey{Item: algebra.Item{Column: col, Expr: e}})
	return len(s.group.Keys) - 1
}

func isItem(k *scope.GroupKey, i int) bool { return slices.Contains(k.Items, i) }
