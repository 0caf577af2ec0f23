package sql

// CreateIndex is CREATE [UNIQUE] INDEX [CONCURRENTLY] [[IF NOT EXISTS] name] ON table (columns) [INCLUDE …] [WHERE …].
type CreateIndex struct {
	Name         Ident // empty where none is given
	Table        Name
	Only         bool // not on its partitions
	Unique       bool
	Concurrently bool
	IfNotExists  bool
	Method       Ident // empty for btree
	Columns      []IndexColumn
	Include      []Ident
	Storage      Storage
	Where        *DefaultExpr // nil: none
	Pos          Pos
}

// IndexColumn is a column or an expression of an index with its operator class, which may be empty.
type IndexColumn struct {
	Name  Ident
	Expr  *DefaultExpr // nil for a column
	Class Ident
	Order string // as pg_get_indexdef writes it: "", "DESC", "NULLS FIRST" or "DESC NULLS LAST"
}

// RenameIndex is ALTER INDEX [IF EXISTS] name RENAME TO name.
type RenameIndex struct {
	Name     Name
	IfExists bool
	To       Ident
	Pos      Pos
}

// Reindex is REINDEX of what a kind says: an index, table, schema, database or system.
type Reindex struct {
	Kind         string
	Name         Name
	Concurrently bool
	Pos          Pos
}

func (*CreateIndex) statement() {}
func (*RenameIndex) statement() {}
func (*Reindex) statement()     {}
