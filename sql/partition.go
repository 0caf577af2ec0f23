package sql

// PartitionBy is PARTITION BY method (keys) of a partitioned table.
type PartitionBy struct {
	Method Ident
	Keys   []PartitionKey
	Pos    Pos
}

// PartitionKey is a column by which a table is partitioned, or an expression with its text.
type PartitionKey struct {
	Column             Ident // empty for an expression
	Expr               Expr  // nil for a column
	Text               string
	Collation, OpClass Name // nil where none is given
	Pos                Pos
}

// PartitionBound is FOR VALUES … or DEFAULT: the rows of a partition.
type PartitionBound struct {
	Default bool
	Method  string // "range", "list" or "hash"; "" for Default
	// From and To are those of a range, in which MINVALUE and MAXVALUE are columns of these names.
	From, To           []Expr
	Values             []Expr // of a list
	Modulus, Remainder int64  // of a hash
	Pos                Pos
}

// AttachPartition is ATTACH PARTITION part with its bound, alone in its ALTER TABLE.
type AttachPartition struct {
	Part  Name
	Bound *PartitionBound
}

// DetachPartition is DETACH PARTITION part, alone in its ALTER TABLE.
type DetachPartition struct {
	Part                   Name
	Concurrently, Finalize bool
}

// AttachIndex is ALTER INDEX name ATTACH PARTITION part.
type AttachIndex struct {
	Name, Part Name
	Pos        Pos
}

func (*AttachPartition) alterAction() {}
func (*DetachPartition) alterAction() {}
func (*AttachIndex) statement()       {}
