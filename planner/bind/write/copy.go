package write

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/query"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Copied is a bound COPY … FROM, as CopyPlan has it.
type Copied struct {
	Columns  []int
	Computes bool
	Rows     algebra.Node
}

// CopyRows binds COPY t (columns) FROM … WHERE …, whose fields read holds, which may be nil.
func CopyRows(b *scope.Binder, stmt *sql.Copy, read *scope.Relation) *Copied {
	target := targetTable(b, stmt.Table, "copy to")
	rows := int64(0)
	if read == nil {
		read = target
	} else {
		rows = read.Ref.Rows
	}
	c := &Copied{Computes: stmt.Where != nil}
	c.Columns = TargetColumns(target, stmt.Columns)
	written := b.AccessTo(target)
	if written != nil {
		written.Insert, written.Written = true, c.Columns
	}
	node, _ := query.Scan(b, read, target.Ref.Name, nil, value.NoPos)
	own := node.Columns()
	next := generated(&sql.Insert{}, target, c.Columns)
	node = nextOfRows(b, node, target, next, rows)
	c.Computes = c.Computes || len(next) > 0
	items := term.PassOn(own)
	for n, i := range next {
		e := assign(&scope.Exprs{Binder: b}, node.Columns()[len(own)+n].Ref(), target.Columns[i], sql.NoPos)
		items[i] = algebra.Item{Column: b.NewColumn(target.Columns[i].Name, target.Columns[i].Type, false), Expr: e}
	}
	for i := range items {
		column := &target.Columns[i]
		if column.Default == "" || slices.Contains(c.Columns, i) {
			continue
		}
		e := defaultOf(b, column)
		items[i] = algebra.Item{Column: b.NewColumn(column.Name, column.Type, algebra.CanBeNull(e)), Expr: e}
		c.Computes = true
	}
	c.Rows = &algebra.Project{Input: node, Items: items}
	if stmt.Where != nil {
		c.Rows = copyWhere(b, stmt, target, c.Rows, written)
	}
	return c
}

// copyWhere binds the WHERE of COPY, which names columns of the row as it would be
// stored.
func copyWhere(b *scope.Binder, stmt *sql.Copy, target *scope.Relation, node algebra.Node, written *scope.Access) algebra.Node {
	sc := inSchema(scope.New(targetAlias(stmt.Table, sql.Ident{}), node.Columns()), target, stmt.Table, sql.Ident{})
	sc.Guard(written)
	const where = "COPY FROM WHERE condition"
	x := &scope.Exprs{Binder: b, Scope: sc, Clause: where + "s", Alone: where}
	cond := convert.Condition(x, stmt.Where, "WHERE")
	return &algebra.Filter{Input: node, Conds: algebra.Conjuncts(cond)}
}
