package pgcatalog

import (
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// types are those of the system that columns can have, and those that CREATE TYPE has made.
func (v *View) types() []pgType {
	if v.typeList == nil {
		v.typeList = slices.Clone(columnTypes)
		for _, e := range v.Enums() {
			v.typeList = append(v.typeList, pgType{
				oid: int64(e.Of.OID), name: e.Of.Name, sql: v.enumName(e.Of), io: "enum_", length: 4, byValue: true, category: "E", array: int64(e.Of.OID) + 1, enum: &e,
			})
		}
	}
	return v.typeList
}

// enumName is the name of a type as SQL has it, with its schema where it needs that.
func (v *View) enumName(e *algebra.EnumType) string {
	if v.findsEnum(e) {
		return QuoteName(e.Name)
	}
	return e.Qualified()
}

// findsEnum reports whether a type is what its name stands for without its schema.
func (v *View) findsEnum(e *algebra.EnumType) bool {
	if slices.ContainsFunc(columnTypes, func(t pgType) bool { return t.name == e.Name }) {
		return false
	}
	return v.FindEnum([]string{e.Name}, v.SearchPath) == e
}

// object is the type as package access knows it.
func (e *Enum) object() access.Object { return access.Object{Kind: access.Type, Name: e.StoreKey} }

// describe says in the row of the type, or of its arrays, whose it is and where.
func (e *Enum) describe(v *View, row Row, acl string) Row {
	row["typnamespace"] = v.schemaOID(e.Of.Schema)
	v.addGrants(row, e.object(), "typowner", acl)
	return row
}

// enumRows are the rows of pg_enum.
func enumRows(v *View) []Row {
	var rows []Row
	taken := map[int64]bool{}
	for _, e := range v.Enums() {
		for i, label := range e.Of.Labels {
			rows = append(rows, Row{"oid": objectOID(e.StoreKey+" "+label, taken), "enumtypid": int64(e.Of.OID), "enumsortorder": float64(i + 1), "enumlabel": label})
		}
	}
	return rows
}

// isNamed reports whether a text, as SQL has it, is the name of the type.
func (e *Enum) isNamed(v *View, text string) bool {
	parts := nameOf(text)
	last := len(parts) - 1
	if parts[last] != e.Of.Name {
		return false
	}
	return last == 0 && v.findsEnum(e.Of) || last > 0 && parts[last-1] == e.Of.Schema
}

// schema is the schema that a type is in.
func (t *pgType) schema() string {
	if t.enum != nil {
		return t.enum.Of.Schema
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
	if t.enum != nil {
		row["udt_schema"] = t.enum.Of.Schema
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
		if found := v.FindEnum(path, nil); found != nil {
			return v.enumName(found)
		}
		return ""
	})
}
