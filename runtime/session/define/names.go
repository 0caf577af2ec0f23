package define

import (
	"slices"

	"github.com/cubeloom/cubeloom/runtime/store"
)

// columnOf finds a column of a table by its name; -1 for none.
func columnOf(table *store.Table, name string) int {
	return slices.IndexFunc(table.Columns(), func(c store.Column) bool { return c.Name == name })
}
