package store

import (
	"bytes"
	"strings"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

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
	return checkNotNull(b.app.base.def.Name, b.columns, chunks)
}

// checkNotNull fails with 23502 for the first row that has a NULL in a column
// that takes none.
func checkNotNull(table string, columns []Column, chunks []*runtime.Chunk) error {
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
		"null value in column %q of relation %q violates not-null constraint", columns[column].Name, table)
	err.Detail = "Failing row contains (" + rowText(columns, chunks, row) + ")."
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

// rowText writes a row as messages show it.
func rowText(columns []Column, chunks []*runtime.Chunk, row int) string {
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
