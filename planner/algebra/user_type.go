package algebra

import "github.com/cubeloom/cubeloom/sql/dialect"

// UserType is a type that a statement has made: an *EnumType or a *Domain.
type UserType interface{ ID() *TypeID }

// TypeID is what a type is called that a statement has made.
type TypeID struct {
	Schema, Name string
	OID          uint32 // that of its arrays is the next one
}

// ID is the name and the number of the type.
func (id *TypeID) ID() *TypeID { return id }

// String is the name of the type as SQL has it, with its schema unless that is public.
func (id *TypeID) String() string {
	if id.Schema == "public" {
		return dialect.QuoteName(id.Name)
	}
	return id.Qualified()
}

// Qualified is the name of the type with its schema.
func (id *TypeID) Qualified() string {
	return dialect.QuoteName(id.Schema) + "." + dialect.QuoteName(id.Name)
}
