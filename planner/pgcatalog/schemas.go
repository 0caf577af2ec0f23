package pgcatalog

import (
	"github.com/cubeloom/cubeloom/sql/access"
)

// rights are those of a role on a schema.
func (s *schema) rights(state *access.State, role access.OID) (rights, options access.Privileges) {
	switch {
	case !s.system:
		return state.Rights(role, access.SchemaObject(s.name))
	case state.IsSuperuser(role):
		return access.Schema.All(), access.Schema.All()
	}
	return access.Usage, 0
}

func namespaceRows(v *View) []Row {
	var rows []Row
	for _, s := range v.schemas() {
		row := Row{"oid": s.oid, "nspname": s.name}
		switch {
		case s.system:
			row["nspacl"] = v.aclCell(systemACL(access.Schema, access.Usage))
		case s.name != v.TemporarySchema:
			v.addGrants(row, access.SchemaObject(s.name), "nspowner", "nspacl")
		}
		rows = append(rows, row)
	}
	return rows
}

// initialRows are the rows of pg_init_privs: what is granted on the schemas of the system.
func initialRows(v *View) []Row {
	var rows []Row
	for _, s := range v.schemas() {
		if s.system {
			rows = append(rows, Row{"objoid": s.oid, "classoid": systemOIDs["pg_namespace"], "initprivs": v.aclCell(systemACL(access.Schema, access.Usage))})
		}
	}
	return rows
}

func schemataRows(v *View) []Row {
	var rows []Row
	for _, s := range v.schemas() {
		owner, visible := access.Bootstrap, s.system // everyone may use the schemas of the system
		if !s.system {
			owner = v.Access.Grants(access.SchemaObject(s.name)).Owner
			rights, _ := s.rights(v.Access, v.User)
			visible = rights != 0 || v.isEnabled(owner)
		}
		if visible {
			rows = append(rows, Row{"catalog_name": v.Database, "schema_name": s.name, "schema_owner": v.Access.NameOf(owner)})
		}
	}
	return rows
}

// currentSchema is the schema in which names without one are created; "" for none.
func (v *View) currentSchema() string {
	for _, name := range v.SearchPath {
		if name != v.TemporarySchema {
			return name
		}
	}
	return ""
}
