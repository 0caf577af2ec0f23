package result

import (
	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/store"
)

// Column is a column of a result.
type Column struct {
	Name string
	Type ColumnType
}

// ColumnType is the SQL type of a column.
type ColumnType struct {
	algebra.Type
	// Declared says that the precision and scale of a numeric are ones that somebody
	// gave it, which clients are told.
	Declared bool
}

// IsBool reports whether the type is boolean.
func (t ColumnType) IsBool() bool { return t.Kind == algebra.Bool }

// TextColumns are columns of texts.
func TextColumns(names ...string) []Column {
	columns := make([]Column, len(names))
	for i, name := range names {
		columns[i] = Column{Name: name, Type: ColumnType{Type: algebra.TText}}
	}
	return columns
}

// StoreColumns are columns as the store describes them.
func StoreColumns(list []Column) []store.Column {
	columns := make([]store.Column, len(list))
	for i, col := range list {
		columns[i] = store.Column{Name: col.Name, Type: col.Type.Type}
	}
	return columns
}

// Ordinals are the positions of n columns, in order.
func Ordinals(n int) []int {
	ordinals := make([]int, n)
	for i := range ordinals {
		ordinals[i] = i
	}
	return ordinals
}

// ColumnTypes are the types as the API returns them.
func ColumnTypes(types []algebra.Type) []ColumnType {
	out := make([]ColumnType, len(types))
	for i, t := range types {
		out[i] = ColumnType{Type: t}
	}
	return out
}

// PlanColumns are the columns of a plan's rows.
func PlanColumns(plan *planner.Plan) []Column {
	columns := make([]Column, len(plan.Columns))
	for i, col := range plan.Columns {
		columns[i] = Column{Name: col.Name, Type: ColumnType{col.Type, plan.Declared[i]}}
	}
	return columns
}

// StoredType is the type of a table's column that holds a query's column: the
// type itself, but text for a NULL or literal that never got a type, and the number
// for an object identifier.
func StoredType(t algebra.Type) algebra.Type {
	if t.Kind == algebra.Unknown {
		return algebra.TText
	}
	t.Alias = algebra.NoAlias
	return t
}
