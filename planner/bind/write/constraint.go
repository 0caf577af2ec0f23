package write

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/query"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// CheckedColumns binds the expression of a CHECK constraint of a table, which can hold no query,
// and returns the positions of the columns that it names.
func CheckedColumns(b *scope.Binder, table *scope.Relation, check sql.Expr) []int {
	node, sc := query.Scan(b, table, table.Ref.Name, nil, value.NoPos)
	sc.InSchema(table.Schema)
	x := &scope.Exprs{Binder: b, Scope: sc, Clause: "check constraints", Alone: "check constraint"}
	used := algebra.References(convert.Condition(x, check, "CHECK"))
	var columns []int
	for i, c := range node.Columns() {
		if used.Has(c.ID) {
			columns = append(columns, i)
		}
	}
	return columns
}
