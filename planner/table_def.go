package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// TableColumns binds the column definitions of CREATE TABLE.
func TableColumns(defs []sql.ColumnDef, cat Catalog) (columns []CatalogColumn, err error) {
	seen := make(map[string]bool)
	for _, def := range defs {
		if seen[def.Name.Name] {
			return nil, value.ErrorAt(int(def.Name.Pos), value.CodeDuplicateColumn,
				"column %q specified more than once", def.Name.Name)
		}
		seen[def.Name.Name] = true
		if err := CheckColumnName(def.Name.Name); err != nil {
			return nil, err
		}
		typ, d, err := sqltype.ResolveDomain(def.Type, cat.Type)
		if err != nil {
			return nil, err
		}
		if typ.Alias == algebra.Void {
			return nil, value.Errorf(value.CodeInvalidTable, "column %q has pseudo-type void", def.Name.Name)
		}
		columns = append(columns, CatalogColumn{Name: def.Name.Name, Type: typ, Domain: d, NotNull: def.NotNull})
	}
	if len(columns) > maxTableColumns {
		return nil, value.Errorf(value.CodeTooManyColumns, "tables can have at most %d columns", maxTableColumns)
	}
	return columns, nil
}

// CheckColumnName fails where a column of a table cannot have a name.
func CheckColumnName(name string) error {
	if scope.IsSystemColumn(name) {
		return value.Errorf(value.CodeDuplicateColumn, "column name %q conflicts with a system column name", name)
	}
	return nil
}

// maxTableColumns is PostgreSQL's limit on the columns of a table.
const maxTableColumns = 1600
