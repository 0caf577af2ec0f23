package cuda

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// stored is a column in device memory with the arguments that lead to it.
type stored struct {
	name                     string
	shape                    ColumnShape
	data, valid, base, bytes Arg
}

// sourceRows is the number of rows of the source.
func (e *arguments) sourceRows() string {
	input := e.sourceInput()
	return e.Arg(Arg{Kind: ArgRows, Input: input}, "i64", "rows of "+e.input(input))
}

// sourceInput is the input that the source reads.
func (r *renderer) sourceInput() int {
	switch s := r.f.Source.(type) {
	case *kernel.Scan:
		return s.Input
	case *kernel.Unmatched:
		return s.Input
	}
	return 0
}

// sourceColumn finds the column that a value is loaded from, where it is one of
// the source.
func (r *renderer) sourceColumn(id kernel.ValueID) (stored, bool) {
	switch s := r.f.Source.(type) {
	case *kernel.Scan:
		if r.f.GroupsSource() >= 0 {
			break
		}
		for _, c := range s.Cols {
			if c.Dst == id {
				return r.relationColumn(s.Input, c), true
			}
		}
	case *kernel.Unmatched:
		for _, c := range s.Cols {
			if c.Dst == id {
				return r.payloadColumn(s.Input, c), true
			}
		}
	}
	return stored{}, false
}

func (r *renderer) relationColumn(input int, c kernel.SourceCol) stored {
	at := func(kind ArgKind) Arg { return Arg{Kind: kind, Input: input, Index: c.Ordinal} }
	return stored{
		name: r.name(c.Dst), shape: r.shapes[input].Columns[c.Ordinal],
		data: at(ArgData), valid: at(ArgValid), base: at(ArgBase), bytes: at(ArgBytes),
	}
}

func (r *renderer) payloadColumn(input int, c kernel.SourceCol) stored {
	at := func(kind ArgKind) Arg { return Arg{Kind: kind, Input: input, Index: c.Ordinal} }
	return stored{
		name: r.name(c.Dst), shape: r.shapes[input].Table.Payload[c.Ordinal],
		data: at(ArgTableData), valid: at(ArgTableValid), base: at(ArgTableBase),
	}
}

// dataArg is the expression of a column's data.
func (r *renderer) dataArg(c stored) string {
	return r.Arg(c.data, "const "+elements[c.shape.Encoding]+"* __restrict__", c.name)
}

func (r *renderer) validArg(c stored) string {
	return r.Arg(c.valid, "const u32* __restrict__", "validity of "+c.name)
}

func (r *renderer) baseArg(c stored) string {
	return r.Arg(c.base, "i64", "minimum of "+c.name)
}

// element is the element of a column at a place.
func (r *renderer) element(c stored, at string, t kernel.Type) string {
	switch enc := c.shape.Encoding; {
	case enc == EncBits:
		return fmt.Sprintf("bit_at(%s, %s)", r.dataArg(c), at)
	case enc == EncI128:
		return fmt.Sprintf("get_i128(%s, %s)", r.dataArg(c), at)
	case enc == EncIntervals:
		return fmt.Sprintf("get_interval(%s, %s)", r.dataArg(c), at)
	case enc == EncStr, enc == EncTexts:
		return r.textElement(c, at)
	case enc == EncNum:
		return fmt.Sprintf("get_num(%s, %s)", r.dataArg(c), at)
	case enc.isOffset():
		return fmt.Sprintf("(%s)(%s + %s[%s])", r.ctype(t), r.baseArg(c), r.dataArg(c), at)
	default:
		return fmt.Sprintf("%s[%s]", r.dataArg(c), at)
	}
}

// textElement is the text at a place of a column.
func (r *renderer) textElement(c stored, at string) string {
	if c.shape.Encoding == EncStr {
		return fmt.Sprintf("text_at(%s, %s, %s)", r.dataArg(c), r.Arg(c.bytes, "const u8* __restrict__", "bytes of "+c.name), at)
	}
	return fmt.Sprintf("%s[%s]", r.dataArg(c), at)
}

// rawTypes are the types of the bits of a quad, of encodings that are fetched and
// decoded in two steps.
var rawTypes = map[Encoding]string{EncU8: "u32", EncU16: "u32x2", EncU32: "u32x4", EncI64: "u64x4", EncF64: "u64x4"}

// fetchable finds a column of the source that is fetched and decoded.
func (e *Entry) fetchable(id kernel.ValueID) (stored, bool) {
	if id == kernel.NoValue || e.rowsAt != "" {
		return stored{}, false
	}
	c, ok := e.sourceColumn(id)
	return c, ok && rawTypes[c.shape.Encoding] != ""
}

// raw is the variable of a column's bits.
func (e *Entry) raw(id kernel.ValueID) string { return e.name(id) + "_raw" }

// decodeBase is the argument of decode after the bits.
func (e *Entry) decodeBase(c stored) string {
	if c.shape.Encoding.isOffset() {
		return ", " + e.baseArg(c)
	}
	return ""
}
