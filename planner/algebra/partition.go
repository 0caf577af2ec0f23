package algebra

import (
	"slices"

	"github.com/cubeloom/cubeloom/sql/value"
)

// Partitioning is PARTITION BY of a table: into which partition a row belongs follows from the
// values of its keys.
type Partitioning struct {
	Method string // one of the methods below
	Keys   []PartitionKey
}

// Moved is the same partitioning of a table whose columns have other positions.
func (p *Partitioning) Moved(to func(columns []int) []int) *Partitioning {
	if p == nil {
		return nil
	}
	next := *p
	next.Keys = slices.Clone(p.Keys)
	for i := range next.Keys {
		next.Keys[i].Columns = to(p.Keys[i].Columns)
	}
	return &next
}

// The methods of partitioning, as pg_get_partkeydef has them.
const (
	ByRange = "RANGE"
	ByList  = "LIST"
	ByHash  = "HASH"
)

// PartitionKey is a column of the table, or an expression over its columns.
type PartitionKey struct {
	Text    string // as SQL has it
	Columns []int  // that Text reads, by position
	Is      bool   // the only one of Columns
	Type    Type   // of its values
}

// PartitionBound says which rows of a partitioned table are those of a partition.
type PartitionBound struct {
	Default  bool             // those that no other partition has
	From, To []PartitionValue // of RANGE: by key, from and up to, without To itself
	Values   []PartitionValue // of LIST
	Modulus  int64            // of HASH
	// Remainder is that of the hash of the keys by Modulus.
	Remainder int64
}

// PartitionValue is a value in the bound of a partition, of its key's type, or less or more than any.
type PartitionValue struct {
	Kind PartitionValueKind
	Val  value.Value // of a constant; NULL too, of LIST
}

// PartitionValueKind is a kind of values in the bounds of partitions.
type PartitionValueKind uint8

// The kinds of values in bounds, which order as what they stand for.
const (
	PartitionMin PartitionValueKind = iota // MINVALUE
	PartitionConstant
	PartitionMax // MAXVALUE
)
