package access

import (
	"encoding/json"
	"strings"
	"testing"
)

// people is a state with the roles 16384 owner, 16385 a, 16386 b and 16387 c.
func people(t *testing.T) (*State, map[string]OID) {
	t.Helper()
	s := NewState()
	oids := map[string]OID{"public": Public}
	for _, name := range []string{"owner", "a", "b", "c"} {
		role := &Role{Name: name, Inherit: true}
		s.Roles = s.Roles.With(role)
		oids[name] = role.OID
	}
	return s, oids
}

func text(s *State, acl ACL) string { return strings.Join(acl.Text(s.NameOf), " ") }

func TestGrantAndRevoke(t *testing.T) {
	s, who := people(t)
	acl := DefaultACL(Relation, who["owner"])
	steps := []struct {
		revoke, cascade  bool
		grantee, grantor string
		rights, options  Privileges
		want             string // of the list, or of the error
	}{
		{grantee: "a", grantor: "owner", rights: Select | Insert, options: Select, want: "owner=arwdDxt/owner a=ar*/owner"},
		{grantee: "b", grantor: "a", rights: Select, options: Select, want: "owner=arwdDxt/owner a=ar*/owner b=r*/a"},
		{grantee: "c", grantor: "b", rights: Select, want: "owner=arwdDxt/owner a=ar*/owner b=r*/a c=r/b"},
		{grantee: "a", grantor: "b", rights: Select, options: Select, want: "grant options cannot be granted back to your own grantor"},
		{grantee: "public", grantor: "owner", rights: Select, options: Select, want: "grant options can only be granted to roles"},
		{revoke: true, grantee: "a", grantor: "owner", rights: Select, options: Select, want: "dependent privileges exist"},
		{grantee: "public", grantor: "owner", rights: Select, want: "owner=arwdDxt/owner a=ar*/owner b=r*/a c=r/b =r/owner"},
		{revoke: true, cascade: true, grantee: "a", grantor: "owner", options: Select, want: "owner=arwdDxt/owner a=ar/owner =r/owner"},
		{revoke: true, grantee: "owner", grantor: "owner", rights: Delete, options: Delete, want: "owner=arwDxt/owner a=ar/owner =r/owner"},
		{revoke: true, grantee: "c", grantor: "owner", rights: Select, want: "owner=arwDxt/owner a=ar/owner =r/owner"},
	}
	for i, step := range steps {
		item := Item{who[step.grantee], who[step.grantor], step.rights, step.options}
		var next ACL
		var err error
		if step.revoke {
			next, err = s.Revoke(acl, who["owner"], item, step.cascade)
		} else {
			next, err = s.Grant(acl, who["owner"], item)
		}
		if err != nil {
			if !strings.Contains(err.Error(), step.want) {
				t.Errorf("step %d: %v, want %s", i, err, step.want)
			}
			continue
		}
		if acl = next; text(s, acl) != step.want {
			t.Errorf("step %d: %s, want %s", i, text(s, acl), step.want)
		}
	}
}

