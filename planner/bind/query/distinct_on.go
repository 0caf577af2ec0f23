package query

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// bindDistinctOn resolves the expressions of DISTINCT ON to items, as ORDER BY
// does. They must be the first keys of ORDER BY, in any order.
func (s *Block) bindDistinctOn() {
	for _, e := range s.Sel.DistinctOn {
		n := s.orderItem(e, "DISTINCT ON")
		if s.isDistinctOn(n) {
			continue
		}
		s.distinctOn = append(s.distinctOn, n)
		s.distinctPos = append(s.distinctPos, e.Position())
	}
	if len(s.distinctOn) == 0 {
		return
	}
	matched, skipped := map[int]bool{}, false
	for _, key := range s.order {
		switch {
		case !s.isDistinctOn(key.item):
			skipped = true
		case skipped && !matched[key.item]:
			panic(s.mismatch(key.item))
		default:
			matched[key.item] = true
		}
	}
	for _, n := range s.distinctOn {
		if skipped && !matched[n] {
			panic(s.mismatch(n))
		}
	}
}

func (s *Block) isDistinctOn(item int) bool {
	return slices.Contains(s.distinctOn, item)
}

// mismatch is the error for an expression of DISTINCT ON that ORDER BY has too
// late.
func (s *Block) mismatch(item int) error {
	pos := sql.NoPos
	for i, n := range s.distinctOn {
		if n == item {
			pos = s.distinctPos[i]
		}
	}
	return value.ErrorAt(int(pos), value.CodeInvalidColumnReference,
		"SELECT DISTINCT ON expressions must match initial ORDER BY expressions")
}

// firstRows keeps, of the rows that agree in the expressions of DISTINCT ON,
// the first in the order.
func (s *Block) firstRows(node algebra.Node, cols []algebra.Column) algebra.Node {
	n := &algebra.Window{Input: node, OrderBy: s.sortKeysOf(cols)}
	for _, item := range s.distinctOn {
		n.PartitionBy = append(n.PartitionBy, cols[item].Ref())
	}
	number := algebra.WindowCall{
		Column: s.NewColumn("row_number", algebra.TInt64, false), Func: algebra.RowNumber, Frame: algebra.DefaultFrame(),
	}
	n.Calls = []algebra.WindowCall{number}
	return &algebra.Filter{Input: n, Conds: []algebra.Expr{term.Equals(number.Column.Ref(), term.Int64Value(1))}}
}

// firstBeforeRows reports whether set-returning functions are computed for the rows that
// DISTINCT ON keeps: where there is an ORDER BY and no key of either is made of them.
func (s *Block) firstBeforeRows() bool {
	var made algebra.ColSet
	for _, c := range s.rows.Calls {
		if !c.Made {
			made.Add(c.Col.ID)
		}
	}
	if made.Empty() || len(s.distinctOn) == 0 || len(s.order) == 0 {
		return false
	}
	for _, n := range s.firstKeys() {
		if algebra.References(s.Items[n].Expr).Intersects(made) {
			return false
		}
	}
	return true
}

// firstKeys are the items that DISTINCT ON and ORDER BY go by.
func (s *Block) firstKeys() []int {
	keys := slices.Clone(s.distinctOn)
	for _, key := range s.order {
		keys = append(keys, key.item)
	}
	return keys
}

// keepFirst keeps the first rows before the other items are computed.
func (s *Block) keepFirst() {
	cols := make([]algebra.Column, len(s.Items))
	items := term.PassOn(s.node.Columns())
	own := algebra.Outputs(s.node)
	for _, n := range s.firstKeys() {
		item := &s.Items[n]
		ref, ok := item.Expr.(*algebra.ColumnRef)
		if !ok || !own.Has(ref.Column.ID) {
			col := s.NewColumn(item.Name, item.Expr.Type(), algebra.CanBeNull(item.Expr))
			items = append(items, algebra.Item{Column: col, Expr: item.Expr})
			own.Add(col.ID)
			ref = col.Ref()
			item.Expr = ref
		}
		cols[n] = ref.Column
	}
	s.node, s.kept = s.firstRows(&algebra.Project{Input: s.node, Items: items}, cols), true
}

// sortKeysOf are the keys of ORDER BY over the columns of the items.
func (s *Block) sortKeysOf(cols []algebra.Column) []algebra.SortKey {
	keys := make([]algebra.SortKey, len(s.order))
	for i, key := range s.order {
		keys[i] = expression.SortKey(s.Binder, key.spec, cols[key.item].Ref())
	}
	return keys
}
