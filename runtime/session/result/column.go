package result

import (
	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/value/lists"
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
	// Domain is whose values the column has; nil where it is of no domain. Clients are told the type of
	// the values.
	Domain *algebra.Domain
}

// IsBool reports whether the type is boolean.
func (t ColumnType) IsBool() bool { return t.Kind == algebra.Bool }

// TextColumns are columns of texts.
func TextColumns(names ...string) []Column {
	return lists.Map(names, func(name string) Column { return Column{Name: name, Type: ColumnType{Type: algebra.TText}} })
}

// StoreColumns are columns as the store describes them.
func StoreColumns(list []Column) []store.Column {
	return lists.Map(list, func(col Column) store.Column { return store.Column{Name: col.Name, Type: col.Type.Type} })
}

// ColumnTypes are the types as the API returns them.
func ColumnTypes(types []algebra.Type) []ColumnType {
	return lists.Map(types, func(t algebra.Type) ColumnType { return ColumnType{Type: t} })
}

// PlanColumns are the columns of a plan's rows.
func PlanColumns(plan *planner.Plan) []Column {
	columns := make([]Column, len(plan.Columns))
	for i, col := range plan.Columns {
		columns[i] = Column{Name: col.Name, Type: ColumnType{Type: col.Type, Declared: plan.Declared[i]}}
		if plan.Domains != nil {
			columns[i].Type.Domain = plan.Domains[i]
		}
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
