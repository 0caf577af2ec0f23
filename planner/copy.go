package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// copied is a bound COPY … FROM, as CopyPlan has it.
type copied struct {
	columns  []int
	computes bool
	rows     algebra.Node
}

// copyRows binds COPY t (columns) FROM … WHERE …, whose fields read holds, which may be nil.
func (b *binder) copyRows(stmt *sql.Copy, read *Relation) (*copied, error) {
	target, err := b.targetTable(stmt.Table, "copy to")
	if err != nil {
		return nil, err
	}
	if read == nil {
		read = target
	}
	c := &copied{computes: stmt.Where != nil}
	if c.columns, err = TargetColumns(target, stmt.Columns); err != nil {
		return nil, err
	}
	written := b.accessTo(target)
	if written != nil {
		written.Insert, written.Written = true, c.columns
	}
	node, _, err := b.scan(read, target.Ref.Name, nil, value.NoPos)
	if err != nil {
		return nil, err
	}
	items := passOn(node.Columns())
	var given algebra.ColSet
	for _, i := range c.columns {
		given.Add(items[i].Column.ID)
	}
	for i := range items {
		column := &target.Columns[i]
		if column.Default == "" || given.Has(items[i].Column.ID) {
			continue
		}
		e, err := b.defaultOf(column)
		if err != nil {
			return nil, err
		}
		items[i] = algebra.Item{Column: b.newColumn(column.Name, column.Type, algebra.CanBeNull(e)), Expr: e}
		c.computes = true
	}
	c.rows = &algebra.Project{Input: node, Items: items}
	if stmt.Where != nil {
		c.rows, err = b.copyWhere(stmt, c.rows, written)
	}
	return c, err
}

// copyWhere binds the WHERE of COPY, which names columns of the row as it would be
// stored.
func (b *binder) copyWhere(stmt *sql.Copy, node algebra.Node, written *Access) (algebra.Node, error) {
	sc := newScope(targetAlias(stmt.Table, sql.Ident{}), node.Columns())
	sc.guard(written)
	const where = "COPY FROM WHERE condition"
	x := &exprBinder{binder: b, scope: sc, clause: where + "s", alone: where}
	cond, err := x.condition(stmt.Where, "WHERE")
	if err != nil {
		return nil, err
	}
	return &algebra.Filter{Input: node, Conds: algebra.Conjuncts(cond)}, nil
}
