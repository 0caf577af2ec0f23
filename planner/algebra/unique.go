package algebra

// UniqueRows reports whether it is known that no two rows of n are equal.
func UniqueRows(n Node) bool { return Unique(n, Outputs(n)) }

// Unique reports whether it is known, by what the statistics of its tables say exactly and
// by its operators, that no two rows of n agree in all of the columns.
func Unique(n Node, cols ColSet) bool {
	switch n := n.(type) {
	case *Scan:
		for i, col := range n.Cols {
			if s := n.ColStats[i]; n.Table.Exact && s.Unique && (!col.Nullable || s.Nulls == 0) && cols.Has(col.ID) {
				return true
			}
		}
	case *Values:
		return len(n.Rows) <= 1
	case *Filter:
		return Unique(n.Input, cols)
	case *Window:
		return Unique(n.Input, cols)
	case *Sort:
		return Unique(n.Input, cols)
	case *Limit:
		return n.Count == 0 || n.Count == 1 || Unique(n.Input, cols)
	case *Project:
		var below ColSet
		for _, item := range n.Items {
			if ref, ok := item.Expr.(*ColumnRef); ok && cols.Has(item.Column.ID) {
				below.Add(ref.Column.ID)
			}
		}
		return Unique(n.Input, below)
	case *Spool:
		return Unique(&Project{Input: n.Input, Items: n.items()}, cols)
	case *Aggregate:
		return uniqueGroups(n, cols)
	case *Join:
		if n.Kind == JoinSemi || n.Kind == JoinAnti {
			return Unique(n.Left, cols)
		}
		return Unique(n.Left, cols) && Unique(n.Right, cols)
	}
	return false
}

// uniqueGroups reports whether the columns tell the groups of one set apart.
func uniqueGroups(n *Aggregate, cols ColSet) bool {
	if len(n.Sets) != 1 {
		return false
	}
	for i, key := range n.Keys {
		if n.Sets[0].Has(i) && !cols.Has(key.Column.ID) {
			return false
		}
	}
	return true
}
