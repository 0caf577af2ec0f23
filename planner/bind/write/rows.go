package write

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/sql"
)

// Rows binds a query whose rows a table of some columns is to hold; see BuildRows.
func Rows(b *scope.Binder, q *sql.Query, columns []scope.CatalogColumn) algebra.Node {
	b.Binds(q)
	node := b.Query(q, nil, false).Node
	x := &scope.Exprs{Binder: b}
	items := make([]algebra.Item, len(columns))
	for i, col := range node.Columns() {
		e := assign(x, col.Ref(), columns[i], sql.NoPos)
		items[i] = algebra.Item{Column: b.NewColumn(columns[i].Name, columns[i].Type, algebra.CanBeNull(e)), Expr: e}
	}
	return &algebra.Project{Input: node, Items: items}
}
