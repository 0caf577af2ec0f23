package pgcatalog

import "github.com/cubeloom/cubeloom/sql/access"

// roleTables are the relations of pg_catalog about roles.
var roleTables = map[string]tableSpec{
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

func authidRows(v *View) []Row {
	var rows []Row
	for _, r := range v.Access.All() {
		row := Row{"oid": int64(r.OID), "rolname": r.Name, "rolsuper": r.Superuser, "rolinherit": r.Inherit,
			"rolcreaterole": r.CreateRole, "rolcreatedb": r.CreateDB, "rolcanlogin": r.Login, "rolreplication": r.Replication,
			"rolbypassrls": r.BypassRLS, "rolconnlimit": r.ConnectionLimit, "rolvaliduntil": untilCell(r)}
		if r.Verifier != "" {
			row["rolpassword"] = r.Verifier
		}
		rows = append(rows, row)
	}
	return rows
}

func roleRows(v *View) []Row {
	rows := authidRows(v)
	for i, r := range v.Access.All() {
		delete(rows[i], "rolpassword")
		rows[i]["rolconfig"] = settingsCell(r, "")
	}
	return rows
}

func shadowRows(v *View) []Row {
	rows := userRows(v)
	for _, row := range rows {
		row["passwd"] = nil
		if r := v.Access.Named(row["usename"].(string)); r.Verifier != "" {
			row["passwd"] = r.Verifier
		}
	}
	return rows
}

func userRows(v *View) []Row {
	var rows []Row
	for _, r := range v.Access.All() {
		if r.Login {
			rows = append(rows, Row{"usename": r.Name, "usesysid": int64(r.OID), "usecreatedb": r.CreateDB, "usesuper": r.Superuser,
				"userepl": r.Replication, "usebypassrls": r.BypassRLS, "valuntil": untilCell(r), "useconfig": settingsCell(r, "")})
		}
	}
	return rows
}

func groupRows(v *View) []Row {
	var rows []Row
	for _, r := range v.Access.All() {
		if r.Login {
			continue
		}
		var members []string
		for _, m := range v.Access.Memberships() {
			if m.Role == r.OID {
				members = append(members, itoa(int(m.Member)))
			}
		}
		rows = append(rows, Row{"groname": r.Name, "grosysid": int64(r.OID), "grolist": textArray(members)})
	}
	return rows
}

func memberRows(v *View) []Row {
	var rows []Row
	for _, m := range v.Access.Memberships() {
		rows = append(rows, Row{"roleid": int64(m.Role), "member": int64(m.Member), "grantor": int64(m.Grantor), "admin_option": m.Admin})
	}
	return rows
}

func roleSettingRows(v *View) []Row {
	var rows []Row
	for _, r := range append([]*access.Role{v.Access.Everyone()}, v.Access.All()...) {
		if cell := settingsCell(r, ""); cell != nil {
			rows = append(rows, Row{"setdatabase": 0, "setrole": int64(r.OID), "setconfig": cell})
		}
		database := v.Database
		if cell := settingsCell(r, database); cell != nil && database != "" {
			rows = append(rows, Row{"setdatabase": oidDatabase, "setrole": int64(r.OID), "setconfig": cell})
		}
	}
	return rows
}

// defaultLetters are the kinds of objects in pg_default_acl, and aclLetters those of
// acldefault.
var (
	defaultLetters = map[access.Kind]string{access.Relation: "r", access.Schema: "n", access.Function: "f", access.Sequence: "S", access.Type: "T"}
	aclLetters     = map[access.Kind]string{access.Relation: "r", access.Schema: "n", access.Function: "f", access.Sequence: "s", access.Database: "d", access.Type: "T"}
)

func defaultACLRows(v *View) []Row {
	var rows []Row
	taken := map[int64]bool{}
	for _, d := range v.Access.Defaults() {
		row := Row{"oid": objectOID(itoa(int(d.Role))+" "+d.Schema+" "+string(d.Kind), taken), "defaclrole": int64(d.Role), "defaclnamespace": 0,
			"defaclobjtype": defaultLetters[d.Kind], "defaclacl": textArray(d.ACL.Text(v.Access.NameOf))}
		if d.Schema != "" {
			row["defaclnamespace"] = v.schemaOID(d.Schema)
		}
		rows = append(rows, row)
	}
	return rows
}
