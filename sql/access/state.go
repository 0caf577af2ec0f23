// Package access holds who may do what: roles, what they are members of, the owners
// of objects and what is granted on them. It is the algebra of it, without
// statements and storage; rules and messages are PostgreSQL 15's.
package access

import (
	"maps"
	"slices"
)

// Object names what has an owner and privileges.
type Object struct {
	Kind Kind
	Name string // of the only database it is ""
}

// SchemaObject is the schema of a name.
func SchemaObject(name string) Object { return Object{Schema, name} }

// PublicSchema is the schema that a new database has, and TheDatabase the one that there is.
var (
	PublicSchema = SchemaObject("public")
	TheDatabase  = Object{Kind: Database}
)

// Grants are the owner of an object, what is granted on it, and what COMMENT says of
// it. It never changes.
type Grants struct {
	Owner          OID
	ACL            ACL
	Columns        map[string]ACL    `json:",omitempty"` // what is granted on single columns
	Comment        string            `json:",omitempty"`
	ColumnComments map[string]string `json:",omitempty"`
}

// State is who may do what at one moment. It never changes.
type State struct {
	*Roles
	grants map[Object]*Grants // of the objects that differ from what is built in
}

// NewState is the state of a new database.
func NewState() *State { return &State{Roles: NewRoles(), grants: map[Object]*Grants{}} }

// Changes are what differs from a state. Roles is nil where they are the same, and a
// nil Grants is that of an object that is gone.
type Changes struct {
	Roles  *Roles
	Grants map[Object]*Grants
}

// Empty reports whether nothing differs.
func (c *Changes) Empty() bool { return c.Roles == nil && len(c.Grants) == 0 }

// Clone is a copy that can be changed.
func (c *Changes) Clone() Changes { return Changes{c.Roles, maps.Clone(c.Grants)} }

// With is the state with changes.
func (s *State) With(c *Changes) *State {
	if c.Empty() {
		return s
	}
	next := *s
	if c.Roles != nil {
		next.Roles = c.Roles
	}
	if len(c.Grants) > 0 {
		next.grants = maps.Clone(s.grants)
		for o, g := range c.Grants {
			if g == nil {
				delete(next.grants, o)
			} else {
				next.grants[o] = g
			}
		}
	}
	return &next
}

// Grants are the owner and privileges of an object. What nobody was said to own is
// the bootstrap superuser's, and has the default privileges.
func (s *State) Grants(o Object) *Grants {
	if g := s.grants[o]; g != nil {
		return g
	}
	return builtIn(o)
}

// publicGrants are those of the public schema of a new database.
var publicGrants = &Grants{Owner: DatabaseOwner, ACL: ACL{
	{Grantee: DatabaseOwner, Grantor: DatabaseOwner, Rights: Usage | Create},
	{Grantee: Public, Grantor: DatabaseOwner, Rights: Usage},
}, Comment: "standard public schema"}

// bootstrapGrants are those of an object that nobody was said to own.
var bootstrapGrants = &Grants{Owner: Bootstrap}

func builtIn(o Object) *Grants {
	if o == PublicSchema {
		return publicGrants
	}
	return bootstrapGrants
}

// Plain reports whether nobody was said to own an object.
func (s *State) Plain(o Object) bool { return s.grants[o] == nil }

// Changed reports whether anything was said of any object of a kind.
func (s *State) Changed(k Kind) bool {
	for o := range s.grants {
		if o.Kind == k {
			return true
		}
	}
	return false
}

// Missing finds a role that owns an object or is named by what is granted on it, and
// that is not there.
func (s *State) Missing(o Object) (OID, bool) {
	g := s.Grants(o)
	if s.byOID[g.Owner] == nil {
		return g.Owner, true
	}
	for _, item := range g.items() {
		for _, oid := range []OID{item.Grantee, item.Grantor} {
			if oid != Public && s.byOID[oid] == nil {
				return oid, true
			}
		}
	}
	return 0, false
}

