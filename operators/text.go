package operators

import (
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// References is the set of columns that the expressions refer to.
func References(exprs []algebra.Expr) algebra.ColSet {
	var set algebra.ColSet
	for _, e := range exprs {
		set.AddSet(algebra.References(e))
	}
	return set
}

// List is the text of expressions in an operator's detail.
func List(exprs []algebra.Expr, sep string) string {
	texts := lists.Map(exprs, func(e algebra.Expr) string { return e.String() })
	return strings.Join(texts, sep)
}

// SortList is the text of sort keys in an operator's detail.
func SortList(keys []algebra.SortKey) string {
	texts := make([]string, len(keys))
	for i, k := range keys {
		texts[i] = k.Expr.String()
		if k.Desc {
			texts[i] += " desc"
		}
	}
	return strings.Join(texts, ", ")
}

// Items is the text of computed columns in an operator's detail.
func Items(items []algebra.Item) string {
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = item.Expr.String()
		if item.Column.Name != texts[i] {
			texts[i] += " as " + item.Column.Name
		}
	}
	return strings.Join(texts, ", ")
}

// Names is the text of columns in an operator's detail.
func Names(cols []algebra.Column) string {
	texts := lists.Map(cols, func(c algebra.Column) string { return c.Name })
	return strings.Join(texts, ", ")
}
