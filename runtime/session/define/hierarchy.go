package define

import (
	"context"
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// CreateHierarchy runs CREATE HIERARCHY. Nobody changes what the hierarchy reads until the
// transaction ends, so that it is the hierarchy of what others see then.
func CreateHierarchy(ctx context.Context, s *session.Session, stmt *sql.CreateHierarchy) *result.Result {
	res := &result.Result{Tag: "CREATE HIERARCHY"}
	key := sqlstate.Must(s.CreatedName(stmt.Name, stmt.Temporary))
	if stmt.IfNotExists && s.State().Lookup(key) != nil {
		res.Notices = []result.Notice{alreadyExists(store.NameOf(key))}
		return res
	}
	s.Change(res.Tag, func(tx *store.Tx) {
		def := sqlstate.Must(hierarchyDef(ctx, s, tx, stmt))
		sqlstate.Check(catalog.MayCreate(s, key, false))
		sqlstate.Check(session.At(checkTemporary(key, def), stmt.Name[0].Pos))
		text := sqlstate.Must(hierarchyText(tx.State(), def))
		sqlstate.Check(tx.Create(ctx, store.NewHierarchy(key, text, *def), false))
	})
	return res
}

// hierarchyDef finds the tables and columns that a statement names, locks the tables, and
// checks that the session's role may read them.
func hierarchyDef(ctx context.Context, s *session.Session, tx *store.Tx, stmt *sql.CreateHierarchy) (*store.HierarchyDef, error) {
	def := &store.HierarchyDef{Child: stmt.Columns[0].Name, Parent: stmt.Columns[1].Name}
	if len(stmt.Columns) > 2 {
		def.Weight = stmt.Columns[2].Name
	}
	var err error
	if def.Edges, err = hierarchyTable(ctx, s, tx, stmt.Edges, stmt.Columns); err != nil || stmt.On == nil {
		return def, err
	}
	def.ID = stmt.ID.Name
	def.On, err = hierarchyTable(ctx, s, tx, stmt.On, []sql.Ident{stmt.ID})
	return def, err
}

// hierarchyTable locks a table that a hierarchy reads. It fails where there is none with
// such columns, or the session's role may not read them.
func hierarchyTable(ctx context.Context, s *session.Session, tx *store.Tx, name sql.Name, columns []sql.Ident) (key string, err error) {
	if key, err = s.TargetName(name); err != nil {
		return "", err
	}
	if s.State().Lookup(key) == nil {
		return "", value.ErrorAt(int(name[0].Pos), value.CodeUndefinedTable, "relation %q does not exist", store.NameOf(key))
	}
	if !store.IsTemporary(key) {
		if err := catalog.Permit(s, []*planner.Access{{Relation: key, Select: true, Read: ordinals(s, key, columns)}}); err != nil {
			return "", err
		}
	}
	table, err := tx.Table(ctx, key)
	if err == nil && store.QueryOf(table) != nil {
		err = value.Errorf(value.CodeWrongObjectType, "%q is not a table", table.Name())
	}
	if err == nil && table.Of() != nil {
		err = value.Errorf(value.CodeFeatureNotSupported, "hierarchies of partitions are not supported")
	}
	if err != nil {
		return "", session.At(err, name[0].Pos)
	}
	for _, id := range columns {
		if table.Ordinal(id.Name) < 0 {
			return "", value.ErrorAt(int(id.Pos), value.CodeUndefinedColumn, "column %q of relation %q does not exist", id.Name, table.Name())
		}
	}
	return key, tx.LockDefinition(ctx, key, true)
}

// ordinals are the positions of columns of a table that has them.
func ordinals(s *session.Session, key string, columns []sql.Ident) (list []int) {
	table, ok := s.State().Lookup(key).(*store.Table)
	for _, id := range columns {
		if !ok {
			continue
		}
		if i := table.Ordinal(id.Name); i >= 0 {
			list = append(list, i)
		}
	}
	return list
}

// checkTemporary fails for a hierarchy that would not last as long as what it reads, or
// whose session would not be told of changes that others make.
func checkTemporary(key string, def *store.HierarchyDef) error {
	temporary := store.IsTemporary(def.Edges)
	if def.On != "" && store.IsTemporary(def.On) != temporary || store.IsTemporary(key) && !temporary {
		return value.Errorf(value.CodeFeatureNotSupported, "a hierarchy of temporary and other tables is not supported")
	}
	return nil
}

// hierarchyText is the query that has the rows of a hierarchy, as PostgreSQL runs it too.
func hierarchyText(state *store.State, def *store.HierarchyDef) (_ string, err error) {
	defer sqlstate.Catch(&err)
	edges, ok := state.Lookup(def.Edges).(*store.Table)
	if !ok {
		return "", value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", store.NameOf(def.Edges))
	}
	typeOf := func(t *store.Table, column string) algebra.Type { return t.Columns()[t.Ordinal(column)].Type }
	types := []algebra.Type{typeOf(edges, def.Child), typeOf(edges, def.Parent)}
	if on, ok := state.Lookup(def.On).(*store.Table); ok {
		types = append(types, typeOf(on, def.ID))
	}
	element := sqlstate.Must(store.ElementType(types...))
	column := func(t int, name string) string {
		if types[t] == element {
			return pgcatalog.QuoteName(name)
		}
		return fmt.Sprintf("CAST(%s AS %v)", pgcatalog.QuoteName(name), element)
	}
	child, parent := column(0, def.Child), column(1, def.Parent)
	from := schemaName(edges)
	one, factor, sum := "CAST(1 AS numeric)", "", "CAST(sum(weight) AS numeric(38,0))"
	if def.Weight != "" {
		weight := sqlstate.Must(store.WeightType(typeOf(edges, def.Weight)))
		factor = ", " + pgcatalog.QuoteName(def.Weight)
		if weight != store.WholeWeight {
			one, sum = fmt.Sprintf("CAST(1 AS %v)", weight), "sum(weight)"
		}
	}
	all := fmt.Sprintf("SELECT %s FROM %s UNION SELECT %s FROM %s", child, from, parent, from)
	if len(types) > 2 {
		all = fmt.Sprintf("SELECT DISTINCT %s FROM %s", column(2, def.ID), schemaName(state.Lookup(def.On).(*store.Table)))
	}
	names, product := "(child, parent)", "p.weight"
	if factor != "" {
		names, product = "(child, parent, weight)", "p.weight * e.weight"
	}
	return strings.Join([]string{
		"WITH RECURSIVE paths (base, element, weight, distance) AS (",
		fmt.Sprintf("    SELECT id, id, %s, 0 FROM (%s) AS elements (id)", one, all),
		"  UNION ALL",
		fmt.Sprintf("    SELECT p.base, e.parent, %s, p.distance + 1", product),
		fmt.Sprintf("    FROM paths AS p JOIN (SELECT %s, %s%s FROM %s) AS e %s ON e.child = p.element", child, parent, factor, from, names),
		")",
		fmt.Sprintf("SELECT base, element, %s AS weight, min(distance) AS distance FROM paths GROUP BY base, element", sum),
	}, "\n"), nil
}

// schemaName is the name of a table that stands for no other one.
func schemaName(table *store.Table) string {
	return pgcatalog.QuoteName(table.Schema()) + "." + pgcatalog.QuoteName(table.Name())
}
