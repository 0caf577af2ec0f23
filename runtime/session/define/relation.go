package define

import (
	"context"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// checkRows refuses columns of a table that would hold rows.
func checkRows(columns []store.Column) {
	for _, c := range columns {
		if c.Type.Kind == algebra.Record {
			checkPseudo(c.Name, c.Type)
			panic(value.Errorf(value.CodeFeatureNotSupported, "columns of the row type %s are not supported", c.Type))
		}
	}
}

// checkPseudo refuses columns of rows without a type of their own.
func checkPseudo(name string, typ algebra.Type) {
	if typ.Kind == algebra.Record && typ.String() == "record" {
		panic(value.Errorf(value.CodeInvalidTable, "column %q has pseudo-type record", name))
	}
}

// createRelation creates a table, in the place of one that there is where replace is set:
// unless a view reads that which would not work any more, or have other columns.
func createRelation(ctx context.Context, s *session.Session, tx *store.Tx, table *store.Table, replace bool) {
	checkRows(table.Columns())
	sqlstate.Check(catalog.MayUseTypes(s, tx.State(), table.Columns()))
	create := func() { sqlstate.Check(tx.Create(ctx, table, replace)) }
	key := store.KeyOf(table)
	if of, _ := catalog.FindIndex(tx.State(), table.Schema(), table.Name()); of != nil {
		panic(value.Errorf(value.CodeDuplicateTable, "relation %q already exists", table.Name()))
	}
	if !replace || tx.State().Lookup(key) == nil {
		create()
		return
	}
	sqlstate.Check(tx.LockToDefine(ctx, key))
	if old, ok := tx.State().Lookup(key).(*store.Table); ok && (old.By() != nil || old.Of() != nil) {
		panic(value.Errorf(value.CodeFeatureNotSupported, "replacing a partitioned table or a partition is not supported"))
	}
	sqlstate.Check(tx.DropOwned(ctx, key, ""))
	a := &alteration{Session: s, tx: tx, key: key, name: table.Name()}
	if slices.ContainsFunc(tx.Latest().ReferencesTo(key), func(r store.Reference) bool { return store.KeyOf(r.Table) != key }) {
		panic(value.Errorf(value.CodeDependentObjects, "cannot replace table %s because foreign keys refer to it", table.Name()))
	}
	refusal := value.Errorf(value.CodeDependentObjects, "cannot replace table %s because views that read it would change", table.Name())
	refusal.Hint = "Drop the views first."
	a.keepViews(create, refusal)
}

// valid are CHECK constraints of a table without rows, which keep to all of them.
func valid(checks []sql.CheckDef) []sql.CheckDef {
	checks = slices.Clone(checks)
	for i := range checks {
		checks[i].NotValid = false
	}
	return checks
}

// tableKeys are the keys that CREATE TABLE declares, of columns at positions that ordinal knows. One over the
// columns of another adds nothing.
func tableKeys(stmt *sql.CreateTable, ordinal func(name string) int) []store.Key {
	var keys []store.Key
	for n, declared := range stmt.Keys() {
		key := store.Key{Name: declared.Name.Name, Primary: n == 0 && stmt.Primary != nil, IndexComment: declared.Comment}
		for _, id := range declared.Columns {
			key.Columns = append(key.Columns, ordinal(id.Name))
		}
		if !slices.ContainsFunc(keys, func(have store.Key) bool { return slices.Equal(have.Columns, key.Columns) }) {
			keys = append(keys, key)
		}
	}
	return keys
}

// ordinalIn finds the positions of columns by their names; -1 for none.
func ordinalIn(columns []sql.ColumnDef) func(name string) int {
	return func(name string) int {
		return slices.IndexFunc(columns, func(c sql.ColumnDef) bool { return c.Name.Name == name })
	}
}

// alikeTemporary fails where a partition is to be temporary and the table is not, or the other way round.
func alikeTemporary(of, key, verb string) {
	if store.IsTemporary(of) != store.IsTemporary(key) {
		kinds := map[bool]string{true: "temporary", false: "permanent"}
		panic(value.Errorf(value.CodeWrongObjectType, "cannot %s a %s relation as partition of %s relation %q", verb, kinds[store.IsTemporary(key)], kinds[store.IsTemporary(of)], store.NameOf(of)))
	}
}

// alreadyExists is the notice of IF NOT EXISTS.
func alreadyExists(name string) result.Notice {
	return result.NewNotice(value.CodeDuplicateTable, "relation %q already exists, skipping", name)
}
