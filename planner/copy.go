package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// CopyPlan is a bound COPY … FROM.
type CopyPlan struct {
	Columns []int // of the table, in the order of the fields
	// Computes says that Source has to be run: that a column which is not listed has a
	// default, or that WHERE leaves rows out.
	Computes bool
	// Source gives the rows for the table, of rows with NULL where no field is.
	Source *Plan
}

// BuildCopy binds and optimizes COPY t (columns) FROM … WHERE …, whose fields read holds:
// a relation that looks as the table does. A nil read stands for the table itself, to
// find out what is wrong with the statement.
func BuildCopy(stmt *sql.Copy, read *Relation, cat Catalog, opts Options) (*CopyPlan, error) {
	b := newBinder(cat, &opts)
	target, err := b.targetTable(stmt.Table, "copy to")
	if err != nil {
		return nil, err
	}
	if read == nil {
		read = target
	}
	p := &CopyPlan{Computes: stmt.Where != nil}
	if p.Columns, err = TargetColumns(target, stmt.Columns); err != nil {
		return nil, err
	}
	written := b.accessTo(target)
	if written != nil {
		written.Insert, written.Written = true, p.Columns
	}
	node, _, err := b.scan(read, target.Ref.Name, nil, value.NoPos)
	if err != nil {
		return nil, err
	}
	items := passOn(node.Columns())
	var given algebra.ColSet
	for _, i := range p.Columns {
		given.Add(items[i].Column.ID)
	}
	for i := range items {
		c := &target.Columns[i]
		if c.Default == "" || given.Has(items[i].Column.ID) {
			continue
		}
		e, err := b.defaultOf(c)
		if err != nil {
			return nil, err
		}
		items[i] = algebra.Item{Column: b.newColumn(c.Name, c.Type, algebra.CanBeNull(e)), Expr: e}
		p.Computes = true
	}
	node = &algebra.Project{Input: node, Items: items}
	if stmt.Where != nil {
		if node, err = b.copyWhere(stmt, node, written); err != nil {
			return nil, err
		}
	}
	p.Source, err = b.optimize(node)
	return p, err
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
