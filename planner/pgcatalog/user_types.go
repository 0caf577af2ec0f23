package pgcatalog

import (
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// types are those of the system that columns can have, and those that statements have made.
func (v *View) types() []pgType {
	if v.typeList == nil {
		v.typeList = slices.Clone(columnTypes)
		for _, t := range v.UserTypes() {
			v.typeList = append(v.typeList, v.userType(&t))
		}
	}
	return v.typeList
}

// userType is a type that a statement has made.
func (v *View) userType(t *UserType) pgType {
	id := t.Of.ID()
	typ := pgType{length: 4, byValue: true, category: "E"}
	if d := t.domain(); d != nil {
		oid, _ := TypeOID(d.Base)
		typ = findType(columnTypes, oid)
	}
	typ.oid, typ.name, typ.sql, typ.io, typ.array, typ.made = int64(id.OID), id.Name, v.typeName(t.Of), "enum_", int64(id.OID)+1, t
	return typ
}

// typeName is the name of a type as SQL has it, with its schema where it needs that.
func (v *View) typeName(t algebra.UserType) string {
	if v.findsType(t) {
		return QuoteName(t.ID().Name)
	}
	return t.ID().Qualified()
}

// findsType reports whether a type is what its name stands for without its schema.
func (v *View) findsType(t algebra.UserType) bool {
	name := t.ID().Name
	if slices.ContainsFunc(columnTypes, func(t pgType) bool { return t.name == name }) {
		return false
	}
	return v.FindType([]string{name}, v.SearchPath) == t
}

// object is the type as package access knows it.
func (t *UserType) object() access.Object { return access.Object{Kind: access.Type, Name: t.StoreKey} }

// describe says in the row of the type, or of its arrays, whose it is and where.
func (t *UserType) describe(v *View, row Row, acl string) Row {
	row["typnamespace"] = v.schemaOID(t.Of.ID().Schema)
	v.addGrants(row, t.object(), "typowner", acl)
	return row
}

// enumRows are the rows of pg_enum.
func enumRows(v *View) []Row {
	var rows []Row
	taken := map[int64]bool{}
	for _, t := range v.UserTypes() {
		e, ok := t.Of.(*algebra.EnumType)
		if !ok {
			continue
		}
		for i, label := range e.Labels {
			rows = append(rows, Row{"oid": objectOID(t.StoreKey+" "+label, taken), "enumtypid": int64(e.OID), "enumsortorder": float64(i + 1), "enumlabel": label})
		}
	}
	return rows
}

// isNamed reports whether a text, as SQL has it, is the name of the type.
func (t *UserType) isNamed(v *View, text string) bool {
	parts, id := nameOf(text), t.Of.ID()
	last := len(parts) - 1
	if parts[last] != id.Name {
		return false
	}
	return last == 0 && v.findsType(t.Of) || last > 0 && parts[last-1] == id.Schema
}

// schema is the schema that a type is in.
func (t *pgType) schema() string {
	if t.made != nil {
		return t.made.Of.ID().Schema
	}
	return Schema
}

// informationName is the type as information_schema has it.
func (t *pgType) informationName() string {
	if t.category == "E" {
		return "USER-DEFINED"
	}
	return t.sql
}

// addSchema says in a row of information_schema where a type is, unless it is one of the system.
func (t *pgType) addSchema(row Row) {
	if t.made != nil {
		row["udt_schema"] = t.made.Of.ID().Schema
	}
}

// Shortened are objects with the names of types in the texts of tables as the session writes them: without
// their schemas where they are found so.
func (v *View) Shortened(objects []Object) []Object {
	for i := range objects {
		if objects[i].Table != nil && len(v.types()) > len(columnTypes) {
			v.shortenTypes(&objects[i])
		}
	}
	return objects
}

func (v *View) shortenTypes(o *Object) {
	for i := range o.Columns {
		o.Columns[i].Default, o.Columns[i].Generated = v.shorter(o.Columns[i].Default), v.shorter(o.Columns[i].Generated)
	}
	for i := range o.Checks {
		o.Checks[i].Text = v.shorter(o.Checks[i].Text)
	}
	for i := range o.Keys {
		if o.Keys[i].Index.Computed() {
			index := *o.Keys[i].Index
			index.Exprs, index.Where = lists.Map(index.Exprs, v.shorter), v.shorter(index.Where)
			o.Keys[i].Index = &index
		}
	}
}

// shorter is the text of an expression with the names of types as the session writes them.
func (v *View) shorter(text string) string {
	if !strings.Contains(text, ".") {
		return text
	}
	e, err := sql.ParseExpr(text)
	if err != nil {
		return text
	}
	return sql.RenameTypesIn(text, e, func(path []string) string {
		if found := v.FindType(path, nil); found != nil {
			return v.typeName(found)
		}
		return ""
	})
}

// eachDomainCheck calls f with the CHECK constraints of domains, and their OIDs.
func (v *View) eachDomainCheck(f func(t *UserType, oid int64, c *algebra.DomainCheck)) {
	taken := map[int64]bool{}
	for _, t := range v.UserTypes() {
		if d := t.domain(); d != nil {
			for i := range d.Checks {
				f(&t, objectOID(t.StoreKey+" "+d.Checks[i].Name, taken), &d.Checks[i])
			}
		}
	}
}

// addDomain says in a row of information_schema.columns of which domain a column is.
func addDomain(v *View, row Row, d *algebra.Domain) {
	if d != nil {
		row["domain_catalog"], row["domain_schema"], row["domain_name"] = v.Database, d.Schema, d.Name
		addOver(row, d)
	}
}

// addOver says in a row of information_schema about a domain of which other domain it is.
func addOver(row Row, d *algebra.Domain) {
	if d.Over != nil {
		row["data_type"], row["udt_schema"], row["udt_name"] = "USER-DEFINED", d.Over.Schema, d.Over.Name
	}
}
