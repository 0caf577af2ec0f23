// Package parquetfile reads and writes Parquet files.
package parquetfile

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/pqarrow"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/arrowfile"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// File is a Parquet file as a relation, one block for each row group. It reads
// the columns and row groups that are asked for, and answers Range from the row
// groups' statistics. It implements store.Source and is safe for concurrent
// use.
type File struct {
	path    string
	columns []store.Column
	types   []kernel.Type
	fields  []arrow.Field
	// leaves are the file's columns of values of each column: several for a nested one. The reader's
	// manifest has them as fields of their own behind the columns.
	leaves [][]int
	rows   []int // of each row group
	total  int64
	ranges [][]rangeOf // by row group and column
	stats  []algebra.Stats
	r      *pqarrow.FileReader
}

// Open reads the footer of a Parquet file, which it owns from then on; path is for
// errors. Columns that SQL has no type for fail with 0A000 when they are read.
func Open(f *os.File, path string) (*File, error) {
	out := &File{path: path}
	if err := out.guard(func() error { return out.readFooter(f) }); err != nil {
		f.Close()
		return nil, err
	}
	return out, nil
}

// guard turns whatever goes wrong in the format's reader, which panics on some
// damaged files, into an error that names the file.
func (f *File) guard(read func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = f.corrupted(fmt.Errorf("%v", p))
		}
	}()
	err = read()
	if _, ok := err.(*value.Error); err == nil || ok {
		return err
	}
	return f.corrupted(err)
}

func (f *File) corrupted(err error) error {
	return value.Errorf(value.CodeDataCorrupted, "could not read Parquet file %q: %v", f.path, err)
}

func (f *File) readFooter(in *os.File) (err error) {
	defer sqlstate.Catch(&err)
	info := sqlstate.Must(in.Stat())
	mem := arrowfile.NewBounded(info.Size())
	props := parquet.NewReaderProperties(mem)
	props.BufferedStreamEnabled, props.BufferSize = true, readBuffer
	r := sqlstate.Must(file.NewParquetReader(in, file.WithReadProps(props)))
	f.r = sqlstate.Must(pqarrow.NewFileReader(r, pqarrow.ArrowReadProperties{}, mem))
	for i := range f.r.Manifest.Fields {
		field := &f.r.Manifest.Fields[i]
		f.leaves = append(f.leaves, leavesOf(nil, field))
		f.fields = append(f.fields, logicalField(*field.Field, f.leaves[i], r.MetaData().Schema))
	}
	f.columns = arrowfile.Columns(f.fields)
	for _, c := range f.columns {
		f.types = append(f.types, store.PhysicalType(c.Type, false))
	}
	for leaf := range r.MetaData().Schema.NumColumns() {
		f.r.Manifest.Fields = append(f.r.Manifest.Fields, *f.r.Manifest.ColIndexToField[leaf])
	}
	for i := range r.NumRowGroups() {
		n := r.RowGroup(i).NumRows()
		if n < 0 || n > maxGroupRows {
			return fmt.Errorf("row group %d has %d rows", i, n)
		}
		f.rows = append(f.rows, int(n))
		f.total += n
		f.ranges = append(f.ranges, f.groupRanges(i))
	}
	f.sumUp()
	return nil
}

// readBuffer is how many bytes of a column are read at a time. Without a buffer the library reads all of them, and
// copies them to another buffer of that size.
const readBuffer = 64 << 10

// leavesOf appends the file's columns of values that a field is made of.
func leavesOf(leaves []int, field *pqarrow.SchemaField) []int {
	if len(field.Children) == 0 {
		return append(leaves, field.ColIndex)
	}
	for i := range field.Children {
		leaves = leavesOf(leaves, &field.Children[i])
	}
	return leaves
}

// maxGroupRows is how many rows a row group may have, as a column's positions
// in it take 32 bits.
const maxGroupRows = 1<<31 - 1

// Columns implements store.Source.
func (f *File) Columns() []store.Column { return f.columns }

// Stats implements store.Source.
func (f *File) Stats(i int) algebra.Stats { return f.stats[i] }

// Exact implements store.Source: what the file says of itself proves nothing.
func (f *File) Exact() bool { return false }

// Types implements runtime.Relation.
func (f *File) Types() []kernel.Type { return f.types }

// Blocks implements runtime.Relation.
func (f *File) Blocks() int { return len(f.rows) }

// Rows implements runtime.Relation.
func (f *File) Rows() int64 { return f.total }

// Range implements runtime.Relation.
func (f *File) Range(i, ordinal int) (lo, hi int64, all, ok bool) {
	r := &f.ranges[i][ordinal]
	return r.lo, r.hi, r.all, r.ok
}

// LoadBytes implements runtime.Decoded: the pages, and the values made of them.
func (f *File) LoadBytes(i int, ordinals []int) (bytes int64) {
	const perValue = 24
	err := f.guard(func() error {
		group := f.r.ParquetReader().MetaData().RowGroup(i)
		for _, o := range ordinals {
			for _, leaf := range f.leaves[o] {
				column, err := group.ColumnChunk(leaf)
				if err != nil {
					return err
				}
				bytes += column.TotalCompressedSize() + 2*column.TotalUncompressedSize() + perValue*max(int64(f.rows[i]), column.NumValues())
			}
		}
		return nil
	})
	if err != nil {
		return 0 // Load reports it
	}
	return max(bytes, 0)
}

