package sql

// RoleRef names a role in a statement.
type RoleRef struct {
	Name string // where Word is empty
	Word string // current_role, current_user, session_user or public
	Pos  Pos
}

// RoleOption is an option of CREATE ROLE or ALTER ROLE: one of superuser, inherit,
// createrole, createdb, login, replication and bypassrls, On or not; password with Text,
// or Null; connection limit with Text; valid until with Text; and in role, role and admin
// with Roles.
type RoleOption struct {
	Name  string
	On    bool
	Null  bool
	Text  string
	Roles []RoleRef
	Pos   Pos
}

// CreateRole is CREATE ROLE, USER or GROUP; Kind is that word.
type CreateRole struct {
	Kind    string
	Name    Ident
	Options []RoleOption
	Pos     Pos
}

// AlterRole is ALTER ROLE or USER with options, or ALTER GROUP name ADD or DROP USER,
// whose only option is role, On for ADD.
type AlterRole struct {
	Group   bool
	Role    RoleRef
	Options []RoleOption
	Pos     Pos
}

// RenameRole is ALTER ROLE name RENAME TO name.
type RenameRole struct {
	From, To Ident
	Pos      Pos
}

// AlterRoleSet is ALTER ROLE role [IN DATABASE name] SET or RESET. With Limit the value
// is a bound, which is Cubeloom's own.
type AlterRoleSet struct {
	Role     *RoleRef // nil: ALTER ROLE ALL, or ALTER DATABASE
	Database Ident    // its name is empty for all
	Owner    bool     // ALTER DATABASE, which is for the owner of the database
	Set      *Set
	Limit    bool
	Pos      Pos
}

// DropRole is DROP ROLE, USER or GROUP.
type DropRole struct {
	Roles    []RoleRef
	IfExists bool
	Pos      Pos
}

// DropOwned is DROP OWNED BY.
type DropOwned struct {
	Roles   []RoleRef
	Cascade bool
	Pos     Pos
}

// ReassignOwned is REASSIGN OWNED BY … TO.
type ReassignOwned struct {
	Roles []RoleRef
	To    RoleRef
	Pos   Pos
}

// GrantRole is GRANT roles TO members, or REVOKE roles FROM members. Admin is WITH ADMIN
// OPTION of the one and ADMIN OPTION FOR of the other.
type GrantRole struct {
	Revoke    bool
	Roles     []Ident
	Members   []RoleRef
	Admin     bool
	GrantedBy *RoleRef
	Cascade   bool
	Pos       Pos
}

// Privilege is a privilege of GRANT, its name in lower case; with Columns it is on those
// only. The name "all" is ALL PRIVILEGES.
type Privilege struct {
	Name    string
	Columns []Ident
	Pos     Pos
}

// Grant is GRANT or REVOKE of privileges on objects. Option is WITH GRANT OPTION of the
// one and GRANT OPTION FOR of the other.
type Grant struct {
	Revoke     bool
	Privileges []Privilege
	// On is the kind of the objects: table, sequence, schema, database, function or routine;
	// with All those in the schemas that Names are.
	On        string
	All       bool
	Names     []Name
	Args      [][]TypeName // of functions, nil where none are given
	Grantees  []RoleRef
	Option    bool
	GrantedBy *RoleRef
	Cascade   bool
	Pos       Pos
}

// DefaultPrivileges is ALTER DEFAULT PRIVILEGES. Grant's On is table, sequence, function,
// routine, type or schema, and it has no names.
type DefaultPrivileges struct {
	Roles   []RoleRef
	Schemas []Ident
	Grant   *Grant
	Pos     Pos
}

// RenameSchema is ALTER SCHEMA name RENAME TO name.
type RenameSchema struct {
	From, To Ident
	Pos      Pos
}

// AlterOwner is ALTER SCHEMA or DATABASE name OWNER TO role.
type AlterOwner struct {
	Kind string // schema or database
	Name Ident
	To   RoleRef
	Pos  Pos
}

// ChangeOwner is OWNER TO role in ALTER TABLE and ALTER VIEW.
type ChangeOwner struct{ To RoleRef }

func (*CreateRole) statement()        {}
func (*AlterRole) statement()         {}
func (*RenameRole) statement()        {}
func (*AlterRoleSet) statement()      {}
func (*DropRole) statement()          {}
func (*DropOwned) statement()         {}
func (*ReassignOwned) statement()     {}
func (*GrantRole) statement()         {}
func (*Grant) statement()             {}
func (*DefaultPrivileges) statement() {}
func (*RenameSchema) statement()      {}
func (*AlterOwner) statement()        {}
func (*ChangeOwner) alterAction()     {}
