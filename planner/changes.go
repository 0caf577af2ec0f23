package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/query"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/write"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// InsertPlan is a bound INSERT: a query that returns all columns of the table in
// their order and with their types, the default for those that the statement
// leaves out, what Conflict says, and behind them the columns of RETURNING. Whether a NULL
// is allowed is checked when the rows are stored.
type InsertPlan struct {
	Target   *Relation
	Source   *Plan
	Conflict *Conflict // nil: without ON CONFLICT
}

// Conflict is ON CONFLICT as the rows of an INSERT have it.
type Conflict = write.Conflict

// Own is how many columns the rows have before those of RETURNING.
func (p *InsertPlan) Own() int {
	if p.Conflict == nil {
		return len(p.Target.Columns)
	}
	return p.Conflict.Own(len(p.Target.Columns))
}

// BuildInsert binds and optimizes INSERT INTO t (columns) query ON CONFLICT … RETURNING ….
func BuildInsert(ins *sql.Insert, cat Catalog, opts Options) (*InsertPlan, error) {
	b := query.NewBinder(cat, &opts)
	bound, err := sqlstate.Try(func() *write.Inserted { return write.Insert(b, ins) })
	if err != nil {
		return nil, err
	}
	source, err := optimize(b, bound.Rows)
	if err != nil {
		return nil, err
	}
	return &InsertPlan{Target: bound.Target, Source: source, Conflict: bound.Conflict}, nil
}

// ChangePlan is a bound DELETE or UPDATE: a query that returns a row for each row
// of the table that is to be changed. Its first column is the row's position in
// the table, behind it come the new values of the columns Set, in that order,
// and then the columns of RETURNING. Several rows may have the same position;
// any one of them says what becomes of the table's row.
type ChangePlan struct {
	Target *Relation
	Set    []int
	Source *Plan
}

// BuildDelete binds and optimizes DELETE.
func BuildDelete(del *sql.Delete, cat Catalog, opts Options) (*ChangePlan, error) {
	b := query.NewBinder(cat, &opts)
	c, err := sqlstate.Try(func() *write.Changed { return write.Deletion(b, del) })
	if err != nil {
		return nil, err
	}
	return changePlan(b, c)
}

// BuildUpdate binds and optimizes UPDATE.
func BuildUpdate(upd *sql.Update, cat Catalog, opts Options) (*ChangePlan, error) {
	b := query.NewBinder(cat, &opts)
	c, err := sqlstate.Try(func() *write.Changed { return write.Update(b, upd) })
	if err != nil {
		return nil, err
	}
	return changePlan(b, c)
}

func changePlan(b *scope.Binder, c *write.Changed) (*ChangePlan, error) {
	source, err := optimize(b, c.Rows)
	if err != nil {
		return nil, err
	}
	return &ChangePlan{Target: c.Target, Set: c.Set, Source: source}, nil
}

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
	b := query.NewBinder(cat, &opts)
	c, err := sqlstate.Try(func() *write.Copied { return write.CopyRows(b, stmt, read) })
	if err != nil {
		return nil, err
	}
	source, err := optimize(b, c.Rows)
	if err != nil {
		return nil, err
	}
	return &CopyPlan{Columns: c.Columns, Computes: c.Computes, Source: source}, nil
}

// BuildRetype plans the rows of a table with column i converted to a type, as
// ALTER COLUMN … TYPE asks for: using is an expression over the table's columns, or
// nil for the column itself.
func BuildRetype(name sql.Name, i int, to algebra.Type, using sql.Expr, cat Catalog, opts Options) (*Plan, error) {
	b := query.NewBinder(cat, &opts)
	rows, err := sqlstate.Try(func() algebra.Node { return write.Retype(b, name, i, to, using) })
	if err != nil {
		return nil, err
	}
	return optimize(b, rows)
}

// CheckDefault checks the default of a column of CREATE TABLE or ALTER TABLE, and
// returns its text. As in PostgreSQL it need not fit the column: a value that is too long
// or out of range fails where a row takes it.
func CheckDefault(def *sql.DefaultExpr, c CatalogColumn, cat Catalog, opts Options) (string, error) {
	return sqlstate.Try(func() string { return write.CheckDefault(query.NewBinder(cat, &opts), def, c) })
}

// CheckedColumns checks the expression of a CHECK constraint of a table, and returns the
// positions of the columns that it names.
func CheckedColumns(table *Relation, check sql.Expr, cat Catalog, opts Options) ([]int, error) {
	return sqlstate.Try(func() []int { return write.CheckedColumns(query.NewBinder(cat, &opts), table, check) })
}

// DefaultValue is the value that the default of a column has now, of the
// column's type.
func DefaultValue(c CatalogColumn, cat Catalog, opts Options) (value.Value, error) {
	return sqlstate.Try(func() value.Value { return write.DefaultValue(query.NewBinder(cat, &opts), c) })
}

// Arguments computes the arguments of EXECUTE and converts them to the types of
// the parameters, of which there must be as many.
func Arguments(args []sql.Expr, types []algebra.Type, cat Catalog, opts Options) ([]Param, error) {
	return sqlstate.Try(func() []Param { return write.ExecuteArguments(query.NewBinder(cat, &opts), args, types) })
}
