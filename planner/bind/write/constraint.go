package write

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/query"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// CheckedColumns binds the expression of a CHECK constraint of a table, which can hold no query,
// and returns the positions of the columns that it names.
func CheckedColumns(b *scope.Binder, table *scope.Relation, check sql.Expr) []int {
	x, columns := alone(b, table, "check constraint")
	return positions(columns, convert.Condition(x, check, "CHECK"))
}

// CheckDomain binds a condition of a domain, which can hold no query.
func CheckDomain(b *scope.Binder, d *algebra.Domain, check sql.Expr) {
	x := &scope.Exprs{Binder: b, Scope: &scope.Scope{}}
	convert.DomainCondition(x, d, check, b.NewColumn("value", d.Base, true).Ref())
}

// IndexedColumns binds an expression of an index of a table, or the condition of a partial one. See
// planner.IndexedColumns.
func IndexedColumns(b *scope.Binder, table *scope.Relation, e sql.Expr, isCondition bool) ([]int, algebra.Type) {
	part := "index expression"
	if isCondition {
		part = "index predicate"
	}
	return immutablePart(b, table, part, e, isCondition)
}

// PartitionedColumns binds an expression by which a table is partitioned. See planner.PartitionedColumns.
func PartitionedColumns(b *scope.Binder, table *scope.Relation, e sql.Expr) ([]int, algebra.Type) {
	read, typ := immutablePart(b, table, "partition key expression", e, false)
	if len(read) == 0 {
		panic(value.Errorf(value.CodeInvalidObjectDefinition, "cannot use constant expression as partition key"))
	}
	return read, typ
}

// immutablePart binds an immutable expression of what is made over a table, or a condition, as messages call it, and
// returns the positions of the columns that it names, and its type.
func immutablePart(b *scope.Binder, table *scope.Relation, part string, e sql.Expr, isCondition bool) ([]int, algebra.Type) {
	x, columns := alone(b, table, part)
	bound := indexPart(x, e, isCondition)
	if _, functions := sql.NamesIn(e); b.Momentary || mutable(functions, bound) {
		panic(value.Errorf(value.CodeInvalidObjectDefinition, "functions in %s must be marked IMMUTABLE", part))
	}
	return positions(columns, bound), bound.Type()
}

// PartitionConstant computes an expression in the bound of a partition. See planner.PartitionConstant.
func PartitionConstant(b *scope.Binder, e sql.Expr, typ algebra.Type, key string) value.Value {
	if ref := term.FirstColumn(e); ref != nil {
		panic(value.ErrorAt(int(ref.Position()), value.CodeFeatureNotSupported, "cannot use column reference in partition bound expression"))
	}
	x := &scope.Exprs{Binder: b, Scope: &scope.Scope{}, Clause: "partition bound", Alone: "partition bound"}
	bound := x.Expr(e)
	if from := bound.Type(); from.Kind != algebra.Unknown && sqltype.ConversionNeeds(from, typ) > sqltype.Assignment {
		panic(value.ErrorAt(int(e.Position()), value.CodeDatatypeMismatch, "specified value cannot be cast to type %s for column %q", sqltype.Name(typ), key))
	}
	bound = convert.Coerce(x, bound, typ, sqltype.Assignment, e.Position())
	return b.Constant(bound, int(e.Position())).Val
}

// indexPart binds an expression of an index, or its condition.
func indexPart(x *scope.Exprs, e sql.Expr, isCondition bool) algebra.Expr {
	if isCondition {
		return convert.Condition(x, e, "WHERE")
	}
	return convert.Resolved(x, e)
}

// alone binds expressions over the columns of a table which can hold no query, as messages call them.
func alone(b *scope.Binder, table *scope.Relation, what string) (*scope.Exprs, []algebra.Column) {
	node, sc := query.Scan(b, table, table.Ref.Name, nil, value.NoPos)
	sc.Is(table.Schema, table.Ref.Name)
	return &scope.Exprs{Binder: b, Scope: sc, Clause: what + "s", Alone: what}, node.Columns()
}

// positions are those of the columns that an expression names.
func positions(columns []algebra.Column, e algebra.Expr) (list []int) {
	used := algebra.References(e)
	for i, c := range columns {
		if used.Has(c.ID) {
			list = append(list, i)
		}
	}
	return list
}
