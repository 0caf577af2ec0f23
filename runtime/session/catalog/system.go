package catalog

import (
	"time"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Of is what a statement of the session sees.
func Of(s *session.Session) *Catalog { return OfState(s, s.State()) }

// OfState is what a statement of the session sees of a state.
func OfState(s *session.Session, state *store.State) *Catalog {
	return &Catalog{
		state: state, files: fileOpener(s.OpenFile).once(), access: s.Access(), user: s.User(), local: s.LocalName, path: s.SearchPath(),
		system: func(t *pgcatalog.Table, state *store.State) (*planner.Relation, error) {
			return systemRelation(t, SysView(s, state))
		},
		deriving: &deriving{ctx: s.Context(), account: s.DB.Memory, meter: s.Meter},
	}
}

// started is when the program began.
var started = time.Now()

// SysView is a state of the tables as the relations of the system show it.
func SysView(s *session.Session, state *store.State) *pgcatalog.View {
	path := s.SearchPath()
	for i, schema := range path {
		if schema == store.TemporarySchema {
			path[i] = s.TemporarySchema()
		}
	}
	v := &pgcatalog.View{
		Of: shown{s}, Database: s.Identity.Database, TemporarySchema: s.TemporarySchema(),
		Access: s.Access(), User: s.User(), SessionUser: s.Settings.SessionRole, Pid: s.Identity.PID, Now: s.Now(), Started: started, Meter: s.Meter,
		SearchPath: path, Describing: s.Describing, Activity: s.Identity.Activity,
		UserTypes: func() []pgcatalog.UserType { return sysUserTypes(state) }, FindType: state.ResolveType,
		Functions: func() []pgcatalog.Function { return sysFunctions(state, path) },
	}
	v.List = func() []pgcatalog.Object {
		return v.Shortened(sysObjects(s, state, func(v *store.View) []planner.CatalogColumn { return ViewColumns(s, state, v) }))
	}
	return v
}

// Keyless is what a query sees of a state that checks keys: tables without keys.
func Keyless(s *session.Session, state *store.State) *Catalog {
	return &Catalog{state: state, types: s.State(), files: s.OpenFile, path: s.SearchPath(), ignoreKeys: true}
}

// shown is a session as the relations of the system show it.
type shown struct{ *session.Session }

// outlined is a session as the text of a view sees it that is planned for a relation of
// the system, such as pg_attribute, which lists its columns. A view may read such
// relations itself, so that they have no rows there, views no columns, and the text of a
// view is as it was given: what they show of views would plan the view again.
type outlined struct{ *session.Session }

// ViewText implements pgcatalog.Session.
func (outlined) ViewText(of *pgcatalog.Object) string { return of.Definition }

// outline is SysView without what needs a plan of a view.
func outline(s *session.Session, state *store.State) *pgcatalog.View {
	v := SysView(s, state)
	v.Of, v.Outline = outlined{s}, true
	v.List = func() []pgcatalog.Object {
		return sysObjects(s, state, func(*store.View) []planner.CatalogColumn { return nil })
	}
	return v
}

// planOutline plans the text of a view for what depends on its columns and names alone.
func planOutline(s *session.Session, state *store.State, view *store.View, named func(sql.Name)) (*planner.Plan, error) {
	stmt, err := ParseView(view)
	if err != nil {
		return nil, err
	}
	functions := func(name string, args []algebra.Expr) (string, error) {
		v := outline(s, state)
		v.SearchPath = view.SearchPath()
		return v.SQLFunction(name, args)
	}
	cat := OfState(s, state)
	cat.view, cat.outlined, cat.system = view, true, func(t *pgcatalog.Table, state *store.State) (*planner.Relation, error) {
		return systemRelation(t, outline(s, state))
	}
	return planner.Build(stmt, cat, planner.Options{SQLFunctions: functions, Named: named, Meter: s.Meter})
}

// sysObjects are the tables and views of a state, the latter with columns that a function
// finds.
func sysObjects(s *session.Session, state *store.State, columnsOf func(*store.View) []planner.CatalogColumn) []pgcatalog.Object {
	relations := relationsOf(state)
	objects := make([]pgcatalog.Object, 0, len(relations))
	for _, o := range relations {
		key := store.KeyOf(o)
		obj := pgcatalog.Object{Name: o.Name(), Schema: s.SchemaName(key), StoreKey: key}
		switch o := o.(type) {
		case *store.Table:
			obj.Kind, obj.Table, obj.Keys, obj.Partition = "r", o, sysKeys(s, state, o), sysPartition(state, o)
			if o.By() != nil {
				obj.Kind = "p"
			}
			if v := store.QueryOf(o); v != nil {
				obj.Kind, obj.Definition, obj.Depends, obj.Unpopulated = "m", v.Text, v.Depends, v.Unpopulated
			}
			for _, c := range o.Checks() {
				obj.Checks = append(obj.Checks, pgcatalog.Check{Name: c.Name, Text: c.Text, Columns: c.Columns, NotValid: c.NotValid, Inherited: c.Inherited, Comment: c.Comment})
			}
			obj.ForeignKeys = sysForeignKeys(state, o)
			for _, c := range o.Columns() {
				obj.Columns = append(obj.Columns, planner.CatalogColumn{Name: c.Name, Type: c.Type, Domain: state.DomainOf(c.Domain), NotNull: c.NotNull,
					Default: defaultText(&c), Sequence: c.SequenceOf(), Identity: IdentityOf(state, &c), Generated: c.Generated()})
			}
		case *store.Sequence:
			obj.Kind, obj.Sequence, obj.Columns = "S", sysSequence(o), sequenceColumns
		case *store.View:
			obj.Kind, obj.Definition, obj.Depends, obj.Columns = "v", o.Text, o.Depends, columnsOf(o)
			if o.Hierarchy != nil {
				obj.Keyed = o.Hierarchy.On
			}
		}
		objects = append(objects, obj)
	}
	return objects
}

// sysUserTypes are the types of a state that statements have made.
func sysUserTypes(state *store.State) []pgcatalog.UserType {
	return lists.Map(state.UserTypes(), func(t algebra.UserType) pgcatalog.UserType {
		return pgcatalog.UserType{Of: t, StoreKey: store.UserTypeKey(t)}
	})
}

// sysFunctions are the functions of a state, with schemas before types that a path does not find.
func sysFunctions(state *store.State, path []string) []pgcatalog.Function {
	made := func(oid uint32) string {
		if t := state.UserTypeOf(oid); t != nil {
			return session.Written(state, path, &store.UserType{Of: t})
		}
		return "???"
	}
	return lists.Map(state.AllFunctions(), func(f *store.Function) pgcatalog.Function {
		return MadeFunction(f, func(t *store.FunctionType) string { return t.Text(made) })
	})
}

// MadeFunction is a function as the catalogs show it, with types as typeText writes them.
func MadeFunction(f *store.Function, typeText func(*store.FunctionType) string) pgcatalog.Function {
	made := pgcatalog.Function{
		Schema: f.Schema(), Name: f.Name(), Result: typeText(&f.Returns), Set: f.Set, Volatility: f.Volatility,
		Parallel: f.Parallel, Strict: f.Strict, Leakproof: f.Leakproof, Cost: f.Cost, Rows: f.Rows,
		Object: store.AccessTo(store.KindFunction, f.Key()),
	}
	for _, p := range f.Params {
		made.Params = append(made.Params, pgcatalog.Parameter{Name: p.Name, Mode: p.Mode, Type: typeText(&p.Type), Default: p.Default, Input: p.IsInput()})
	}
	switch f.Form {
	case "return":
		made.Body = "RETURN " + f.Text
	case "atomic":
		made.Body = "BEGIN ATOMIC\n " + f.Text + ";\nEND"
	default:
		made.Source = f.Text
	}
	return made
}

// sysForeignKeys are the FOREIGN KEY constraints of a table.
func sysForeignKeys(state *store.State, t *store.Table) (keys []pgcatalog.ForeignKey) {
	for _, k := range t.ForeignKeys() {
		if to, ok := state.Lookup(k.Table).(*store.Table); ok {
			if i := ReferencedKey(to, k.Referenced); i >= 0 {
				keys = append(keys, pgcatalog.ForeignKey{ForeignKey: k, Key: KeyName(to, i)})
			}
		}
	}
	return keys
}

// sysKeys are the keys of a table.
func sysKeys(s *session.Session, state *store.State, t *store.Table) []pgcatalog.Key {
	var keys []pgcatalog.Key
	names := keyNames(t)
	for i, key := range t.Keys() {
		keys = append(keys, pgcatalog.Key{Name: names[i], Of: KeyAbove(state, t, &key), Columns: key.Columns, Primary: key.Primary, Index: key.Index, Parts: sysParts(s, state, t, &key), Clustered: key.Clustered,
			Comment: key.Comment, IndexComment: key.IndexComment})
	}
	return keys
}

// sysParts are the columns of the index of a key.
func sysParts(s *session.Session, state *store.State, t *store.Table, key *store.Key) []planner.CatalogColumn {
	parts := partsOf(t, key)
	words := wordsOf(t, parts)
	columns := make([]planner.CatalogColumn, len(parts))
	for i, part := range parts {
		if columns[i].Name = words[i]; part.expr == nil {
			columns[i].Type = t.Columns()[part.column].Type
		} else {
			_, columns[i].Type, _ = planner.IndexedColumns(DescribeSource(t.Name(), t), part.expr, false, OfState(s, state), planner.Options{Meter: s.Meter})
		}
	}
	return columns
}

// ViewColumns are the columns of a view; none where its query has become wrong.
func ViewColumns(s *session.Session, state *store.State, view *store.View) []planner.CatalogColumn {
	plan, err := planOutline(s, state, view, nil)
	if err != nil {
		return nil
	}
	columns := make([]planner.CatalogColumn, len(plan.Columns))
	for i, c := range plan.Columns {
		columns[i] = planner.CatalogColumn{Name: c.Name, Type: result.StoredType(c.Type)}
		if c.Type.Kind == algebra.Decimal && !plan.Declared[i] {
			columns[i].Type = algebra.TNumeric
		}
		if plan.Domains != nil {
			columns[i].Domain = plan.Domains[i]
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
	defer sqlstate.Catch(&err)
	types := lists.Map(rel.Columns, func(c scope.CatalogColumn) kernel.Type { return store.PhysicalType(c.Type, false) })
	rel.Ref.Handle = runtime.NewColumns(types, int(rel.Ref.Rows), cells)
	return rel, nil
}

// SQLFunctions are PostgreSQL's functions about the session and the catalog.
func SQLFunctions(s *session.Session) planner.SQLFunctions {
	return func(name string, args []algebra.Expr) (string, error) {
		return SysView(s, s.State()).SQLFunction(name, args)
	}
}

// ObjectNames are the names of what the columns of a result identify as it is now; nil
// where no column does.
func ObjectNames(s *session.Session, columns int, typeOf func(i int) algebra.Type) pgcatalog.ObjectNames {
	for i := range columns {
		if typeOf(i).Alias.IsName() {
			return SysView(s, s.State()).ObjectNames(columns, typeOf)
		}
	}
	return nil
}

// ParseView parses the query of a view.
func ParseView(view *store.View) (*sql.Query, error) {
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
