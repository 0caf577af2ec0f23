package store

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/axiomhq/hyperloglog"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

// fullText is how many bytes of text in one column make a Batch full before it
// has runtime.BlockRows rows.
const fullText = 64 << 20

// Batch gathers rows column by column, and seals them into a Part for the
// Appender that made it, or encodes them as a Block. It is used by one goroutine
// at a time; several batches of one Appender may be filled and sealed at the
// same time.
type Batch struct {
	app     *Appender // nil: none
	columns []Column
	bufs    []*Buffer
}

// NewBatch makes a batch that belongs to no table.
func NewBatch(columns []Column) *Batch {
	b := &Batch{columns: columns, bufs: make([]*Buffer, len(columns))}
	for i, c := range columns {
		b.bufs[i] = newBuffer(c.Type, false)
	}
	return b
}

// Col is the buffer of column i. Whoever fills a batch brings all columns to
// the same number of rows before Seal.
func (b *Batch) Col(i int) *Buffer { return b.bufs[i] }

// Rows is the number of rows of the first column.
func (b *Batch) Rows() int { return b.bufs[0].rows }

// Full says that the batch makes a whole block and has to be sealed before
// more rows are appended.
func (b *Batch) Full() bool {
	if b.Rows() >= runtime.BlockRows {
		return true
	}
	return slices.ContainsFunc(b.bufs, func(buf *Buffer) bool { return len(buf.text.bytes) >= fullText })
}

// AppendRow appends one row of scalars of the columns' types.
func (b *Batch) AppendRow(vals []value.Value) error {
	for i, buf := range b.bufs {
		if err := buf.Append(vals[i]); err != nil {
			return err
		}
	}
	return nil
}

// Part is a sealed batch: encoded but for the codes of its texts, which depend
// on the parts before it.
type Part struct {
	rows int
	cols []sealed
}

// Rows is the number of rows of the part.
func (p *Part) Rows() int { return p.rows }

// sealed is one column of a Part: a chunk, or codes into a dictionary of its
// own, which then has no chunk yet.
type sealed struct {
	chunk  *runtime.Chunk
	sketch *hyperloglog.Sketch

	codes []uint32
	texts []string
	valid []byte
	nulls int
}

// countNulls is the number of NULLs.
func (s *sealed) countNulls() int {
	if s.chunk != nil {
		return s.chunk.Nulls
	}
	return s.nulls
}

// Seal encodes the rows and empties the batch for the next ones. It fails with
// 23502 when a NULL stands in a column that takes none; the detail shows the
// first such row.
func (b *Batch) Seal() (*Part, error) {
	p := &Part{rows: b.Rows(), cols: make([]sealed, len(b.bufs))}
	for i, buf := range b.bufs {
		if buf.rows != p.rows {
			return nil, fmt.Errorf("store: column %d of a batch has %d rows, the first column %d", i, buf.rows, p.rows)
		}
	}
	if err := b.CheckNulls(); err != nil {
		return nil, err
	}
	for i, buf := range b.bufs {
		var err error
		if p.cols[i], err = buf.seal(); err != nil {
			return nil, err
		}
		buf.reset(b.app.wantsDictionary(i))
	}
	return p, nil
}

// Block encodes the rows, with text written out, and empties the batch for the
// next ones.
func (b *Batch) Block() (runtime.Block, error) {
	out := runtime.Block{Rows: b.Rows(), Cols: make([]*runtime.Chunk, len(b.bufs))}
	for i, buf := range b.bufs {
		c, err := buf.Chunk()
		if err != nil {
			return runtime.Block{}, err
		}
		out.Cols[i] = c
	}
	return out, nil
}

// seal encodes what the buffer holds, for a table.
func (b *Buffer) seal() (sealed, error) {
	if b.typ.IsString() && !b.text.plain() {
		codes := append([]uint32(nil), b.text.codes...)
		return sealed{codes: codes, texts: b.text.texts, valid: b.validity(), nulls: b.nulls}, nil
	}
	c, err := b.encode()
	if err != nil {
		return sealed{}, err
	}
	return sealed{chunk: c, sketch: sketchChunk(c)}, nil
}

// validity is the bitmap of the rows that are not NULL, nil where all are.
func (b *Buffer) validity() []byte {
	if b.nulls == 0 {
		return nil
	}
	return b.valid.bytes
}

// Chunk encodes the values, with text written out, and empties the buffer, which
// must be of a batch that belongs to no table.
func (b *Buffer) Chunk() (*runtime.Chunk, error) {
	c, err := b.encode()
	if err == nil {
		b.reset(false)
	}
	return c, err
}

