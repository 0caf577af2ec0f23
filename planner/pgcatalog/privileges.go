package pgcatalog

import "github.com/cubeloom/cubeloom/sql/access"

// privilegeTables are the relations of information_schema about roles and privileges.
var privilegeTables = map[string]tableSpec{
	"table_privileges":                  {tablePrivilegeSpec, tablePrivilegeRows},
	"role_table_grants":                 {tablePrivilegeSpec, roleTableGrantRows},
	"column_privileges":                 {columnPrivilegeSpec, columnPrivilegeRows},
	"role_column_grants":                {columnPrivilegeSpec, roleColumnGrantRows},
	"enabled_roles":                     {"role_name:n", enabledRoleRows},
	"applicable_roles":                  {"grantee:n role_name:n is_grantable:t", applicableRoleRows},
	"administrable_role_authorizations": {"grantee:n role_name:n is_grantable:t", administrableRoleRows},
}

const (
	tablePrivilegeSpec  = "grantor:n grantee:n table_catalog:n table_schema:n=public table_name:n privilege_type:t is_grantable:t with_hierarchy:t"
	columnPrivilegeSpec = "grantor:n grantee:n table_catalog:n table_schema:n=public table_name:n column_name:n privilege_type:t is_grantable:t"
)

// concerns reports whether the session is shown a grant: with public those to everyone
// too.
func (v *View) concerns(g grant, public bool) bool {
	return v.isEnabled(g.grantor) || v.isEnabled(g.grantee) || public && g.grantee == access.Public
}

// grantRow is a grant on a relation as information_schema shows it.
func (v *View) grantRow(o *Object, g grant) Row {
	state := v.Access
	owner := state.Grants(o.Relation()).Owner
	grantee := "PUBLIC"
	if g.grantee != access.Public {
		grantee = state.NameOf(g.grantee)
		g.grantable = g.grantable || state.Has(g.grantee, owner)
	}
	return Row{"grantor": state.NameOf(g.grantor), "grantee": grantee, "table_catalog": v.Database,
		"table_name": o.Name, "privilege_type": g.right.Name(), "is_grantable": yesNo(g.grantable)}
}

func tablePrivilegeRows(v *View) []Row { return v.tableGrants(true) }

func roleTableGrantRows(v *View) []Row { return v.tableGrants(false) }

func columnPrivilegeRows(v *View) []Row { return v.columnGrants(true) }

func roleColumnGrantRows(v *View) []Row { return v.columnGrants(false) }

func applicableRoleRows(v *View) []Row { return v.memberships(false) }

func administrableRoleRows(v *View) []Row { return v.memberships(true) }

// tableGrants are the rows of what is granted on tables and views.
func (v *View) tableGrants(public bool) []Row {
	var rows []Row
	for i := range v.Objects() {
		o := &v.Objects()[i]
		if o.parent != nil || o.Kind == "m" {
			continue
		}
		for _, g := range explode(v.Access.Grants(o.Relation()).Effective(access.Relation)) {
			if v.concerns(g, public) {
				row := v.grantRow(o, g)
				row["with_hierarchy"] = yesNo(g.right == access.Select)
				rows = append(rows, o.place(v, row))
			}
		}
	}
	return rows
}

// columnGrants are the rows of what is granted on columns, by the table or by the
// column.
func (v *View) columnGrants(public bool) []Row {
	var rows []Row
	for i := range v.Objects() {
		o := &v.Objects()[i]
		if o.parent != nil || o.Kind == "m" {
			continue
		}
		grants := v.Access.Grants(o.Relation())
		for _, c := range o.Columns {
			all := append(explode(grants.Effective(access.Relation)), explode(grants.Columns[c.Name])...)
			for _, g := range unite(all) {
				if g.right&access.OnColumns != 0 && v.concerns(g, public) {
					row := v.grantRow(o, g)
					row["column_name"] = c.Name
					rows = append(rows, o.place(v, row))
				}
			}
		}
	}
	return rows
}

func enabledRoleRows(v *View) []Row {
	var rows []Row
	for _, r := range v.Access.All() {
		if v.isEnabled(r.OID) {
			rows = append(rows, Row{"role_name": r.Name})
		}
	}
	return rows
}

// memberships are the rows of who is a member of what, of the roles whose privileges
// the session has.
func (v *View) memberships(administrable bool) []Row {
	state := v.Access
	owner := access.Membership{Role: access.DatabaseOwner, Member: state.Grants(access.TheDatabase).Owner}
	var rows []Row
	for _, m := range append([]access.Membership{owner}, state.Memberships()...) {
		if v.isEnabled(m.Member) && (m.Admin || !administrable) {
			rows = append(rows, Row{"grantee": state.NameOf(m.Member), "role_name": state.NameOf(m.Role), "is_grantable": yesNo(m.Admin)})
		}
	}
	return rows
}
