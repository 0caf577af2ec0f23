package pgcatalog

import (
	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// describeDomain says in the row of a domain what it is.
func (v *View) describeDomain(row Row, d *algebra.Domain) {
	if d == nil {
		return
	}
	oid, modifier := TypeOID(d.Base)
	base := findType(v.types(), oid)
	row["typtype"], row["typbasetype"], row["typtypmod"], row["typnotnull"] = "d", oid, modifier, d.NotNull
	if d.Over != nil {
		row["typbasetype"], row["typtypmod"] = int64(d.Over.OID), -1
	}
	if base.category == "A" {
		element := findType(v.types(), int64(d.Base.Element().OID()))
		row["typndims"], row["typcollation"] = 1, element.collation()
	}
	row["typinput"], row["typreceive"] = functionNamed("domain_in"), functionNamed("domain_recv")
	row["typoutput"], row["typsend"] = functionNamed(base.io+"out"), functionNamed(base.io+"send")
	row["typmodin"], row["typmodout"], row["typispreferred"] = functionNamed(""), functionNamed(""), false
	if d.Default != "" {
		row["typdefault"] = v.domainDefault(d)
		row["typdefaultbin"] = row["typdefault"]
	}
}

// domainDefault is the default of a domain as PostgreSQL writes it.
func (v *View) domainDefault(d *algebra.Domain) string {
	return v.defaultText(planner.CatalogColumn{Type: d.Base, Default: v.shorter(d.Default)})
}

// asCheck is a constraint of a domain as one of a table.
func (v *View) asCheck(oid int64, c *algebra.DomainCheck) *Check {
	return &Check{Name: c.Name, Text: v.shorter(c.Text), NotValid: c.NotValid, oid: oid}
}

// domainCheckRows are the rows of pg_constraint of constraints of domains.
func (v *View) domainCheckRows() (rows []Row) {
	v.eachDomainCheck(func(t *UserType, oid int64, c *algebra.DomainCheck) {
		rows = append(rows, Row{"oid": oid, "conname": c.Name, "contype": "c", "conrelid": 0, "contypid": int64(t.Of.ID().OID), "connoinherit": false,
			"connamespace": v.schemaOID(t.Of.ID().Schema), "conbin": c.Text, "convalidated": !c.NotValid})
	})
	return rows
}

// domainRows are the rows of information_schema.domains.
func domainRows(v *View) (rows []Row) {
	for _, made := range v.UserTypes() {
		d := made.domain()
		if d == nil {
			continue
		}
		oid, _ := TypeOID(d.Base)
		t := findType(v.types(), oid)
		row := Row{"data_type": typeText(v.types(), oid), "udt_catalog": v.Database, "udt_name": t.name, "dtd_identifier": "1",
			"domain_catalog": v.Database, "domain_schema": d.Schema, "domain_name": d.Name}
		if t.addSchema(row); d.Over == nil {
			describeColumnType(row, d.Base)
		}
		if addOver(row, d); d.Default != "" {
			row["domain_default"] = v.domainDefault(d)
		}
		rows = append(rows, row)
	}
	return rows
}

// domainConstraintRows are the rows of information_schema.domain_constraints.
func domainConstraintRows(v *View) (rows []Row) {
	v.eachDomainCheck(func(t *UserType, _ int64, c *algebra.DomainCheck) {
		row := Row{"constraint_catalog": v.Database, "constraint_schema": t.Of.ID().Schema, "constraint_name": c.Name}
		addDomain(v, row, t.domain())
		rows = append(rows, row)
	})
	return rows
}
