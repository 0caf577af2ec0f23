package catalog

import (
	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Permit fails with 42501 where the session's role, or the owner of a view, may not do
// what a statement does to a relation.
func Permit(s *session.Session, list []*planner.Access) error {
	state := s.Access()
	for _, a := range list {
		role := s.User()
		if a.As != 0 {
			role = access.OID(a.As)
		}
		if a.Relation == "" || state.IsSuperuser(role) {
			continue
		}
		if name := a.Relation; name[:1] == pgcatalog.PrivateMark {
			return session.Denied("permission denied for %s %s", pgcatalog.SuperuserTables[name[1:]], name[1:])
		}
		if !permitted(s, state, role, a) {
			return deniedRelation(s, a.Relation)
		}
	}
	return nil
}

// Populated fails with 55000 where a statement reads a materialized view whose query has not run.
func Populated(s *session.Session, list []*planner.Access) error {
	state := s.State()
	for _, a := range list {
		o := state.Lookup(a.Relation)
		if store.QueryOf(o) == nil || !store.QueryOf(o).Unpopulated {
			continue
		}
		e := value.Errorf(value.CodeNotInState, "materialized view %q has not been populated", o.Name())
		e.Hint = "Use the REFRESH MATERIALIZED VIEW command."
		return e
	}
	return nil
}

// permitted reports whether a role may do what a statement does to a relation.
func permitted(s *session.Session, state *access.State, role access.OID, a *planner.Access) bool {
	o := objectOf(s, a.Relation)
	rights, _ := state.Rights(role, o)
	can := func(does bool, p access.Privileges, columns []int) bool {
		return !does || rights&p != 0 || state.CanColumns(role, o, p, columnNames(s, state, o, columns))
	}
	return (!a.Delete || rights&access.Delete != 0) && can(a.Insert, access.Insert, a.Written) &&
		can(a.Update, access.Update, a.Written) && can(a.Select, access.Select, a.Read)
}

// columnNames are the names of columns of a relation. Where no column has privileges of
// its own, any name stands for all of them.
func columnNames(s *session.Session, state *access.State, o access.Object, ordinals []int) []string {
	var all []string
	switch object := s.State().Lookup(o.Name).(type) {
	case *store.Table:
		for _, c := range object.Columns() {
			all = append(all, c.Name)
		}
	case *store.View:
		if len(state.Grants(o).Columns) > 0 {
			for _, c := range ViewColumns(s, s.State(), object) {
				all = append(all, c.Name)
			}
		}
	}
	names := make([]string, len(ordinals))
	for i, ordinal := range ordinals {
		if ordinal < len(all) {
			names[i] = all[ordinal]
		}
	}
	return names
}

// deniedRelation is the error of a relation that the session's role may not use so.
func deniedRelation(s *session.Session, key string) error {
	return session.Denied("permission denied for %s %s", kindOf(s, key), store.NameOf(key))
}

// objectOf is a table, view or sequence as package access knows it.
func objectOf(s *session.Session, key string) access.Object {
	return store.AccessTo(kindOf(s, key), key)
}

// kindOf is the kind of a relation; a table where there is none.
func kindOf(s *session.Session, key string) store.Kind {
	if o := s.State().Lookup(key); o != nil {
		return store.KindOf(o)
	}
	return store.KindTable
}

// MayChange fails where the session's role may not change rows of a table at all: before
// the table is locked, and so kept from those who may.
func MayChange(s *session.Session, key string, p access.Privileges) error {
	o := s.State().Lookup(key)
	if o == nil || store.IsTemporary(key) || s.Superuser() || s.Access().CanAnyColumn(s.User(), session.RelationObject(key), p) {
		return nil
	}
	return deniedRelation(s, key)
}

// MayReference fails where the session's role may not have FOREIGN KEY constraints refer to columns of
// a table.
func MayReference(s *session.Session, t *store.Table, columns []int) error {
	key := store.KeyOf(t)
	o := session.RelationObject(key)
	if store.IsTemporary(key) || s.Access().CanColumns(s.User(), o, access.References, columnNames(s, s.Access(), o, columns)) {
		return nil
	}
	return deniedRelation(s, key)
}

// MayRead fails where the session's role may not read a table or view.
func MayRead(s *session.Session, key string) error {
	if store.IsTemporary(key) || s.Superuser() || s.Access().Can(s.User(), session.RelationObject(key), access.Select) {
		return nil
	}
	return deniedRelation(s, key)
}

// MayCreate fails where the session's role may not create tables and views, or not replace
// the one that there is of a name.
func MayCreate(s *session.Session, key string, replace bool) error {
	if s.Superuser() {
		return nil
	}
	state, temporary := s.Access(), store.IsTemporary(key)
	switch {
	case temporary && !state.Can(s.User(), access.TheDatabase, access.Temporary):
		return session.Denied("permission denied to create temporary tables in database %q", s.Identity.Database)
	case temporary:
		return nil
	}
	if err := MayCreateIn(s, store.SchemaOf(key)); err != nil {
		return err
	}
	if o := s.State().Lookup(key); o != nil && replace {
		return MustOwn(s, key)
	}
	return nil
}

// MayCreateIn fails where the session's role may not create anything in a schema.
func MayCreateIn(s *session.Session, schema string) error {
	if schema == store.TemporarySchema || s.Access().Can(s.User(), access.SchemaObject(schema), access.Create) {
		return nil
	}
	return session.Denied("permission denied for schema %s", schema)
}

// MayUseTypes fails where the session's role has no USAGE of the type of a column, as a state has it.
func MayUseTypes(s *session.Session, state *store.State, columns []store.Column) error {
	for i := range columns {
		t := state.UserTypeOfColumn(&columns[i])
		if t != nil && !s.Access().Can(s.User(), store.AccessTo(store.KindType, store.UserTypeKey(t)), access.Usage) {
			return session.Denied("permission denied for type %s", t.ID().Name)
		}
	}
	return nil
}

// MustOwn fails where the session's role does not have the rights of the owner
// of a table or view.
func MustOwn(s *session.Session, key string) error {
	if store.IsTemporary(key) || s.Access().Owns(s.User(), objectOf(s, key)) {
		return nil
	}
	name := store.NameOf(key)
	if f, ok := s.State().Lookup(key).(*store.Function); ok {
		name = f.Name()
	}
	return session.Denied("must be owner of %s %s", kindOf(s, key), name)
}

// MayDrop fails where the session's role may not drop a table or view: it is neither its
// owner nor that of the schema.
func MayDrop(s *session.Session, kind store.Kind, key string) error {
	o := s.State().Lookup(key)
	if o == nil || !store.IsKind(o, kind) || s.Access().Owns(s.User(), access.SchemaObject(store.SchemaOf(key))) {
		return nil
	}
	return MustOwn(s, key)
}

// MayAlter fails where the session's role may not run the actions of an ALTER TABLE.
func MayAlter(s *session.Session, key string, actions []sql.AlterAction) error {
	if err := MustOwn(s, key); err != nil || store.IsTemporary(key) {
		return err
	}
	switch action := actions[0].(type) {
	case *sql.RenameTable:
		return MayCreateIn(s, store.SchemaOf(key))
	case *sql.SetSchema:
		return MayCreateIn(s, action.To.Name)
	}
	return nil
}

// MayConnect fails where a role may not connect to the database.
func MayConnect(state *access.State, role *access.Role, database string) error {
	if state.Can(role.OID, access.TheDatabase, access.Connect) {
		return nil
	}
	return &value.Error{Code: value.CodeInsufficientPrivilege, Pos: value.NoPos, Message: `permission denied for database "` + database + `"`,
		Detail: "User does not have CONNECT privilege."}
}

// MayCall is what fails with 42501 for a function that the session's role may not call;
// nil where nothing was granted or revoked of any.
func MayCall(s *session.Session) func(name string) error {
	state := s.Access()
	if !state.Changed(access.Function) {
		return nil
	}
	return func(name string) error {
		if state.Can(s.User(), access.Object{Kind: access.Function, Name: name}, access.Execute) {
			return nil
		}
		return session.Denied("permission denied for function %s", name)
	}
}
