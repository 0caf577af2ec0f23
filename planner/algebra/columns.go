package algebra

import (
	"slices"

	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Columns implements Node.
func (n *Scan) Columns() []Column { return n.Cols }

// Columns implements Node.
func (n *Values) Columns() []Column { return n.Cols }

// Columns implements Node.
func (n *Filter) Columns() []Column { return n.Input.Columns() }

// Columns implements Node.
func (n *Project) Columns() []Column {
	return lists.Map(n.Items, func(item Item) Column { return item.Column })
}

// Columns implements Node: the left columns and then the right ones, nullable
// where the join can fill them with NULL. Semi and anti joins have the left
// columns only.
func (n *Join) Columns() []Column {
	left := n.Left.Columns()
	if n.Kind == JoinSemi || n.Kind == JoinAnti {
		return left
	}
	right := n.Right.Columns()
	cols := make([]Column, 0, len(left)+len(right))
	cols = append(append(cols, left...), right...)
	if n.Kind == JoinRight || n.Kind == JoinFull {
		setNullable(cols[:len(left)])
	}
	if n.Kind == JoinLeft || n.Kind == JoinFull {
		setNullable(cols[len(left):])
	}
	return cols
}

// Columns implements Node: as a join's.
func (n *Apply) Columns() []Column {
	return (&Join{Kind: n.Kind, Left: n.Left, Right: n.Right}).Columns()
}

func setNullable(cols []Column) {
	for i := range cols {
		cols[i].Nullable = true
	}
}

// Columns implements Node.
func (n *Aggregate) Columns() []Column {
	cols := make([]Column, 0, len(n.Keys)+len(n.Aggs)+1)
	always := n.KeysInAllSets()
	for i, key := range n.Keys {
		col := key.Column
		col.Nullable = col.Nullable || !always.Has(i)
		cols = append(cols, col)
	}
	for i := range n.Aggs {
		cols = append(cols, n.Aggs[i].Column)
	}
	if n.GroupingID.ID != 0 {
		cols = append(cols, n.GroupingID)
	}
	return cols
}

// Columns implements Node.
func (n *Sort) Columns() []Column { return n.Input.Columns() }

// Columns implements Node.
func (n *Limit) Columns() []Column { return n.Input.Columns() }

// Columns implements Node.
func (n *Unnest) Columns() []Column {
	cols := n.Input.Columns()
	return append(cols[:len(cols):len(cols)], n.Ordinal)
}

// Columns implements Node.
func (n *SetOp) Columns() []Column { return n.Cols }

// Has reports whether key i is in the set.
func (s KeySet) Has(i int) bool { return s&(1<<i) != 0 }

// AllKeys is the set of the first n keys.
func AllKeys(n int) KeySet {
	if n >= 64 {
		return ^KeySet(0)
	}
	return 1<<n - 1
}

// KeysInAllSets is the set of keys that every grouping set has.
func (n *Aggregate) KeysInAllSets() KeySet {
	always := AllKeys(len(n.Keys))
	for _, set := range n.Sets {
		always &= set
	}
	return always
}

// IsPlain reports whether the aggregate is a plain GROUP BY: one set of all keys.
func (n *Aggregate) IsPlain() bool {
	return len(n.Sets) == 1 && n.Sets[0] == AllKeys(len(n.Keys))
}

// Ref is an expression that refers to the column.
func (c Column) Ref() *ColumnRef { return &ColumnRef{Column: c} }

// FindColumn returns the column of n with an ID.
func FindColumn(n Node, id ColumnID) (Column, bool) {
	cols := n.Columns()
	i := slices.IndexFunc(cols, func(c Column) bool { return c.ID == id })
	if i < 0 {
		return Column{}, false
	}
	return cols[i], true
}

// Turned is the join as one of another kind with its sides exchanged.
func (n *Join) Turned(kind JoinKind) *Join {
	out := &Join{Kind: kind, Left: n.Right, Right: n.Left, Residual: n.Residual}
	for _, key := range n.Keys {
		out.Keys = append(out.Keys, JoinKey{Left: key.Right, Right: key.Left, NullSafe: key.NullSafe})
	}
	return out
}
