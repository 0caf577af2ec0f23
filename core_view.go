package cubeloom

import (
	"maps"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// sysView is a state of the tables as the relations of the system show it.
func (s *Session) sysView(state *store.State) *sysView {
	return &sysView{
		session: s, database: s.identity.Database, temporarySchema: s.temporarySchema(),
		access: s.access(), user: s.user(), sessionUser: s.settings.session, pid: s.identity.PID, now: s.now(), meter: s.meter,
		searchPath: s.settings.client["search_path"], describing: s.describing, activity: s.identity.Activity,
		list: func() []sysObject { return s.sysObjects(state) },
	}
}

// sysObjects are the tables and views of a state.
func (s *Session) sysObjects(state *store.State) []sysObject {
	objects := make([]sysObject, 0, len(state.Objects()))
	for _, o := range state.Objects() {
		key := store.KeyOf(o)
		obj := sysObject{name: o.Name(), schema: s.schemaOf(key), storeKey: key}
		switch o := o.(type) {
		case *store.Table:
			obj.kind, obj.table, obj.keys = "r", o, sysKeys(o)
			for _, c := range o.Columns() {
				obj.columns = append(obj.columns, planner.CatalogColumn{Name: c.Name, Type: c.Type, NotNull: c.NotNull, Default: c.Default})
			}
		case *store.View:
			obj.kind, obj.definition, obj.depends, obj.columns = "v", o.Text, o.Depends, s.viewColumns(state, o)
		}
		objects = append(objects, obj)
	}
	return objects
}

// sysKeys are the keys of a table.
func sysKeys(t *store.Table) []sysKey {
	var keys []sysKey
	names := keyNames(t)
	for i, key := range t.Keys() {
		keys = append(keys, sysKey{name: names[i], columns: key.Columns, primary: key.Primary})
	}
	return keys
}

// viewColumns are the columns of a view; none where its query has become wrong.
func (s *Session) viewColumns(state *store.State, view *store.View) []planner.CatalogColumn {
	stmt, err := parseView(view.Text)
	if err != nil {
		return nil
	}
	plan, err := planner.Build(stmt, &catalog{state: state, files: s.openFile, session: s, view: view}, planner.Options{SQLFunctions: s.sqlFunction})
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

// systemRelation is a relation of the system with its rows at this moment.
func (s *Session) systemRelation(t *sysTable, state *store.State) (rel *planner.Relation, err error) {
	rel, cells, err := t.relation(s.sysView(state))
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
	return s.sysView(s.state()).sqlFunction(name, args)
}

// objectNames are the names of what the columns of a result identify as it is now; nil
// where no column does.
func (s *Session) objectNames(columns int, typeOf func(i int) algebra.Type) objectNames {
	for i := range columns {
		if typeOf(i).Alias.IsName() {
			return s.sysView(s.state()).objectNames(columns, typeOf)
		}
	}
	return nil
}

// shownSettings implements sysSession.
func (s *Session) shownSettings() []sysSetting {
	var list []sysSetting
	for i := range settingTable {
		set := &settingTable[i]
		startup := set.show(&s.startup)
		list = append(list, sysSetting{name: set.name, value: set.show(&s.settings), boot: startup, reset: startup, help: set.help})
	}
	for i := range clientSettings {
		c := &clientSettings[i]
		list = append(list, sysSetting{name: c.name, value: s.settings.client[c.name], boot: c.value, reset: s.startup.client[c.name], help: c.setting().help})
	}
	return list
}

// showSetting implements sysSession.
func (s *Session) showSetting(name string) (string, error) {
	setting, err := findSetting(name)
	if err != nil {
		return "", err
	}
	return setting.show(&s.settings), nil
}

// configure implements sysSession: it acts as set_config(name, value, local).
func (s *Session) configure(args []value.Value) (value.Value, error) {
	name, text, local := args[0], args[1], args[2]
	if name.Kind == value.Null {
		return value.Value{}, value.Errorf("22004", "SET requires parameter name")
	}
	set := &sql.Set{Name: name.S, Value: text.S, Default: text.Kind == value.Null, Local: local.B}
	trial := s.settings
	if err := s.assignSetting(set, &trial); err != nil {
		return value.Value{}, err
	}
	if _, err := s.set(set); err != nil {
		return value.Value{}, err
	}
	setting, err := findSetting(name.S)
	if err != nil {
		return value.Value{}, err
	}
	// Also a local one outside of a transaction is shown, which lasts no longer than this.
	return value.Value{Kind: value.Text, S: setting.show(&trial)}, nil
}

// retained implements sysSession.
func (s *Session) retained() (prepared []sysPrepared, cursors []sysCursor) {
	for _, name := range slices.Sorted(maps.Keys(s.prepared)) {
		if name == "" {
			continue
		}
		p := s.prepared[name]
		shown := sysPrepared{name: name, text: p.Text, fromSQL: p.FromSQL, made: p.Time}
		for _, t := range p.Description.Params {
			shown.params = append(shown.params, t.Type)
		}
		prepared = append(prepared, shown)
	}
	for _, name := range slices.Sorted(maps.Keys(s.cursors)) {
		c := s.cursors[name]
		cursors = append(cursors, sysCursor{name: name, text: c.text, hold: c.hold, forward: c.forward, made: c.made})
	}
	return prepared, cursors
}

// parseView parses the query of a view.
func parseView(text string) (*sql.Query, error) {
	stmt, err := sql.Parse(text)
	if err != nil {
		return nil, err
	}
	q, ok := stmt.(*sql.Query)
	if !ok {
		return nil, value.Errorf(value.CodeInternal, "a view's text is not a query")
	}
	return q, nil
}