// encode makes a chunk of what the buffer holds. Text must be plain.
func (b *Buffer) encode() (*runtime.Chunk, error) {
	c := &runtime.Chunk{Type: PhysicalType(b.typ, false), Rows: b.rows, Valid: b.validity(), Nulls: b.nulls}
	switch {
	case storedAsInts(b.typ) && b.wide != nil:
		c.Enc, c.I128 = runtime.EncI128, b.wide
	case storedAsInts(b.typ):
		return EncodeInts(c.Type, b.ints, c.Valid, c.Nulls), nil
	case b.typ.Kind == algebra.Bool:
		c.Enc, c.Bits = runtime.EncBits, b.bools.bytes
	case b.typ.IsFloat():
		c.Enc, c.F64 = runtime.EncF64, b.flts
	case b.typ.Kind == algebra.Numeric:
		c.Enc, c.Nums = runtime.EncNum, b.nums
	case b.typ.Kind == algebra.Interval:
		c.Enc, c.Intervals = runtime.EncIntervals, b.spans
	default:
		if len(b.text.bytes) > maxBlockText {
			return nil, errTextTooLarge()
		}
		c.Enc, c.Offsets, c.Bytes = runtime.EncStr, b.text.offsets, b.text.bytes
	}
	return c, nil
}

// plainChunk writes the texts of a column with a dictionary of its own out.
func (s *sealed) plainChunk() (*runtime.Chunk, error) {
	offsets, bytes, ok := expand(s.texts, s.codes)
	if !ok {
		return nil, errTextTooLarge()
	}
	return &runtime.Chunk{
		Type: kernel.Str, Enc: runtime.EncStr, Rows: len(s.codes),
		Valid: s.valid, Nulls: s.nulls, Offsets: offsets, Bytes: bytes,
	}, nil
}

func errTextTooLarge() error {
	return value.Errorf(value.CodeProgramLimit, "the texts of one block take more than %d bytes", maxBlockText)
}

// CheckNulls fails with 23502 when a NULL stands in a column that takes none.
func (b *Batch) CheckNulls() error {
	violated := false
	for i, c := range b.columns {
		violated = violated || c.NotNull && b.bufs[i].nulls > 0
	}
	if !violated {
		return nil
	}
	chunks := make([]*runtime.Chunk, len(b.bufs))
	for i, buf := range b.bufs {
		s, err := buf.seal()
		if err == nil && s.chunk == nil {
			s.chunk, err = s.plainChunk()
		}
		if err != nil {
			return err
		}
		chunks[i] = s.chunk
	}
	return checkNotNull(&b.app.base.def, b.columns, chunks)
}

// CheckNulls fails with 23502 where a row of a relation, whose first columns are those of the
// table, has a NULL in a column that takes none.
func (t *Table) CheckNulls(rel runtime.Relation) error {
	var ordinals []int
	for i := range t.def.Columns {
		ordinals = append(ordinals, i)
	}
	for i := range rel.Blocks() {
		b, err := rel.Load(i, ordinals)
		if err == nil {
			err = checkNotNull(&t.def, t.def.Columns, b.Cols)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkNotNull fails with 23502 for the first row that has a NULL in a column
// that takes none.
func checkNotNull(table *Definition, columns []Column, chunks []*runtime.Chunk) error {
	row, column := -1, 0
	for i, c := range columns {
		if !c.NotNull || chunks[i].Nulls == 0 {
			continue
		}
		if n := firstNull(chunks[i]); row < 0 || n < row {
			row, column = n, i
		}
	}
	if row < 0 {
		return nil
	}
	err := value.Errorf(value.CodeNotNullViolation,
		"null value in column %q of relation %q violates not-null constraint", columns[column].Name, table.Name)
	err.Detail = "Failing row contains (" + RowText(columns, chunks, row) + ")."
	err.Object = table.column(columns[column].Name)
	return err
}

// firstNull is the first row of a chunk with NULLs that is NULL.
func firstNull(c *runtime.Chunk) int {
	for i := range c.Rows {
		if !c.IsValid(i) {
			return i
		}
	}
	return c.Rows
}

// shownBytes is how much of a value a message shows.
const shownBytes = 64

// RowText writes a row as messages show it.
func RowText(columns []Column, chunks []*runtime.Chunk, row int) string {
	fields := make([]string, len(columns))
	for i, c := range columns {
		if !chunks[i].IsValid(row) {
			fields[i] = "null"
			continue
		}
		text := runtime.AppendText(nil, chunks[i].Value(row, c.Type), c.Type, value.Style{}, nil)
		if len(text) > shownBytes {
			text = append(bytes.ToValidUTF8(text[:shownBytes:shownBytes], nil), "..."...)
		}
		fields[i] = string(text)
	}
	return strings.Join(fields, ", ")
}
