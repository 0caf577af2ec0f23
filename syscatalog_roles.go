package cubeloom

import (
	"cmp"
	"slices"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value"
)

// roleTables are the relations of pg_catalog about roles.
var roleTables = map[string]sysSpec{
	"pg_authid": {`oid:o rolname:n rolsuper:b rolinherit:b rolcreaterole:b rolcreatedb:b rolcanlogin:b rolreplication:b
		rolbypassrls:b rolconnlimit:i rolpassword:t rolvaliduntil:m`, authidRows},
	"pg_roles": {`rolname:n rolsuper:b rolinherit:b rolcreaterole:b rolcreatedb:b rolcanlogin:b rolreplication:b
		rolconnlimit:i rolpassword:t=******** rolvaliduntil:m rolbypassrls:b rolconfig:T oid:o`, roleRows},
	"pg_user":            {userSpec, userRows},
	"pg_shadow":          {userSpec, shadowRows},
	"pg_group":           {"groname:n grosysid:o grolist:O", groupRows},
	"pg_auth_members":    {"roleid:o member:o grantor:o admin_option:b", memberRows},
	"pg_db_role_setting": {"setdatabase:o setrole:o setconfig:T", roleSettingRows},
	"pg_default_acl":     {"oid:o defaclrole:o defaclnamespace:o defaclobjtype:c defaclacl:T", defaultACLRows},
}

const userSpec = "usename:n usesysid:o usecreatedb:b usesuper:b userepl:b usebypassrls:b passwd:t=******** valuntil:m useconfig:T"

// superuserTables are the relations of the system that hold passwords, with what
// PostgreSQL calls them.
var superuserTables = map[string]string{"pg_authid": "table", "pg_shadow": "view"}

// textArray is an array of texts as it is kept.
func textArray(texts []string) string {
	items := make([]value.Item, len(texts))
	for i, t := range texts {
		items[i] = value.Item{Text: t}
	}
	array, _ := value.JoinArray(nil, items) // which fails by its meter only
	return array
}

// aclCell is a list of privileges as a cell: NULL where it is the default.
func (v *sysView) aclCell(acl access.ACL) any {
	if acl == nil {
		return nil
	}
	return textArray(acl.Text(v.access.NameOf))
}

// systemACL is what is granted on an object of the system: all to its owner, and some
// to everyone.
func systemACL(k access.Kind, everyone access.Privileges) access.ACL {
	return append(access.DefaultACL(k, access.Bootstrap), access.Item{Grantor: access.Bootstrap, Rights: everyone})
}

// settingsCell are settings as a cell: those of every database, or of one alone.
func settingsCell(role *access.Role, database string) any {
	var texts []string
	for _, s := range role.Settings {
		if s.Database == database {
			texts = append(texts, s.Name+"="+s.Value)
		}
	}
	if texts == nil {
		return nil
	}
	return textArray(texts)
}

// untilCell is when a role's password ends; NULL for never.
func untilCell(role *access.Role) any {
	if role.ValidUntil == nil || *role.ValidUntil == access.Forever {
		return nil
	}
	return *role.ValidUntil
}

func authidRows(v *sysView) []sysRow {
	var rows []sysRow
	for _, r := range v.access.All() {
		row := sysRow{"oid": int64(r.OID), "rolname": r.Name, "rolsuper": r.Superuser, "rolinherit": r.Inherit,
			"rolcreaterole": r.CreateRole, "rolcreatedb": r.CreateDB, "rolcanlogin": r.Login, "rolreplication": r.Replication,
			"rolbypassrls": r.BypassRLS, "rolconnlimit": r.ConnectionLimit, "rolvaliduntil": untilCell(r)}
		if r.Verifier != "" {
			row["rolpassword"] = r.Verifier
		}
		rows = append(rows, row)
	}
	return rows
}

func roleRows(v *sysView) []sysRow {
	rows := authidRows(v)
	for i, r := range v.access.All() {
		delete(rows[i], "rolpassword")
		rows[i]["rolconfig"] = settingsCell(r, "")
	}
	return rows
}

func shadowRows(v *sysView) []sysRow {
	rows := userRows(v)
	for _, row := range rows {
		row["passwd"] = nil
		if r := v.access.Named(row["usename"].(string)); r.Verifier != "" {
			row["passwd"] = r.Verifier
		}
	}
	return rows
}

func userRows(v *sysView) []sysRow {
	var rows []sysRow
	for _, r := range v.access.All() {
		if r.Login {
			rows = append(rows, sysRow{"usename": r.Name, "usesysid": int64(r.OID), "usecreatedb": r.CreateDB, "usesuper": r.Superuser,
				"userepl": r.Replication, "usebypassrls": r.BypassRLS, "valuntil": untilCell(r), "useconfig": settingsCell(r, "")})
		}
	}
	return rows
}

