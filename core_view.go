package cubeloom

import (
	"maps"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// catalog is what a statement of the session sees.
func (s *Session) catalog() *catalog { return s.catalogOf(s.state()) }

// catalogOf is what a statement of the session sees of a state.
func (s *Session) catalogOf(state *store.State) *catalog {
	return &catalog{
		state: state, files: s.openFile, access: s.access(), user: s.user(), temporary: s.temporarySchema(),
		system: func(t *pgcatalog.Table, state *store.State) (*planner.Relation, error) {
			return systemRelation(t, s.sysView(state))
		},
	}
}

// sysView is a state of the tables as the relations of the system show it.
func (s *Session) sysView(state *store.State) *pgcatalog.View {
	return &pgcatalog.View{
		Of: s, Database: s.identity.Database, TemporarySchema: s.temporarySchema(),
		Access: s.access(), User: s.user(), SessionUser: s.settings.SessionRole, Pid: s.identity.PID, Now: s.now(), Meter: s.meter,
		SearchPath: s.settings.Client["search_path"], Describing: s.describing, Activity: s.identity.Activity,
		List: func() []pgcatalog.Object {
			return s.sysObjects(state, func(v *store.View) []planner.CatalogColumn { return s.viewColumns(state, v) })
		},
	}
}

// keyless is what a query sees of a state that checks keys: tables without keys.
func (s *Session) keyless(state *store.State) *catalog {
	return &catalog{state: state, files: s.openFile, ignoreKeys: true}
}

// outlined is a session as the text of a view sees it that is planned for a relation of
// the system, such as pg_attribute, which lists its columns. A view may read such
// relations itself, so that they have no rows there, views no columns, and the text of a
// view is as it was given: what they show of views would plan the view again.
type outlined struct{ *Session }

// ViewText implements pgcatalog.Session.
func (outlined) ViewText(of *pgcatalog.Object) string { return of.Definition }

// outline is sysView without what needs a plan of a view.
func (s *Session) outline(state *store.State) *pgcatalog.View {
	v := s.sysView(state)
	v.Of, v.Outline = outlined{s}, true
	v.List = func() []pgcatalog.Object {
		return s.sysObjects(state, func(*store.View) []planner.CatalogColumn { return nil })
	}
	return v
}

// planOutline plans the text of a view for what depends on its columns and names alone.
func (s *Session) planOutline(state *store.State, view *store.View, named func(sql.Name)) (*planner.Plan, error) {
	stmt, err := parseView(view)
	if err != nil {
		return nil, err
	}
	functions := func(name string, args []algebra.Expr) (string, error) {
		return s.outline(state).SQLFunction(name, args)
	}
	cat := s.catalogOf(state)
	cat.view, cat.system = view, func(t *pgcatalog.Table, state *store.State) (*planner.Relation, error) {
		return systemRelation(t, s.outline(state))
	}
	return planner.Build(stmt, cat, planner.Options{SQLFunctions: functions, Named: named, Meter: s.meter})
}

// sysObjects are the tables and views of a state, the latter with columns that a function
// finds.
func (s *Session) sysObjects(state *store.State, columnsOf func(*store.View) []planner.CatalogColumn) []pgcatalog.Object {
	objects := make([]pgcatalog.Object, 0, len(state.Objects()))
	for _, o := range state.Objects() {
		key := store.KeyOf(o)
		obj := pgcatalog.Object{Name: o.Name(), Schema: s.schemaOf(key), StoreKey: key}
		switch o := o.(type) {
		case *store.Table:
			obj.Kind, obj.Table, obj.Keys = "r", o, sysKeys(o)
			for _, c := range o.Columns() {
				obj.Columns = append(obj.Columns, planner.CatalogColumn{Name: c.Name, Type: c.Type, NotNull: c.NotNull, Default: c.Default})
			}
		case *store.View:
			obj.Kind, obj.Definition, obj.Depends, obj.Columns = "v", o.Text, o.Depends, columnsOf(o)
		}
		objects = append(objects, obj)
	}
	return objects
}

// sysKeys are the keys of a table.
func sysKeys(t *store.Table) []pgcatalog.Key {
	var keys []pgcatalog.Key
	names := keyNames(t)
	for i, key := range t.Keys() {
		keys = append(keys, pgcatalog.Key{Name: names[i], Columns: key.Columns, Primary: key.Primary})
	}
	return keys
}

// viewColumns are the columns of a view; none where its query has become wrong.
func (s *Session) viewColumns(state *store.State, view *store.View) []planner.CatalogColumn {
	plan, err := s.planOutline(state, view, nil)
	if err != nil {
		return nil
	}
	columns := make([]planner.CatalogColumn, len(plan.Columns))
	for i, c := range plan.Columns {
		columns[i] = planner.CatalogColumn{Name: c.Name, Type: storedType(c.Type)}
		if c.Type.Kind == algebra.Decimal && !plan.Declared[i] {
			columns[i].Type = algebra.TNumeric
		}
		if i < len(view.Columns) {
			columns[i].Name = view.Columns[i]
		}
	}
	return columns
}

// systemRelation is a relation of the system with its rows as a view of it shows them at
// this moment.
func systemRelation(t *pgcatalog.Table, v *pgcatalog.View) (rel *planner.Relation, err error) {
	rel, cells, err := t.Relation(v)
	if err != nil {
		return nil, err
	}
	defer value.Catch(&err)
	types := make([]kernel.Type, len(rel.Columns))
	for i, c := range rel.Columns {
		types[i] = store.PhysicalType(c.Type, false)
	}
	rel.Ref.Handle = runtime.NewColumns(types, int(rel.Ref.Rows), cells)
	return rel, nil
}

// sqlFunction is a planner.SQLFunctions: PostgreSQL's functions about the session and the
// catalog.
func (s *Session) sqlFunction(name string, args []algebra.Expr) (string, error) {
	return s.sysView(s.state()).SQLFunction(name, args)
}

// objectNames are the names of what the columns of a result identify as it is now; nil
// where no column does.
func (s *Session) objectNames(columns int, typeOf func(i int) algebra.Type) pgcatalog.ObjectNames {
	for i := range columns {
		if typeOf(i).Alias.IsName() {
			return s.sysView(s.state()).ObjectNames(columns, typeOf)
		}
	}
	return nil
}

// Retained implements pgcatalog.Session.
func (s *Session) Retained() (prepared []pgcatalog.Prepared, cursors []pgcatalog.Cursor) {
	for _, name := range slices.Sorted(maps.Keys(s.prepared)) {
		if name == "" {
			continue
		}
		p := s.prepared[name]
		shown := pgcatalog.Prepared{Name: name, Text: p.Text, FromSQL: p.FromSQL, Made: p.Time}
		for _, t := range p.Description.Params {
			shown.Params = append(shown.Params, t.Type)
		}
		prepared = append(prepared, shown)
	}
	for _, name := range slices.Sorted(maps.Keys(s.cursors)) {
		c := s.cursors[name]
		cursors = append(cursors, pgcatalog.Cursor{Name: name, Text: c.text, Hold: c.hold, Forward: c.forward, Made: c.made})
	}
	return prepared, cursors
}

// parseView parses the query of a view.
func parseView(view *store.View) (*sql.Query, error) {
	stmt, err := sql.Parse(view.Text)
	if err != nil {
		return nil, err
	}
	q, ok := stmt.(*sql.Query)
	if !ok {
		return nil, value.Errorf(value.CodeInternal, "the text of view %q is not a query", view.Name())
	}
	return q, nil
}

// ViewText implements pgcatalog.Session: it is the query of a view as pg_get_viewdef writes it: with the names that the
// view has for its columns and, where the session does not search the schema of tables
// and views, that schema before their names. It is the query as it stands where its
// query has become wrong.
func (s *Session) ViewText(of *pgcatalog.Object) string {
	view, ok := s.state().Lookup(of.StoreKey).(*store.View)
	if !ok {
		return of.Definition
	}
	text := view.Text
	if !pgcatalog.SearchesPublic(s.settings.Client["search_path"]) {
		text = s.qualified(s.state(), view)
	}
	if len(view.Columns) == 0 {
		return text
	}
	columns := make([]string, len(view.Columns))
	for i, c := range view.Columns {
		columns[i] = pgcatalog.QuoteName(c)
	}
	return "SELECT * FROM (" + text + ") AS " + pgcatalog.QuoteName(view.Name()) + " (" + strings.Join(columns, ", ") + ")"
}

// qualified is the query of a view with the schema before the names of tables and views
// of a state.
func (s *Session) qualified(state *store.State, view *store.View) string {
	text := view.Text
	var places []int
	named := func(name sql.Name) {
		if len(name) == 1 && state.Lookup(name[0].Name) != nil {
			places = append(places, int(name[0].Pos))
		}
	}
	if _, err := s.planOutline(state, view, named); err != nil {
		return text
	}
	slices.Sort(places)
	for _, at := range slices.Backward(slices.Compact(places)) {
		text = text[:at] + store.Schema + "." + text[at:]
	}
	return text
}
