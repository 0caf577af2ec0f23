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
	c.Columns = copiedColumns(target, stmt)
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
	stored := c.Rows
	c.Rows = generateAll(b, target, stored)
	c.Computes = c.Computes || c.Rows != stored
	return c
}

// copiedColumns are the positions of the columns that COPY lists; an empty list is all that are not
// generated.
func copiedColumns(target *scope.Relation, stmt *sql.Copy) []int {
	columns := TargetColumns(target, stmt.Columns, nil)
	isGenerated := func(i int) bool { return target.Columns[i].Generated != "" }
	if len(stmt.Columns) == 0 {
		return slices.DeleteFunc(columns, isGenerated)
	}
	if n := slices.IndexFunc(columns, isGenerated); n >= 0 {
		panic(ErrCopyGenerated(target.Columns[columns[n]].Name))
	}
	return columns
}

// ErrCopyGenerated is the error of a COPY that lists a generated column.
func ErrCopyGenerated(column string) error {
	e := value.Errorf(value.CodeInvalidColumnReference, "column %q is a generated column", column)
	e.Detail = "Generated columns cannot be used in COPY."
	return e
}

// copyWhere binds the WHERE of COPY, which names columns of the row as it would be
// stored.
func copyWhere(b *scope.Binder, stmt *sql.Copy, target *scope.Relation, node algebra.Node, written *scope.Access) algebra.Node {
	named, _ := sql.NamesIn(stmt.Where)
	for _, name := range named {
		if i := find(target, name[len(name)-1].Name); i >= 0 && target.Columns[i].Generated != "" {
			e := value.Errorf(value.CodeInvalidColumnReference, "generated columns are not supported in COPY FROM WHERE conditions")
			e.Detail = generatedDetail(&target.Columns[i])
			panic(e)
		}
	}
	sc := inSchema(scope.New(targetAlias(stmt.Table, sql.Ident{}), node.Columns()), target, stmt.Table, sql.Ident{})
	sc.Guard(written)
	const where = "COPY FROM WHERE condition"
	x := &scope.Exprs{Binder: b, Scope: sc, Clause: where + "s", Alone: where}
	cond := convert.Condition(x, stmt.Where, "WHERE")
	return &algebra.Filter{Input: node, Conds: algebra.Conjuncts(cond)}
}