func TestNewOwnerTakesOverGrants(t *testing.T) {
	s, who := people(t)
	acl := ACL{{who["owner"], who["owner"], Select | Insert, 0}, {who["a"], who["owner"], Select, Select}, {who["b"], who["a"], Select, 0}}
	if got, want := text(s, acl.NewOwner(who["owner"], who["a"])), "a=ar*/a b=r/a"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestRightsThroughMembership(t *testing.T) {
	s, who := people(t)
	o := Object{Relation, "t"}
	grants := &Grants{Owner: who["owner"], ACL: append(DefaultACL(Relation, who["owner"]), Item{Grantee: who["a"], Grantor: who["owner"], Rights: Select}),
		Columns: map[string]ACL{"x": {{Grantee: who["b"], Grantor: who["owner"], Rights: Update}}}}
	s = s.With(&Changes{Grants: map[Object]*Grants{o: grants}})
	can := func(role string, p Privileges, columns ...string) bool { return s.CanColumns(who[role], o, p, columns) }
	if !can("owner", Delete) || !can("a", Select, "x", "y") || can("b", Select, "x") || !can("b", Update, "x") || can("b", Update, "x", "y") || !can("b", Update) {
		t.Error("what is granted itself is not what can be done")
	}
	s.Roles = s.Roles.WithMember(Membership{Role: who["a"], Member: who["b"], Grantor: Bootstrap})
	s.Roles = s.Roles.WithMember(Membership{Role: who["b"], Member: who["c"], Grantor: Bootstrap, Admin: true})
	if !can("b", Select) || !can("c", Select) || !can("c", Update, "x") {
		t.Error("members do not have the privileges of their groups")
	}
	if s.IsMember(who["a"], who["c"]) || !s.IsMember(who["c"], who["a"]) || !s.IsAdmin(who["c"], who["b"]) || s.IsAdmin(who["c"], who["a"]) || s.IsAdmin(who["b"], who["b"]) {
		t.Error("membership is not as it was granted")
	}
	apart := *s.Role(who["b"])
	apart.Inherit = false
	s.Roles = s.Roles.With(&apart)
	if can("b", Select) || !can("b", Update, "x") || can("c", Select) || !s.IsMember(who["c"], who["a"]) || s.Has(who["c"], who["a"]) {
		t.Error("NOINHERIT does not keep the privileges of a group away")
	}
	s.Roles = s.Roles.WithMember(Membership{Role: WriteAllData, Member: who["a"], Grantor: Bootstrap})
	if !can("a", Insert) || can("a", Truncate) || s.Can(who["a"], PublicSchema, Create) || !s.Can(who["a"], PublicSchema, Usage) {
		t.Error("pg_write_all_data is not what it should be")
	}
}

func TestDatabaseOwnerCreatesInPublic(t *testing.T) {
	s, who := people(t)
	if s.Can(who["a"], PublicSchema, Create) || !s.Can(who["a"], TheDatabase, Connect|Temporary) {
		t.Error("everyone's privileges are not PostgreSQL's")
	}
	s = s.With(&Changes{Grants: map[Object]*Grants{TheDatabase: {Owner: who["a"]}}})
	if !s.Can(who["a"], PublicSchema, Create) || s.Can(who["b"], PublicSchema, Create) {
		t.Error("the owner of the database is not a member of pg_database_owner")
	}
}

func TestDefaultPrivileges(t *testing.T) {
	s, who := people(t)
	if g := s.Created(Relation, "public", Bootstrap); g != nil {
		t.Errorf("what the bootstrap superuser creates has grants: %v", g)
	}
	s.Roles = s.Roles.WithDefault(Default{Role: who["a"], Schema: "public", Kind: Relation,
		ACL: ACL{{Grantee: who["b"], Grantor: who["a"], Rights: Select}}})
	if got, want := text(s, s.Created(Relation, "public", who["a"]).ACL), "a=arwdDxt/a b=r/a"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if g := s.Created(Relation, "public", who["b"]); g.ACL != nil || g.Owner != who["b"] {
		t.Errorf("another role's tables: %v", g)
	}
}

func TestSaveAndRestore(t *testing.T) {
	if NewState().Save() != nil {
		t.Error("the state of a new database is saved")
	}
	s, who := people(t)
	until := int64(Forever)
	role := *s.Role(who["b"])
	role.Settings, role.ValidUntil = []Setting{{Name: "threads", Value: "2", Limit: true}}, &until
	s.Roles = s.Roles.With(&role).WithMember(Membership{Role: who["a"], Member: who["b"], Grantor: who["c"], Admin: true})
	s = s.With(&Changes{Grants: map[Object]*Grants{
		{Relation, "nobody's"}: {Owner: who["a"], ACL: ACL{}},
		{Relation, "t"}:        {Owner: who["a"], Columns: map[string]ACL{"x": {{Grantee: Public, Grantor: who["a"], Rights: Select}}}},
	}})
	first, err := json.Marshal(s.Save())
	if err != nil {
		t.Fatal(err)
	}
	saved := new(Saved)
	if err := json.Unmarshal(first, saved); err != nil {
		t.Fatal(err)
	}
	back := Restore(saved)
	second, err := json.Marshal(back.Save())
	if err != nil || string(first) != string(second) {
		t.Errorf("%v:\n%s\n%s", err, first, second)
	}
	if g := back.Grants(Object{Relation, "nobody's"}); g.ACL == nil || back.Can(who["a"], Object{Relation, "nobody's"}, Select) {
		t.Error("an empty list became the default")
	}
	if back.Named("owner").OID != who["owner"] || !back.Role(who["b"]).Inherit {
		t.Error("roles were lost")
	}
	next := &Role{Name: "next"}
	if back.Roles.With(next); next.OID != who["c"]+1 {
		t.Errorf("a new role got number %d", next.OID)
	}
}
