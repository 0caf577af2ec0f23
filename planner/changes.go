package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/call"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/write"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Statement is a bound query, or a bound statement that changes the rows of a table: a query that
// returns what is to be done.
type Statement struct {
	// Target is the table that is changed; nil for a query.
	Target *Relation
	Source *Plan
	// Own is how many columns the rows have before those that the statement returns, which
	// Returns says that it does.
	Own     int
	Returns bool
	// Set are the columns that UPDATE and MERGE change. The rows of UPDATE and DELETE
	// have the position in the table of a row to be changed, and behind it the new values of
	// Set, in that order. Several rows may have the same position; any one of them says
	// what becomes of the table's row.
	Set []int
	// Conflict is ON CONFLICT. The rows of INSERT have all columns of the table in their
	// order and with their types, the default for those that the statement leaves out, and
	// what Conflict says. Whether a NULL is allowed is checked when they are stored.
	Conflict *Conflict
	Merge    *Merge // what the rows of MERGE have
}

// Conflict is ON CONFLICT as the rows of an INSERT have it.
type Conflict = write.Conflict

// Merge is MERGE as its rows have it.
type Merge = write.Merge

// What a clause of MERGE does with a row.
const (
	MergeUpdate = write.MergeUpdate
	MergeDelete = write.MergeDelete
	MergeInsert = write.MergeInsert
)

// BuildStatement binds and optimizes a query or an sql.Change.
func BuildStatement(stmt sql.Statement, cat Catalog, opts Options) (_ *Statement, err error) {
	defer sqlstate.Catch(&err)
	b := write.NewBinder(cat, &opts)
	bound := write.Statement(b, stmt)
	source := sqlstate.Must(optimize(b, bound.Rows))
	return &Statement{
		Target: bound.Target, Source: source, Own: bound.Own, Returns: bound.Returns, Set: bound.Set, Conflict: bound.Conflict, Merge: bound.Merge,
	}, nil
}