// items is all that is granted on an object and its columns.
func (g *Grants) items() []Item {
	items := slices.Clone(g.ACL)
	for _, acl := range g.Columns {
		items = append(items, acl...)
	}
	return items
}

// Created are the owner and privileges of an object that a role creates in a schema;
// nil where they are those of an object that nobody was said to own.
func (s *State) Created(k Kind, schema string, owner OID) *Grants {
	usual := DefaultACL(k, owner)
	acl := usual
	if d, ok := s.Default(owner, "", k); ok {
		acl = d
	}
	if d, ok := s.Default(owner, schema, k); ok {
		acl = acl.Merge(d)
	}
	if acl.Same(usual) {
		acl = nil
	}
	if acl == nil && owner == Bootstrap {
		return nil
	}
	return &Grants{Owner: owner, ACL: acl}
}

// Effective is the list by which an object is checked: its own, or the default.
func (g *Grants) Effective(k Kind) ACL {
	if g.ACL == nil {
		return DefaultACL(k, g.Owner)
	}
	return g.ACL
}

// Objects are the objects whose owner or privileges are not those built in, by kind
// and name.
func (s *State) Objects() []Object {
	return slices.SortedFunc(maps.Keys(s.grants), func(a, b Object) int {
		if a.Kind != b.Kind {
			return compareText(string(a.Kind), string(b.Kind))
		}
		return compareText(a.Name, b.Name)
	})
}

func compareText(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// Saved is a state as it is kept.
type Saved struct {
	Roles    []*Role
	Members  []Membership
	Defaults []Default    `json:",omitempty"`
	Grants   []SavedGrant `json:",omitempty"`
	Last     OID
	Settings []Setting `json:",omitempty"` // of the sessions of all roles
}

// SavedGrant is an object with its grants.
type SavedGrant struct {
	Object
	Grants
}

// Save returns the state to keep; nil for the state of a new database.
func (s *State) Save() *Saved {
	if s.last < firstOID && len(s.grants) == 0 && s.pristine() {
		return nil
	}
	saved := &Saved{Roles: s.All(), Members: s.members, Defaults: s.defaults, Last: s.last, Settings: s.Everyone().Settings}
	for _, o := range s.Objects() {
		saved.Grants = append(saved.Grants, SavedGrant{o, *s.grants[o]})
	}
	return saved
}

// pristine reports whether the roles are those of a new database.
func (s *State) pristine() bool {
	next := NewRoles()
	for oid, role := range s.byOID {
		if old := next.byOID[oid]; old == nil || !sameRole(old, role) {
			return false
		}
	}
	return len(s.defaults) == 0 && len(s.Everyone().Settings) == 0 && slices.Equal(s.members, next.members)
}

// sameRole reports whether a role is as it was made.
func sameRole(old, now *Role) bool {
	a, b := *old, *now
	settings := len(a.Settings) + len(b.Settings)
	a.Settings, b.Settings = nil, nil
	until := a.ValidUntil == nil && b.ValidUntil == nil
	a.ValidUntil, b.ValidUntil = nil, nil
	return settings == 0 && until && a.Name == b.Name && a.Verifier == b.Verifier && a.ConnectionLimit == b.ConnectionLimit &&
		a.flags() == b.flags()
}

func (r *Role) flags() [7]bool {
	return [7]bool{r.Superuser, r.Inherit, r.CreateRole, r.CreateDB, r.Login, r.Replication, r.BypassRLS}
}

// Restore makes the state that was kept; nil is that of a new database.
func Restore(saved *Saved) *State {
	s := NewState()
	if saved == nil {
		return s
	}
	s.Roles = &Roles{byOID: map[OID]*Role{}, byName: map[string]*Role{}, members: saved.Members, defaults: saved.Defaults, last: saved.Last, everyone: &Role{Settings: saved.Settings}}
	for _, role := range saved.Roles {
		s.put(role)
	}
	for i := range saved.Grants {
		s.grants[saved.Grants[i].Object] = &saved.Grants[i].Grants
	}
	return s
}
