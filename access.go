package cubeloom

import (
	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value"
)

// permit fails with 42501 where the session's role, or the owner of a view, may not do
// what a statement does to a relation.
func (s *Session) permit(list []*planner.Access) error {
	state := s.access()
	for _, a := range list {
		role := s.user()
		if a.As != 0 {
			role = access.OID(a.As)
		}
		if a.Relation == "" || state.IsSuperuser(role) {
			continue
		}
		if name := a.Relation; name[:1] == pgcatalog.PrivateMark {
			return denied("permission denied for %s %s", pgcatalog.SuperuserTables[name[1:]], name[1:])
		}
		if !s.permitted(state, role, a) {
			return s.deniedRelation(a.Relation)
		}
	}
	return nil
}

// permitted reports whether a role may do what a statement does to a relation.
func (s *Session) permitted(state *access.State, role access.OID, a *planner.Access) bool {
	o := relationObject(a.Relation)
	rights, _ := state.Rights(role, o)
	can := func(does bool, p access.Privileges, columns []int) bool {
		return !does || rights&p != 0 || state.CanColumns(role, o, p, s.columnNames(state, o, columns))
	}
	return (!a.Delete || rights&access.Delete != 0) && can(a.Insert, access.Insert, a.Written) &&
		can(a.Update, access.Update, a.Written) && can(a.Select, access.Select, a.Read)
}

// columnNames are the names of columns of a relation. Where no column has privileges of
// its own, any name stands for all of them.
func (s *Session) columnNames(state *access.State, o access.Object, ordinals []int) []string {
	var all []string
	switch object := s.state().Lookup(o.Name).(type) {
	case *store.Table:
		for _, c := range object.Columns() {
			all = append(all, c.Name)
		}
	case *store.View:
		if len(state.Grants(o).Columns) > 0 {
			for _, c := range s.viewColumns(s.state(), object) {
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
func (s *Session) deniedRelation(key string) error {
	return denied("permission denied for %s %s", s.kindOf(key), store.NameOf(key))
}

// kindOf is the kind of a relation; a table where there is none.
func (s *Session) kindOf(key string) store.Kind {
	if o := s.state().Lookup(key); o != nil {
		return store.KindOf(o)
	}
	return store.KindTable
}

// mayChange fails where the session's role may not change rows of a table at all: before
// the table is locked, and so kept from those who may.
func (s *Session) mayChange(key string, p access.Privileges) error {
	o := s.state().Lookup(key)
	if o == nil || store.IsTemporary(key) || s.superuser() || s.access().CanAnyColumn(s.user(), relationObject(key), p) {
		return nil
	}
	return s.deniedRelation(key)
}

// mayCreate fails where the session's role may not create tables and views, or not replace
// the one that there is of a name.
func (s *Session) mayCreate(key string, replace bool) error {
	if s.superuser() {
		return nil
	}
	state, temporary := s.access(), store.IsTemporary(key)
	switch {
	case temporary && !state.Can(s.user(), access.TheDatabase, access.Temporary):
		return denied("permission denied to create temporary tables in database %q", s.identity.Database)
	case temporary:
		return nil
	case !state.Can(s.user(), access.PublicSchema, access.Create):
		return denied("permission denied for schema %s", access.PublicSchema.Name)
	}
	if o := s.state().Lookup(key); o != nil && replace {
		return s.mustOwnRelation(key)
	}
	return nil
}

// mustOwnRelation fails where the session's role does not have the rights of the owner
// of a table or view.
func (s *Session) mustOwnRelation(key string) error {
	if store.IsTemporary(key) || s.access().Owns(s.user(), relationObject(key)) {
		return nil
	}
	return denied("must be owner of %s %s", s.kindOf(key), store.NameOf(key))
}

// mayDrop fails where the session's role may not drop a table or view: it is neither its
// owner nor that of the schema.
func (s *Session) mayDrop(kind store.Kind, key string) error {
	o := s.state().Lookup(key)
	if o == nil || store.KindOf(o) != kind || s.access().Owns(s.user(), access.PublicSchema) {
		return nil
	}
	return s.mustOwnRelation(key)
}

// mayAlter fails where the session's role may not run the actions of an ALTER TABLE.
func (s *Session) mayAlter(key string, actions []sql.AlterAction) error {
	if err := s.mustOwnRelation(key); err != nil || store.IsTemporary(key) {
		return err
	}
	if _, ok := actions[0].(*sql.RenameTable); ok && !s.access().Can(s.user(), access.PublicSchema, access.Create) {
		return denied("permission denied for schema %s", access.PublicSchema.Name)
	}
	return nil
}

// mayConnect fails where a role may not connect to the database.
func mayConnect(state *access.State, role *access.Role, database string) error {
	if state.Can(role.OID, access.TheDatabase, access.Connect) {
		return nil
	}
	return &value.Error{Code: value.CodeInsufficientPrivilege, Pos: value.NoPos, Message: `permission denied for database "` + database + `"`,
		Detail: "User does not have CONNECT privilege."}
}

// mayCall is what fails with 42501 for a function that the session's role may not call;
// nil where nothing was granted or revoked of any.
func (s *Session) mayCall() func(name string) error {
	state := s.access()
	if !state.Changed(access.Function) {
		return nil
	}
	return func(name string) error {
		if state.Can(s.user(), access.Object{Kind: access.Function, Name: name}, access.Execute) {
			return nil
		}
		return denied("permission denied for function %s", name)
	}
}

// permitExplained fails where the session's role may not run the INSERT that is explained.
func (s *Session) permitExplained(stmt sql.Statement) error {
	insert, ok := stmt.(*sql.Insert)
	if !ok || s.superuser() {
		return nil
	}
	plan, err := planner.BuildInsert(insert, s.catalog(), s.planOptions())
	if err != nil {
		return err
	}
	return s.permit(plan.Source.Access)
}