// Build binds a query and optimizes it. Errors that the user caused are
// *value.Error.
func Build(q *sql.Query, cat Catalog, opts Options) (*Plan, error) {
	stmt, err := BuildStatement(q, cat, opts)
	if err != nil {
		return nil, err
	}
	return stmt.Source, nil
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
func BuildCopy(stmt *sql.Copy, read *Relation, cat Catalog, opts Options) (_ *CopyPlan, err error) {
	defer sqlstate.Catch(&err)
	b := write.NewBinder(cat, &opts)
	c := write.CopyRows(b, stmt, read)
	source := sqlstate.Must(optimize(b, c.Rows))
	return &CopyPlan{Columns: c.Columns, Computes: c.Computes, Source: source}, nil
}

// ErrCopyGenerated is the error of a COPY that lists a generated column.
var ErrCopyGenerated = write.ErrCopyGenerated

// buildNode plans what is bound.
func buildNode(cat Catalog, opts Options, bind func(b *scope.Binder) algebra.Node) (*Plan, error) {
	b := write.NewBinder(cat, &opts)
	rows, err := sqlstate.Try(func() algebra.Node { return bind(b) })
	if err != nil {
		return nil, err
	}
	return optimize(b, rows)
}

// BuildRetype plans the rows of a table with column i converted to a type, as
// ALTER COLUMN … TYPE asks for: using is an expression over the table's columns, or
// nil for the column itself.
func BuildRetype(name sql.Name, i int, to algebra.Type, using sql.Expr, cat Catalog, opts Options) (*Plan, error) {
	return buildNode(cat, opts, func(b *scope.Binder) algebra.Node { return write.Retype(b, name, i, to, using) })
}

// BuildRows plans the rows of a query as a table of some columns holds them, of which the query
// has as many.
func BuildRows(q *sql.Query, columns []CatalogColumn, cat Catalog, opts Options) (*Plan, error) {
	return buildNode(cat, opts, func(b *scope.Binder) algebra.Node { return write.Rows(b, q, columns) })
}

// CheckDefault checks the default of a column of CREATE TABLE or ALTER TABLE, and
// returns its text. As in PostgreSQL it need not fit the column: a value that is too long
// or out of range fails where a row takes it.
func CheckDefault(def *sql.DefaultExpr, c CatalogColumn, cat Catalog, opts Options) (string, error) {
	return sqlstate.Try(func() string { return write.CheckDefault(write.NewBinder(cat, &opts), def, c) })
}

// CheckGenerated checks the expression of column i of a table, which is to be generated. It fails with
// 42P17 where the expression is not immutable, or reads a generated column.
func CheckGenerated(table *Relation, i int, e sql.Expr, cat Catalog, opts Options) error {
	return sqlstate.Run(func() { write.CheckGenerated(write.NewBinder(cat, &opts), table, i, e) })
}

// BuildRefill plans the rows of a table with the values that its last column is to have, which takes those of a
// sequence, or that its generated columns are.
func BuildRefill(name sql.Name, cat Catalog, opts Options) (*Plan, error) {
	return buildNode(cat, opts, func(b *scope.Binder) algebra.Node { return write.Refill(b, name) })
}

// CheckedColumns checks the expression of a CHECK constraint of a table, and returns the
// positions of the columns that it names.
func CheckedColumns(table *Relation, check sql.Expr, cat Catalog, opts Options) ([]int, error) {
	return sqlstate.Try(func() []int { return write.CheckedColumns(write.NewBinder(cat, &opts), table, check) })
}

// CheckDomain checks a condition of a domain, in which VALUE stands for the value.
func CheckDomain(d *algebra.Domain, check sql.Expr, cat Catalog, opts Options) error {
	return sqlstate.Run(func() { write.CheckDomain(write.NewBinder(cat, &opts), d, check) })
}

// IndexedColumns checks an expression of an index of a table, or the condition of a partial one, and
// returns the positions of the columns that it names, and its type. It fails with 42P17 where the
// expression is not immutable.
func IndexedColumns(table *Relation, e sql.Expr, isCondition bool, cat Catalog, opts Options) (columns []int, typ algebra.Type, err error) {
	err = sqlstate.Run(func() { columns, typ = write.IndexedColumns(write.NewBinder(cat, &opts), table, e, isCondition) })
	return columns, typ, err
}

// PartitionedColumns checks an expression by which a table is partitioned, and returns the positions of the
// columns that it names, and its type. It fails with 42P17 where the expression is constant or not immutable.
func PartitionedColumns(table *Relation, e sql.Expr, cat Catalog, opts Options) (columns []int, typ algebra.Type, err error) {
	err = sqlstate.Run(func() { columns, typ = write.PartitionedColumns(write.NewBinder(cat, &opts), table, e) })
	return columns, typ, err
}

// PartitionConstant is the value of an expression in the bound of a partition, for a key of a name and a type.
func PartitionConstant(e sql.Expr, typ algebra.Type, key string, cat Catalog, opts Options) (value.Value, error) {
	return sqlstate.Try(func() value.Value { return write.PartitionConstant(write.NewBinder(cat, &opts), e, typ, key) })
}

// CheckFunction fails where the text of a function is wrong. Errors have their places in the text.
func CheckFunction(f *UserFunction, cat Catalog, opts Options) error {
	return sqlstate.Run(func() { call.Check(write.NewBinder(cat, &opts), f) })
}

// CheckParameter checks the default of a parameter.
func CheckParameter(def sql.Expr, typ algebra.Type, cat Catalog, opts Options) error {
	return sqlstate.Run(func() { call.CheckDefault(write.NewBinder(cat, &opts), def, typ) })
}

// DefaultValue is the value that the default of a column has now, of the
// column's type.
func DefaultValue(c CatalogColumn, cat Catalog, opts Options) (value.Value, error) {
	return sqlstate.Try(func() value.Value { return write.DefaultValue(write.NewBinder(cat, &opts), c) })
}

// Arguments computes the arguments of EXECUTE and converts them to the types of
// the parameters, of which there must be as many.
func Arguments(args []sql.Expr, of []Parameter, cat Catalog, opts Options) ([]Param, error) {
	return sqlstate.Try(func() []Param { return write.ExecuteArguments(write.NewBinder(cat, &opts), args, of) })
}
