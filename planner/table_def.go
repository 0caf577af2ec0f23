package planner

import (
	"github.com/cubeloom/cubeloom/planner/value"
	"github.com/cubeloom/cubeloom/sql"
)

// TableColumns binds the column definitions of CREATE TABLE, and gives the
// positions of the columns of its primary key, which are NOT NULL; nil without one.
func TableColumns(defs []sql.ColumnDef) (columns []CatalogColumn, primary []int, err error) {
	seen := make(map[string]bool)
	for i, def := range defs {
		if seen[def.Name.Name] {
			return nil, nil, value.ErrorAt(int(def.Name.Pos), value.CodeDuplicateColumn,
				"column %q specified more than once", def.Name.Name)
		}
		seen[def.Name.Name] = true
		typ, err := ResolveType(def.Type)
		if err != nil {
			return nil, nil, err
		}
		columns = append(columns, CatalogColumn{Name: def.Name.Name, Type: typ, NotNull: def.NotNull || def.PrimaryKey})
		if def.PrimaryKey {
			primary = append(primary, i)
		}
	}
	if len(columns) > maxTableColumns {
		return nil, nil, value.Errorf(value.CodeTooManyColumns, "tables can have at most %d columns", maxTableColumns)
	}
	return columns, primary, nil
}

// maxTableColumns is PostgreSQL's limit on the columns of a table.
const maxTableColumns = 1600
