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

// copied is a bound COPY … FROM, as CopyPlan has it.
type copied struct {
	Columns  []int
	Computes bool
	Rows     algebra.Node
}

// CopyRows binds COPY t (columns) FROM … WHERE …, whose fields read holds, which may be nil.
func CopyRows(b *scope.Binder, stmt *sql.Copy, read *scope.Relation) (*copied, error) {
	target, err := targetTable(b, stmt.Table, "copy to")
	if err != nil {
		return nil, err
	}
	rows := int64(0)
	if read == nil {
		read = target
	} else {
		rows = read.Ref.Rows
	}
	c := &copied{Computes: stmt.Where != nil}
	if c.Columns, err = TargetColumns(target, stmt.Columns); err != nil {
		return nil, err
	}
	written := b.AccessTo(target)
	if written != nil {
		written.Insert, written.Written = true, c.Columns
	}
	node, _, err := query.Scan(b, read, target.Ref.Name, nil, value.NoPos)
	if err != nil {
		return nil, err
	}
	own := node.Columns()
	next := generated(&sql.Insert{}, target, c.Columns)
	if node, err = nextOfRows(b, node, target, next, rows); err != nil {
		return nil, err
	}
	c.Computes = c.Computes || len(next) > 0
	items := term.PassOn(own)
	for n, i := range next {
		e, err := assign(&scope.Exprs{Binder: b}, node.Columns()[len(own)+n].Ref(), target.Columns[i], sql.NoPos)
		if err != nil {
			return nil, err
		}
		items[i] = algebra.Item{Column: b.NewColumn(target.Columns[i].Name, target.Columns[i].Type, false), Expr: e}
	}
	for i := range items {
		column := &target.Columns[i]
		if column.Default == "" || slices.Contains(c.Columns, i) {
			continue
		}
		e, err := defaultOf(b, column)
		if err != nil {
			return nil, err
		}
		items[i] = algebra.Item{Column: b.NewColumn(column.Name, column.Type, algebra.CanBeNull(e)), Expr: e}
		c.Computes = true
	}
	c.Rows = &algebra.Project{Input: node, Items: items}
	if stmt.Where != nil {
		c.Rows, err = copyWhere(b, stmt, c.Rows, written)
	}
	return c, err
}

// copyWhere binds the WHERE of COPY, which names columns of the row as it would be
// stored.
func copyWhere(b *scope.Binder, stmt *sql.Copy, node algebra.Node, written *scope.Access) (algebra.Node, error) {
	sc := scope.New(targetAlias(stmt.Table, sql.Ident{}), node.Columns())
	sc.Guard(written)
	const where = "COPY FROM WHERE condition"
	x := &scope.Exprs{Binder: b, Scope: sc, Clause: where + "s", Alone: where}
	cond, err := convert.Condition(x, stmt.Where, "WHERE")
	if err != nil {
		return nil, err
	}
	return &algebra.Filter{Input: node, Conds: algebra.Conjuncts(cond)}, nil
}
