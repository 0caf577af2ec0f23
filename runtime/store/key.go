package store

import "strings"

// Schema is the schema that a new database has for tables and views.
const Schema = "public"

// TemporarySchema is the name by which a session calls the schema of its temporary
// tables and views.
const TemporarySchema = "pg_temp"

// schemaEnd stands in a key between the schema and the name. No name has it.
const schemaEnd = "\x00"

// KeyIn is what states and transactions call the object of a name in a schema; those of the
// schema public, which may be "", they call by their names.
func KeyIn(schema, name string) string {
	if schema == Schema || schema == "" {
		return name
	}
	return schema + schemaEnd + name
}

// TypeKey is what states and transactions call the type of a name in a schema. No relation has
// such a key.
func TypeKey(schema, name string) string { return schema + schemaEnd + schemaEnd + name }

// TemporaryKey is the key of the session's temporary object of a name.
func TemporaryKey(name string) string { return KeyIn(TemporarySchema, name) }

// IsTemporary reports whether a key is one of TemporaryKey.
func IsTemporary(key string) bool { return SchemaOf(key) == TemporarySchema }

// SchemaOf is the schema of the object of a key.
func SchemaOf(key string) string {
	if schema, _, ok := strings.Cut(key, schemaEnd); ok {
		return schema
	}
	return Schema
}

// NameOf is the name of the object of a key.
func NameOf(key string) string { return key[strings.LastIndex(key, schemaEnd)+1:] }
