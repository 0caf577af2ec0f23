package store

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"sync/atomic"
	"weak"

	"github.com/axiomhq/hyperloglog"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// maxColumns is PostgreSQL's limit.
const maxColumns = 1600

// Definition is what CREATE TABLE says of a table.
type Definition struct {
	Schema  string // "" stands for the constant of that name
	Name    string
	Columns []Column
	Keys    []Key
	Checks  []Check
	// ForeignKeys name other tables by their keys.
	ForeignKeys []algebra.ForeignKey
	// Query is what the rows of a materialized view are those of; nil of any other table.
	Query *View
	// OnCommit is what becomes of a temporary table when a transaction commits.
	OnCommit OnCommit
	// By is how the table is partitioned, and Of of what it is a partition; nil where it is not.
	By *algebra.Partitioning
	Of *PartitionOf
}

// PartitionOf says of which table a partition is one, by its key, and which rows it has.
//
// The rows of a partitioned table and all that is below it lie in the table at the top, so that a
// query of it reads one table, and a query of a partition the rows that fulfil a condition. All of
// these tables have the same columns at the same positions.
type PartitionOf struct {
	Parent string
	Bound  algebra.PartitionBound
}

// Key is a set of columns, by position, in which no two rows agree: declared by
// PRIMARY KEY, whose columns are NOT NULL, or by UNIQUE, which rows with a NULL in
// one of them do not break. Of a computed index no two rows agree in its expressions.
// Who changes rows checks keys; a table does not. Inherited is a key of a partition that the table
// has of which it is one, which checks it.
type Key struct {
	Name      string // of the constraint; empty where it has none of its own
	Columns   []int
	Primary   bool
	Index     *algebra.Index // what CREATE INDEX made it; nil for a constraint
	Inherited bool
	Clustered bool // CLUSTER sorts the rows by it
	// Comment is what COMMENT says of the constraint, and IndexComment of its index, or of that of CREATE INDEX.
	Comment, IndexComment string
}

// Check is a CHECK constraint: an expression over Columns, by position, that is false of no
// row. Who changes rows checks it; a table does not. NotValid says that older rows may be such.
// Inherited is one of a partition that the table has of which it is one, which checks it.
type Check struct {
	Name, Text string
	Columns    []int
	NotValid   bool
	Inherited  bool
	Comment    string
}

// Same reports whether two keys are the same but for their names.
func (k *Key) Same(other *Key) bool {
	return k.Primary == other.Primary && slices.Equal(k.Columns, other.Columns) && reflect.DeepEqual(k.Index, other.Index)
}

// Enforced reports whether no two rows may agree in the key's columns.
func (k *Key) Enforced() bool { return k.Index == nil || k.Index.Unique }

// Table is one version of a table: it never changes, and its holders may
// read it for as long as he likes, from any goroutine. Appender makes the next
// version. It implements runtime.Relation.
type Table struct {
	def    Definition
	cols   []tableColumn
	blocks []block
	rows   int64
	sample *Sample // nil where there are no rows, and of tables that older versions wrote
}

// tableColumn is what a table knows of a column as a whole.
type tableColumn struct {
	phys   kernel.Type
	dict   *runtime.Dictionary // for Code
	index  *atomic.Pointer[dictionaryIndex]
	sketch *hyperloglog.Sketch // nil for Code and while there are no values
	stats  algebra.Stats
	// magnitude is that of a column of double precision or numeric.
	magnitude *magnitude
}

// block is a horizontal part of a table.
type block struct {
	rows int
	cols []*runtime.Chunk
	file Segment // where the chunks lie; nil: in memory
	at   int     // which block of file
}

// column returns a sound chunk.
func (b *block) column(i int) (*runtime.Chunk, error) {
	if b.file != nil {
		if err := b.file.Verify(b.at, i); err != nil {
			return nil, err
		}
	}
	return b.cols[i], nil
}

// verify checks that all chunks are sound.
func (b *block) verify() error {
	for i := range b.cols {
		if _, err := b.column(i); err != nil {
			return err
		}
	}
	return nil
}

// detach makes the block one in memory, with a list of chunks of its own, which
// still may point into the file.
func (b *block) detach() error {
	if err := b.verify(); err != nil {
		return err
	}
	b.cols = append([]*runtime.Chunk(nil), b.cols...)
	b.file, b.at = nil, 0
	return nil
}

// Segment is the file that chunks of a table are mapped from. Chunks that come
// from one hold on to it.
type Segment interface {
	// Verify checks the stored bytes of a column of a block once, before their
	// first use, and fails with XX001 where they are not what was written.
	Verify(block, column int) error
}

// NewTable makes a table without rows. It fails with 42701 for a column named
// twice, with 54011 for too many columns and with 0A000 for none.
func NewTable(def Definition) (*Table, error) {
	if len(def.Columns) == 0 {
		return nil, value.Errorf(value.CodeFeatureNotSupported, "tables without columns are not supported")
	}
	if len(def.Columns) > maxColumns {
		return nil, value.Errorf(value.CodeTooManyColumns, "tables can have at most %d columns", maxColumns)
	}
	t := &Table{def: def, cols: make([]tableColumn, len(def.Columns))}
	seen := map[string]bool{}
	for i, c := range def.Columns {
		if seen[c.Name] {
			return nil, value.Errorf(value.CodeDuplicateColumn, "column %q specified more than once", c.Name)
		}
		seen[c.Name] = true
		phys := PhysicalType(c.Type, true)
		if phys == kernel.Invalid {
			return nil, fmt.Errorf("store: column %q cannot have type %v", c.Name, c.Type)
		}
		t.cols[i] = tableColumn{phys: phys, index: new(atomic.Pointer[dictionaryIndex]), magnitude: new(magnitude)}
		if phys == kernel.Code {
			t.cols[i].dict = &runtime.Dictionary{}
			t.cols[i].stats.Dict = true
		}
	}
	return t, nil
}