func groupRows(v *sysView) []sysRow {
	var rows []sysRow
	for _, r := range v.access.All() {
		if r.Login {
			continue
		}
		var members []string
		for _, m := range v.access.Memberships() {
			if m.Role == r.OID {
				members = append(members, itoa(int(m.Member)))
			}
		}
		rows = append(rows, sysRow{"groname": r.Name, "grosysid": int64(r.OID), "grolist": textArray(members)})
	}
	return rows
}

func memberRows(v *sysView) []sysRow {
	var rows []sysRow
	for _, m := range v.access.Memberships() {
		rows = append(rows, sysRow{"roleid": int64(m.Role), "member": int64(m.Member), "grantor": int64(m.Grantor), "admin_option": m.Admin})
	}
	return rows
}

func roleSettingRows(v *sysView) []sysRow {
	var rows []sysRow
	for _, r := range append([]*access.Role{v.access.Everyone()}, v.access.All()...) {
		if cell := settingsCell(r, ""); cell != nil {
			rows = append(rows, sysRow{"setdatabase": 0, "setrole": int64(r.OID), "setconfig": cell})
		}
		database := v.database
		if cell := settingsCell(r, database); cell != nil && database != "" {
			rows = append(rows, sysRow{"setdatabase": oidDatabase, "setrole": int64(r.OID), "setconfig": cell})
		}
	}
	return rows
}

// defaultLetters are the kinds of objects in pg_default_acl and acldefault.
var defaultLetters = map[access.Kind]string{access.Relation: "r", access.Schema: "n", access.Function: "f", access.Database: "d"}

func defaultACLRows(v *sysView) []sysRow {
	var rows []sysRow
	taken := map[int64]bool{}
	for _, d := range v.access.Defaults() {
		row := sysRow{"oid": objectOID(itoa(int(d.Role))+" "+d.Schema+" "+string(d.Kind), taken), "defaclrole": int64(d.Role), "defaclnamespace": 0,
			"defaclobjtype": defaultLetters[d.Kind], "defaclacl": textArray(d.ACL.Text(v.access.NameOf))}
		if d.Schema != "" {
			row["defaclnamespace"] = oidPublic
		}
		rows = append(rows, row)
	}
	return rows
}

// relation is what a table or view is to the privileges.
func (o *sysObject) relation() access.Object {
	if o.parent != nil {
		return o.parent.relation()
	}
	return access.Object{Kind: access.Relation, Name: o.storeKey}
}

// addGrants adds the owner of an object, and what is granted on it, to its row.
func (v *sysView) addGrants(row sysRow, of access.Object, owner, acl string) {
	g := v.access.Grants(of)
	row[owner] = int64(g.Owner)
	if acl != "" {
		row[acl] = v.aclCell(g.ACL)
	}
}

// ownerName is the name of an object's owner.
func (v *sysView) ownerName(of access.Object) string {
	state := v.access
	return state.NameOf(state.Grants(of).Owner)
}

// isVisible reports whether information_schema shows the session an object: one that
// it owns, or has any privilege on.
func (v *sysView) isVisible(o *sysObject) bool {
	rights, _ := v.access.Rights(v.user, o.relation())
	return rights != 0 || slices.ContainsFunc(o.columns, func(c planner.CatalogColumn) bool { return v.isVisibleColumn(o, c.Name) })
}

// isVisibleColumn is isVisible of a column.
func (v *sysView) isVisibleColumn(o *sysObject, column string) bool {
	state, user := v.access, v.user
	rights, _ := state.Rights(user, o.relation())
	own, _ := state.ColumnRights(user, o.relation(), column)
	return (rights|own)&access.OnColumns != 0 || state.Owns(user, o.relation())
}

// grant is a single privilege of a list.
type grant struct {
	grantor, grantee access.OID
	right            access.Privileges
	grantable        bool
}

// explode gives the privileges of a list one by one.
func explode(acl access.ACL) []grant {
	var grants []grant
	for _, item := range acl {
		item.Rights.Each(func(p access.Privileges) {
			grants = append(grants, grant{item.Grantor, item.Grantee, p, item.Options&p != 0})
		})
	}
	return grants
}

// unite are grants without those that stand twice; one that may be granted on stands
// for one that may not.
func unite(grants []grant) []grant {
	slices.SortFunc(grants, func(a, b grant) int {
		return cmp.Or(cmp.Compare(a.grantor, b.grantor), cmp.Compare(a.grantee, b.grantee), cmp.Compare(a.right, b.right),
			cmp.Compare(yesNo(b.grantable), yesNo(a.grantable)))
	})
	return slices.CompactFunc(grants, func(a, b grant) bool {
		return a.grantor == b.grantor && a.grantee == b.grantee && a.right == b.right
	})
}

// privateMark stands before the name of one of superuserTables in planner.Access. No table
// has it in its name.
const privateMark = "\x00"
