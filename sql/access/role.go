package access

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// predefined are the roles that nobody can change or drop.
var predefined = map[OID]string{
	Monitor: "pg_monitor", ReadAllSettings: "pg_read_all_settings", ReadAllStats: "pg_read_all_stats",
	StatScanTables: "pg_stat_scan_tables", SignalBackend: "pg_signal_backend", Checkpoint: "pg_checkpoint",
	ReadFiles: "pg_read_server_files", WriteFiles: "pg_write_server_files", ExecutePrograms: "pg_execute_server_program",
	DatabaseOwner: "pg_database_owner", ReadAllData: "pg_read_all_data", WriteAllData: "pg_write_all_data",
}

// Role is a user or group. It never changes.
type Role struct {
	OID  OID
	Name string
	// Verifier is SCRAM-SHA-256$…, by which the role's password is checked; "": the
	// role has no password.
	Verifier string `json:",omitempty"`

	Superuser   bool `json:",omitempty"`
	Inherit     bool `json:",omitempty"` // it has the privileges of the roles that it is a member of
	CreateRole  bool `json:",omitempty"`
	CreateDB    bool `json:",omitempty"`
	Login       bool `json:",omitempty"`
	Replication bool `json:",omitempty"`
	BypassRLS   bool `json:",omitempty"`

	ConnectionLimit int       // -1: none
	ValidUntil      *int64    `json:",omitempty"` // when the password ends, in microseconds since 1970 in UTC; Forever for 'infinity'; nil: never
	Settings        []Setting `json:",omitempty"`
}

// Forever is a ValidUntil of 'infinity'.
const Forever = 1<<63 - 1

// Setting is a setting of the sessions of a role.
type Setting struct {
	Database string `json:",omitempty"` // "": of sessions in every database
	Name     string
	Value    string
	// Limit says that the value is a bound that the role cannot raise, and not only
	// what its sessions start with.
	Limit bool `json:",omitempty"`
}

// Predefined reports whether a role is one that is always there and cannot be changed.
func (r *Role) Predefined() bool { return predefined[r.OID] != "" }

// Expired reports whether the role's password is of no use any more.
func (r *Role) Expired(now time.Time) bool {
	return r.ValidUntil != nil && *r.ValidUntil != Forever && now.UnixMicro() >= *r.ValidUntil
}

// Membership makes a role a member of another.
type Membership struct {
	Role, Member OID
	Grantor      OID
	Admin        bool `json:",omitempty"` // the member may grant the role
}

// Default is what is granted on objects that a role will create: of one kind, in
// one schema or, where that is "", in all.
type Default struct {
	Role   OID
	Schema string `json:",omitempty"`
	Kind   Kind
	ACL    ACL
}

// Roles are the roles, what they are members of, and their default privileges. It
// never changes: what begins with With returns another one.
type Roles struct {
	byOID    map[OID]*Role
	byName   map[string]*Role
	members  []Membership
	defaults []Default
	last     OID
	everyone *Role // has the settings of the sessions of all roles, and nothing else
}

// NewRoles are the roles of a new database.
func NewRoles() *Roles {
	r := &Roles{byOID: map[OID]*Role{}, byName: map[string]*Role{}, last: firstOID - 1}
	r.put(&Role{
		OID: Bootstrap, Name: BootstrapName, Superuser: true, Inherit: true, CreateRole: true, CreateDB: true, Login: true,
		Replication: true, BypassRLS: true, ConnectionLimit: -1,
	})
	for oid, name := range predefined {
		r.put(&Role{OID: oid, Name: name, Inherit: true, ConnectionLimit: -1})
	}
	for _, oid := range []OID{ReadAllSettings, ReadAllStats, StatScanTables} {
		r.members = append(r.members, Membership{Role: oid, Member: Monitor, Grantor: Bootstrap})
	}
	return r
}

// put adds a role to roles that are being made.
func (r *Roles) put(role *Role) {
	r.byOID[role.OID], r.byName[role.Name] = role, role
	r.last = max(r.last, role.OID)
}

// Role finds a role by its number; nil where there is none.
func (r *Roles) Role(oid OID) *Role { return r.byOID[oid] }

// Named finds a role by its name; nil where there is none.
func (r *Roles) Named(name string) *Role { return r.byName[name] }

// NameOf is the name of a role, or its number where there is none.
func (r *Roles) NameOf(oid OID) string {
	if role := r.byOID[oid]; role != nil {
		return role.Name
	}
	return strconv.FormatUint(uint64(oid), 10)
}

// All are the roles by their numbers.
func (r *Roles) All() []*Role {
	return slices.SortedFunc(maps.Values(r.byOID), func(a, b *Role) int { return cmp.Compare(a.OID, b.OID) })
}

// HasPassword reports whether any role can log in with a password.
func (r *Roles) HasPassword() bool {
	for _, role := range r.byOID {
		if role.Login && role.Verifier != "" {
			return true
		}
	}
	return false
}