// Load implements runtime.Relation: it reads the columns that are asked for.
func (f *File) Load(i int, ordinals []int) (runtime.Block, error) {
	b := runtime.Block{Rows: f.rows[i], Cols: make([]*runtime.Chunk, len(f.columns))}
	if b.Rows == 0 {
		return f.emptyBlock(), nil
	}
	for _, o := range ordinals {
		err := f.guard(func() error {
			c, err := f.column(i, o)
			b.Cols[o] = c
			return err
		})
		if err != nil {
			return runtime.Block{}, err
		}
	}
	return b, nil
}

// emptyBlock is a block without rows.
func (f *File) emptyBlock() runtime.Block {
	b := runtime.Block{Cols: make([]*runtime.Chunk, len(f.columns))}
	for i, t := range f.types {
		b.Cols[i] = &runtime.Chunk{Type: t, Enc: runtime.EncConst}
	}
	return b
}

// column reads a column of a row group. The library's buffers are never
// released: their memory is the garbage collector's, and the chunk shares it.
func (f *File) column(group, ordinal int) (_ *runtime.Chunk, err error) {
	defer sqlstate.Catch(&err)
	sqlstate.Check(arrowfile.CheckReadable(f.fields[ordinal]))
	if hasStructure(f.fields[ordinal].Type) {
		f.checkLeaves(group, ordinal)
	}
	data := sqlstate.Must(f.field(group, ordinal, f.leaves[ordinal]))
	if data.Len() != f.rows[group] {
		return nil, fmt.Errorf("column %q has %d values in row group %d of %d rows",
			f.columns[ordinal].Name, data.Len(), group, f.rows[group])
	}
	if len(data.Chunks()) == 1 {
		return arrowfile.Chunk(retyped(data.Chunk(0), f.fields[ordinal].Type), f.columns[ordinal].Type)
	}
	batch := store.NewBatch(f.columns[ordinal : ordinal+1])
	for _, a := range data.Chunks() {
		c := sqlstate.Must(arrowfile.Chunk(retyped(a, f.fields[ordinal].Type), f.columns[ordinal].Type))
		sqlstate.Check(batch.Col(0).AppendChunk(c, 0, c.Rows))
	}
	block := sqlstate.Must(batch.Block())
	return block.Cols[0], nil
}

// field reads a field of the reader's manifest with some of its columns of values.
func (f *File) field(group, field int, leaves []int) (*arrow.Chunked, error) {
	included := make(map[int]bool)
	for _, leaf := range leaves {
		included[leaf] = true
	}
	r, err := f.r.GetFieldReader(context.Background(), field, included, []int{group})
	if err != nil {
		return nil, err
	}
	return f.r.ReadColumn([]int{group}, r)
}

// hasStructure reports whether there are structures in a type, as there are in maps.
func hasStructure(t arrow.DataType) bool {
	nested, ok := t.(arrow.NestedType)
	return ok && (t.ID() == arrow.STRUCT || slices.ContainsFunc(nested.Fields(), func(f arrow.Field) bool { return hasStructure(f.Type) }))
}

// checkLeaves reads the values of a column one after the other: the library reads those of structures in
// goroutines of its own, in which a panic because of a damaged file would end the process.
func (f *File) checkLeaves(group, ordinal int) {
	for _, leaf := range f.leaves[ordinal] {
		sqlstate.Must(f.field(group, len(f.columns)+leaf, []int{leaf}))
	}
}

// groupRanges reads the statistics of a row group. Statistics that cannot be
// read or understood say nothing.
func (f *File) groupRanges(group int) []rangeOf {
	out := make([]rangeOf, len(f.columns))
	meta := f.r.ParquetReader().RowGroup(group).MetaData()
	for i := range out {
		if len(f.r.Manifest.Fields[i].Children) > 0 {
			continue
		}
		chunk, err := meta.ColumnChunk(f.leaves[i][0])
		if err != nil {
			continue
		}
		if set, err := chunk.StatsSet(); err != nil || !set {
			continue
		}
		s, err := chunk.Statistics()
		if err != nil || s == nil {
			continue
		}
		out[i] = rangeFrom(s, f.fields[i].Type)
		if s.HasNullCount() {
			out[i].nulls, out[i].known = s.NullCount(), true
			out[i].all = s.NullCount() == 0
		}
	}
	return out
}

// sumUp makes the statistics of the columns from those of the row groups.
func (f *File) sumUp() {
	f.stats = make([]algebra.Stats, len(f.columns))
	for i := range f.stats {
		s := &f.stats[i]
		s.HasBounds, s.Min, s.Max = len(f.ranges) > 0, math.MaxInt64, math.MinInt64
		for g := range f.ranges {
			r := &f.ranges[g][i]
			s.Nulls += r.nulls
			if r.known && r.nulls == int64(f.rows[g]) {
				continue
			}
			s.HasBounds = s.HasBounds && r.ok
			s.Min, s.Max = min(s.Min, r.lo), max(s.Max, r.hi)
		}
		if s.HasBounds = s.HasBounds && s.Min <= s.Max; !s.HasBounds {
			s.Min, s.Max = 0, 0
		}
	}
}
