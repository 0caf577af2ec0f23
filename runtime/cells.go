package runtime

import (
	"time"
	"unicode/utf8"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// CellRows is how many rows a caller formats at a time, so that the cells of some
// columns stay in cache.
const CellRows = 512

// Cells is a part of a column in the format of a client: the bytes of each row,
// one after the other. Its memory is used again by each call of Text and Binary.
// It is for one goroutine.
type Cells struct {
	// Zone is the time zone in which moments are written; nil is UTC.
	Zone *time.Location
	// Style is that of dates, intervals and floats.
	Style value.Style
	// Names returns the name of an object identifier that is written as one.
	Names func(algebra.Alias, int64) string

	chunk *Chunk
	first int // row of the chunk that is row 0 here

	bytes []byte
	ends  []uint32 // row i is bytes[ends[i]:ends[i+1]]
	codes []int64  // not nil: row i is the text of this code in the chunk's dictionary

	own     []byte // where bytes lie that are not the chunk's
	ownEnds []uint32
	ints    []int64 // where integers lie that are not the chunk's
	bools   []bool
}

// maxKept bounds the memory that Release keeps, in bytes for each of its parts.
const maxKept = 64 << 10

// Release lets go of the chunk, and keeps a little memory for the next one.
func (c *Cells) Release() {
	c.chunk, c.codes, c.bytes, c.ends = nil, nil, nil, nil
	if cap(c.own) > maxKept {
		c.own = nil
	}
}

// IsNull reports whether row i is NULL.
func (c *Cells) IsNull(i int) bool { return !c.chunk.IsValid(c.first + i) }

// Bytes are those of row i, which must not be NULL. They are valid until the
// cells are used again, and may be the chunk's: they must not be changed.
func (c *Cells) Bytes(i int) []byte {
	if c.codes != nil {
		return textBytes(c.chunk.Dict.Texts[c.codes[i]])
	}
	return c.bytes[c.ends[i]:c.ends[i+1]]
}

// Text formats rows from to to-1 of a chunk of SQL type t as PostgreSQL writes
// them.
func (c *Cells) Text(chunk *Chunk, t algebra.Type, from, to int) {
	if isPadded(chunk, t) {
		c.padded(chunk, t, from, to)
		return
	}
	if isArrays(chunk, t) {
		if shown := algebra.ShownElement(t, c.Style, c.Zone); shown.Differs() {
			c.chunk, c.first, c.codes = chunk, from, nil
			format(c, chunk.texts(from, to), func(dst []byte, s string) []byte { return appendShown(dst, s, shown) })
			return
		}
	}
	if c.share(chunk, from, to) {
		return
	}
	switch chunk.Type {
	case kernel.Bool:
		format(c, c.booleans(from, to), appendBool)
	case kernel.F64:
		write := c.Style.AppendFloat64
		if t.Kind == algebra.Float32 {
			write = c.Style.AppendFloat32
		}
		format(c, chunk.F64[from:to], write)
	case kernel.Num:
		format(c, chunk.Nums[from:to], appendNum)
	case kernel.Interval:
		format(c, chunk.Intervals[from:to], c.Style.AppendInterval)
	default:
		c.integerText(t, from, to)
	}
}

// integerText formats what is stored as integers.
func (c *Cells) integerText(t algebra.Type, from, to int) {
	switch {
	case c.chunk.Enc == EncI128:
		format(c, c.chunk.I128[from:to], func(dst []byte, x value.Int128) []byte {
			return value.AppendDecimal(dst, x, int(t.Scale))
		})
	case c.isDecimal(t):
		format(c, c.integers(from, to), func(dst []byte, x int64) []byte {
			return value.AppendDecimal64(dst, x, int(t.Scale))
		})
	case t.Kind == algebra.Date:
		format(c, c.integers(from, to), func(dst []byte, x int64) []byte { return c.Style.AppendDate(dst, int32(x)) })
	case t.Kind == algebra.Timestamp:
		format(c, c.integers(from, to), c.Style.AppendTimestamp)
	case t.Kind == algebra.Time:
		format(c, c.integers(from, to), value.AppendTime)
	case t.Kind == algebra.Enum:
		c.labels(t, from, to)
	case t.Kind == algebra.TimestampTZ:
		zone := zoneOf(c.Zone)
		format(c, c.integers(from, to), func(dst []byte, x int64) []byte { return c.Style.AppendTimestampTZ(dst, x, zone) })
	case t.Alias.IsName():
		format(c, c.integers(from, to), func(dst []byte, x int64) []byte { return append(dst, c.Names(t.Alias, x)...) })
	default:
		format(c, c.integers(from, to), value.AppendInt)
	}
}

// labels formats values of an enum, whose formats are the same.
func (c *Cells) labels(t algebra.Type, from, to int) {
	format(c, c.integers(from, to), func(dst []byte, x int64) []byte { return append(dst, t.Enum.Label(x)...) })
}

// isDecimal reports whether integers of type t are unscaled decimals.
func (c *Cells) isDecimal(t algebra.Type) bool {
	return t.Kind == algebra.Decimal || c.chunk.Type == kernel.I128
}

// Binary formats rows from to to-1 of a chunk of SQL type t in PostgreSQL's
// binary format of the type.
func (c *Cells) Binary(chunk *Chunk, t algebra.Type, from, to int) {
	switch {
	case isArrays(chunk, t):
		c.arrays(chunk, t, from, to)
		return
	case t.Kind == algebra.Record && chunk.Nulls < chunk.Rows:
		c.rows(chunk, t, from, to)
		return
	case isHeld(t) && chunk.Nulls < chunk.Rows:
		c.chunk, c.first, c.codes = chunk, from, nil
		format(c, chunk.texts(from, to), func(dst []byte, s string) []byte { return appendHeld(dst, s, t) })
		return
	case isPadded(chunk, t):
		c.padded(chunk, t, from, to)
		return
	}
	if c.share(chunk, from, to) {
		return
	}
	switch chunk.Type {
	case kernel.Bool:
		format(c, c.booleans(from, to), appendBinaryBool)
	case kernel.F64:
		write := appendBinaryFloat
		if t.Kind == algebra.Float32 {
			write = appendBinaryReal
		}
		format(c, chunk.F64[from:to], write)
	case kernel.Num:
		format(c, chunk.Nums[from:to], appendNumeric)
	case kernel.Interval:
		format(c, chunk.Intervals[from:to], appendBinaryInterval)
	default:
		c.integerBinary(t, from, to)
	}
}

// integerBinary formats what is stored as integers.
func (c *Cells) integerBinary(t algebra.Type, from, to int) {
	switch {
	case c.chunk.Enc == EncI128:
		format(c, c.chunk.I128[from:to], func(dst []byte, x value.Int128) []byte {
			return appendNumeric(dst, value.Num{Coef: x, Scale: t.Scale})
		})
	case c.isDecimal(t):
		format(c, c.integers(from, to), func(dst []byte, x int64) []byte {
			return appendNumeric(dst, value.Num{Coef: value.Int128Of(x), Scale: t.Scale})
		})
	case t.Kind == algebra.Int16:
		format(c, c.integers(from, to), appendInt16)
	case t.Kind == algebra.Int32, t.Alias != algebra.NoAlias:
		format(c, c.integers(from, to), appendInt32)
	case t.Kind == algebra.Date:
		format(c, c.integers(from, to), appendBinaryDate)
	case t.Kind == algebra.Timestamp, t.Kind == algebra.TimestampTZ:
		format(c, c.integers(from, to), appendBinaryTimestamp)
	case t.Kind == algebra.Enum:
		c.labels(t, from, to)
	default:
		format(c, c.integers(from, to), appendInt64)
	}
}

// share starts on rows of a chunk, and has done all where the chunk's own bytes
// can be given: both formats of a text are its bytes, and the text of an array is held. A chunk of NULLs alone has
// no values to read.
func (c *Cells) share(chunk *Chunk, from, to int) bool {
	c.chunk, c.first, c.codes = chunk, from, nil
	switch {
	case chunk.Nulls == chunk.Rows:
		return true
	case chunk.Type == kernel.Code:
		c.codes = c.integers(from, to)
		return true
	case chunk.Type == kernel.Str:
		c.bytes, c.ends = chunk.Bytes, chunk.Offsets[from:to+1]
		return true
	}
	return false
}

// format appends the values that are not NULL one after the other.
func format[T any](c *Cells, values []T, add func([]byte, T) []byte) {
	dst, ends := c.own[:0], append(c.ownEnds[:0], 0)
	if c.chunk.Valid == nil {
		for _, v := range values {
			dst = add(dst, v)
			ends = append(ends, uint32(len(dst)))
		}
	} else {
		for i, v := range values {
			if !c.IsNull(i) {
				dst = add(dst, v)
			}
			ends = append(ends, uint32(len(dst)))
		}
	}
	c.own, c.ownEnds = dst, ends
	c.bytes, c.ends = dst, ends
}

// integers are the integers of the rows.
func (c *Cells) integers(from, to int) []int64 {
	chunk := c.chunk
	out := c.ints[:0]
	switch chunk.Enc {
	case EncU8:
		out = widen(out, chunk.U8[from:to], chunk.Base)
	case EncU16:
		out = widen(out, chunk.U16[from:to], chunk.Base)
	case EncU32:
		out = widen(out, chunk.U32[from:to], chunk.Base)
	case EncI64:
		return chunk.I64[from:to]
	default:
		for range to - from {
			out = append(out, chunk.Base)
		}
	}
	c.ints = out
	return out
}

// widen appends stored offsets from base as the integers that they stand for.
func widen[T uint8 | uint16 | uint32](dst []int64, stored []T, base int64) []int64 {
	for _, v := range stored {
		dst = append(dst, int64(v)+base)
	}
	return dst
}

// booleans are those of the rows.
func (c *Cells) booleans(from, to int) []bool {
	out := c.bools[:0]
	for i := from; i < to; i++ {
		out = append(out, c.chunk.Bits[i>>3]&(1<<(i&7)) != 0)
	}
	c.bools = out
	return out
}

// arrays formats rows of a chunk of arrays in binary.
func (c *Cells) arrays(chunk *Chunk, t algebra.Type, from, to int) {
	c.chunk, c.first, c.codes = chunk, from, nil
	element := value.Shown{Element: algebra.ElementOf(t)}
	format(c, chunk.texts(from, to), func(dst []byte, s string) []byte { return appendArray(dst, s, t, element) })
}

// appendShown appends an array as elements are shown; one that has none of its elements as it is.
func appendShown(dst []byte, array string, shown value.Shown) []byte {
	text, err := shown.Show(nil, array)
	if err != nil {
		text = array
	}
	return long.AppendText(dst, text)
}

// rows formats rows of a chunk of a row type in binary.
func (c *Cells) rows(chunk *Chunk, t algebra.Type, from, to int) {
	c.chunk, c.first, c.codes = chunk, from, nil
	style := rowStyle{c.Style, c.Zone}
	format(c, chunk.texts(from, to), func(dst []byte, s string) []byte { return style.appendRow(dst, s, t) })
}

// padded formats texts of character(n).
func (c *Cells) padded(chunk *Chunk, t algebra.Type, from, to int) {
	c.chunk, c.first, c.codes = chunk, from, nil
	format(c, chunk.texts(from, to), func(dst []byte, s string) []byte { return appendBlanks(append(dst, s...), s, t) })
}

// maxBlanks bounds what Cells take for the blanks of character(n), in bytes of a column.
const maxBlanks = 1 << 20

// CellRowsOf is how many rows a caller formats at a time of a column of some type: CellRows,
// but for those whose blanks would take too much.
func CellRowsOf(t algebra.Type) int {
	if !hasBlanks(t) {
		return CellRows
	}
	return max(1, min(CellRows, maxBlanks/int(t.Length)))
}

// hasBlanks reports whether values are shown with blanks that they are kept without.
func hasBlanks(t algebra.Type) bool { return t.IsChar() && t.Length > 0 }

// appendBlanks appends the blanks that follow a value of character(n).
func appendBlanks(dst []byte, s string, t algebra.Type) []byte {
	for n := utf8.RuneCountInString(s); n < int(t.Length); n++ {
		dst = append(dst, ' ')
	}
	return dst
}

// isPadded reports whether a chunk holds values of character(n), and not NULLs alone.
func isPadded(chunk *Chunk, t algebra.Type) bool {
	return hasBlanks(t) && chunk.Nulls < chunk.Rows && (chunk.Type == kernel.Str || chunk.Type == kernel.Code)
}

// AppendText appends v, a value of SQL type t that is not NULL, as PostgreSQL
// writes it in a style and in a time zone, of which nil is UTC.
func AppendText(dst []byte, v value.Value, t algebra.Type, style value.Style, zone *time.Location) []byte {
	switch v.Kind {
	case value.Bool:
		return appendBool(dst, v.B)
	case value.Float:
		if t.Kind == algebra.Float32 {
			return style.AppendFloat32(dst, v.F)
		}
		return style.AppendFloat64(dst, v.F)
	case value.Decimal:
		return v.Num.Append(dst)
	case value.Text:
		if t.Kind == algebra.Array {
			if shown := algebra.ShownElement(t, style, zone); shown.Differs() {
				return appendShown(dst, v.S, shown)
			}
		}
		dst = long.AppendText(dst, v.S)
		if hasBlanks(t) {
			dst = appendBlanks(dst, v.S, t)
		}
		return dst
	case value.Intervals:
		return style.AppendInterval(dst, v.Interval)
	}
	switch t.Kind {
	case algebra.Date:
		return style.AppendDate(dst, int32(v.I))
	case algebra.Timestamp:
		return style.AppendTimestamp(dst, v.I)
	case algebra.Time:
		return value.AppendTime(dst, v.I)
	case algebra.Enum:
		return append(dst, t.Enum.Label(v.I)...)
	case algebra.TimestampTZ:
		return style.AppendTimestampTZ(dst, v.I, zoneOf(zone))
	}
	return value.AppendInt(dst, v.I)
}

// zoneOf is a time zone, or UTC for nil.
func zoneOf(zone *time.Location) *time.Location {
	if zone == nil {
		return time.UTC
	}
	return zone
}

func appendBool(dst []byte, b bool) []byte {
	if b {
		return append(dst, 't')
	}
	return append(dst, 'f')
}

func appendNum(dst []byte, n value.Num) []byte { return n.Append(dst) }