// Count is the number of roles.
func (r *Roles) Count() int { return len(r.byOID) }

// Memberships are who is a member of what, in the order of the grants. The caller
// must not change them.
func (r *Roles) Memberships() []Membership { return r.members }

// Defaults are the default privileges. The caller must not change them.
func (r *Roles) Defaults() []Default { return r.defaults }

// Default finds the default privileges of a role for a kind of objects in a schema;
// "" in all of them.
func (r *Roles) Default(role OID, schema string, k Kind) (ACL, bool) {
	at := r.defaultAt(role, schema, k)
	if at < 0 {
		return nil, false
	}
	return r.defaults[at].ACL, true
}

func (r *Roles) defaultAt(role OID, schema string, k Kind) int {
	return slices.IndexFunc(r.defaults, func(d Default) bool { return d.Role == role && d.Schema == schema && d.Kind == k })
}

// HasDefaultsIn reports whether there are default privileges in a schema.
func (r *Roles) HasDefaultsIn(schema string) bool {
	return slices.ContainsFunc(r.defaults, func(d Default) bool { return d.Schema == schema })
}

// WithSchema is the roles with the default privileges of a schema under another name, or without
// them where that is "".
func (r *Roles) WithSchema(from, to string) *Roles {
	next := *r
	next.defaults = nil
	for _, d := range r.defaults {
		switch {
		case d.Schema != from:
		case to == "":
			continue
		default:
			d.Schema = to
		}
		next.defaults = append(next.defaults, d)
	}
	return &next
}

// WithDefault is the roles with default privileges in the place of those that there
// are, if any; a nil ACL takes them away.
func (r *Roles) WithDefault(d Default) *Roles {
	next := r.clone()
	next.defaults = slices.Clone(r.defaults)
	at := r.defaultAt(d.Role, d.Schema, d.Kind)
	switch {
	case at >= 0 && d.ACL == nil:
		next.defaults = slices.Delete(next.defaults, at, at+1)
	case at >= 0:
		next.defaults[at] = d
	case d.ACL != nil:
		next.defaults = append(next.defaults, d)
	}
	return next
}

// Everyone has the settings of the sessions of all roles, and is no role itself. The
// caller must not change it.
func (r *Roles) Everyone() *Role {
	if r.everyone == nil {
		return &Role{}
	}
	return r.everyone
}

// WithEveryone is the roles with other settings of the sessions of all. The caller gives
// the list away.
func (r *Roles) WithEveryone(settings []Setting) *Roles {
	next := r.clone()
	next.everyone = &Role{Settings: settings}
	return next
}

// clone is a copy to change before anyone else sees it.
func (r *Roles) clone() *Roles {
	next := *r
	next.byOID, next.byName = maps.Clone(r.byOID), maps.Clone(r.byName)
	return &next
}

// With is the roles with one more, which gets a number where it has none, or with
// another definition of a role that is there. The caller gives the role away.
func (r *Roles) With(role *Role) *Roles {
	next := r.clone()
	if role.OID == 0 {
		role.OID = r.last + 1
	}
	if old := r.byOID[role.OID]; old != nil {
		delete(next.byName, old.Name)
	}
	next.put(role)
	return next
}

// Without is the roles without one, its memberships and the default privileges of what
// it creates.
func (r *Roles) Without(oid OID) *Roles {
	next := r.clone()
	delete(next.byName, r.NameOf(oid))
	delete(next.byOID, oid)
	next.members = slices.DeleteFunc(slices.Clone(r.members), func(m Membership) bool { return m.Role == oid || m.Member == oid })
	next.defaults = slices.DeleteFunc(slices.Clone(r.defaults), func(d Default) bool { return d.Role == oid })
	return next
}

// WithMember is the roles with a membership in the place of the one that there is
// between the two, if any.
func (r *Roles) WithMember(m Membership) *Roles {
	next := r.clone()
	next.members = slices.Clone(r.members)
	if at := r.membership(m.Role, m.Member); at >= 0 {
		next.members[at] = m
	} else {
		next.members = append(next.members, m)
	}
	return next
}

// WithoutMember is the roles without a membership.
func (r *Roles) WithoutMember(role, member OID) *Roles {
	next := r.clone()
	next.members = slices.DeleteFunc(slices.Clone(r.members), func(m Membership) bool { return m.Role == role && m.Member == member })
	return next
}

// Membership finds what makes a role a member of another.
func (r *Roles) Membership(role, member OID) (Membership, bool) {
	at := r.membership(role, member)
	if at < 0 {
		return Membership{}, false
	}
	return r.members[at], true
}

func (r *Roles) membership(role, member OID) int {
	return slices.IndexFunc(r.members, func(m Membership) bool { return m.Role == role && m.Member == member })
}

// Reserved reports whether a name is kept for predefined roles.
func Reserved(name string) bool { return strings.HasPrefix(name, "pg_") }