func (*Table) object() {}

// Name is the table's name.
func (t *Table) Name() string { return t.def.Name }

// Columns describes the columns; the caller must not change the slice.
func (t *Table) Columns() []Column { return t.def.Columns }

// Ordinal returns the position of the column of a name, -1 for none.
func (t *Table) Ordinal(name string) int {
	return slices.IndexFunc(t.def.Columns, func(c Column) bool { return c.Name == name })
}

// Names are the names of the columns at some positions.
func (t *Table) Names(ordinals []int) []string {
	return lists.Map(ordinals, func(i int) string { return t.def.Columns[i].Name })
}

// Schema is the table's schema.
func (t *Table) Schema() string { return cmp.Or(t.def.Schema, Schema) }

// Column is one of its columns as errors are about it.
func (t *Table) Column(name string) value.Object { return t.def.column(name) }

// Constraint is one of its constraints, or a unique index, as errors are about it.
func (t *Table) Constraint(name string) value.Object {
	return value.Object{Schema: t.Schema(), Table: t.Name(), Constraint: name}
}

// column is one of the columns as errors are about it.
func (d *Definition) column(name string) value.Object {
	return value.Object{Schema: cmp.Or(d.Schema, Schema), Table: d.Name, Column: name}
}

// Keys are the declared keys; the caller must not change the slices.
func (t *Table) Keys() []Key { return t.def.Keys }

// Checks are the CHECK constraints; the caller must not change the slices.
func (t *Table) Checks() []Check { return t.def.Checks }

// Stats is what is known of column i. Bounds and NULL count are exact for this
// version; they are not known for decimals beyond 64 bits and for types that
// are no integers.
func (t *Table) Stats(i int) algebra.Stats { return t.cols[i].stats }

// Sample returns rows of the table drawn at random; nil for none.
func (t *Table) Sample() *algebra.Sample {
	if t.sample == nil {
		return nil
	}
	return t.sample.Rows
}

// Exact says that the bounds of Stats are proven.
func (t *Table) Exact() bool { return true }

// Types are the physical types of the columns, the same for all blocks.
func (t *Table) Types() []kernel.Type {
	types := make([]kernel.Type, len(t.cols))
	for i := range t.cols {
		types[i] = t.cols[i].phys
	}
	return types
}

// Blocks is the number of blocks.
func (t *Table) Blocks() int { return len(t.blocks) }

// Rows is the number of rows.
func (t *Table) Rows() int64 { return t.rows }

// Load returns block i with all columns; those that ordinals name are sound.
func (t *Table) Load(i int, ordinals []int) (runtime.Block, error) {
	b := &t.blocks[i]
	for _, o := range ordinals {
		if _, err := b.column(o); err != nil {
			return runtime.Block{}, err
		}
	}
	return runtime.Block{Rows: b.rows, Cols: b.cols}, nil
}

// Version implements runtime.Versioned: what is appended makes another table.
func (t *Table) Version() any { return weak.Make(t) }

// Range returns the bounds of a column in block i, of codes too.
func (t *Table) Range(i, ordinal int) (lo, hi int64, all, ok bool) {
	c := t.blocks[i].cols[ordinal]
	return c.Min, c.Max, c.Nulls == 0, c.HasRange
}

// Bytes is the size of the stored columns.
func (t *Table) Bytes() int64 {
	var n int64
	for i := range t.blocks {
		for _, c := range t.blocks[i].cols {
			n += chunkBytes(c)
		}
	}
	return n
}

func chunkBytes(c *runtime.Chunk) int64 {
	return int64(len(c.Valid) + len(c.U8) + 2*len(c.U16) + 4*len(c.U32) + 8*len(c.I64) + 16*len(c.I128) +
		8*len(c.F64) + len(c.Bits) + 4*len(c.Offsets) + len(c.Bytes) + 24*len(c.Nums) + 16*len(c.Intervals))
}

// OnCommit says what becomes of a temporary table when a transaction commits.
type OnCommit string

// A Sample is rows of a table, each as likely to be in it as any other. Every
// row of a table is given a random key by its number; the sample is the rows
// with the least keys. Tables of no more than sampleSize rows are in their
// sample whole. It never changes.
type Sample struct {
	Keys []uint64
	Rows *algebra.Sample // long texts are cut
}

// dictionaryIndex finds the codes of a column's dictionary while it grows. One
// appender owns it at a time: it takes it from the table version that it starts
// from and leaves it with the version that it makes.
type dictionaryIndex struct {
	texts []string
	codes *codeTable
	held  *runtime.Hold // the memory of both
}

// What becomes of temporary tables.
const (
	PreserveRows OnCommit = ""
	DeleteRows   OnCommit = "delete rows"
	DropTable    OnCommit = "drop"
)
