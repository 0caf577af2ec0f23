package cuda

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// stored is a column in device memory with the arguments that lead to it.
type stored struct {
	name              string
	shape             ColumnShape
	data, valid, base Arg
}

// sourceColumn finds the column that a value is loaded from, where it is one of
// the source.
func (r *renderer) sourceColumn(id kernel.ValueID) (stored, bool) {
	switch s := r.f.Source.(type) {
	case *kernel.Scan:
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
		name: r.f.Values[c.Dst].Name, shape: r.shapes[input].Columns[c.Ordinal],
		data: at(ArgData), valid: at(ArgValid), base: at(ArgBase),
	}
}

func (r *renderer) payloadColumn(input int, c kernel.SourceCol) stored {
	at := func(kind ArgKind) Arg { return Arg{Kind: kind, Input: input, Index: c.Ordinal} }
	return stored{
		name: r.f.Values[c.Dst].Name, shape: r.shapes[input].Table.Payload[c.Ordinal],
		data: at(ArgTableData), valid: at(ArgTableValid), base: at(ArgTableBase),
	}
}

// dataArg is the expression of a column's data.
func (r *renderer) dataArg(c stored) string {
	return r.arg(c.data, "const "+elements[c.shape.Encoding]+"* __restrict__", c.name)
}

func (r *renderer) validArg(c stored) string {
	return r.arg(c.valid, "const u32* __restrict__", "validity of "+c.name)
}

func (r *renderer) baseArg(c stored) string {
	return r.arg(c.base, "i64", "least "+c.name)
}

// use makes sure that columns of the source are loaded, for the rows that are
// active. What filters out rows before spares their loads.
func (e *entry) use(ids ...kernel.ValueID) {
	for _, id := range ids {
		if id == kernel.NoValue || e.loaded[id] {
			continue
		}
		if l, ok := e.pending[id]; ok {
			delete(e.pending, id)
			e.loaded[id] = true
			e.loadPayload(l)
		}
		if c, ok := e.sourceColumn(id); ok {
			e.loaded[id] = true
			e.load(id, c)
		}
	}
}

// useAll makes sure that everything is loaded: for what stands in a loop.
func (e *entry) useAll() {
	for id := range e.f.Values {
		e.use(kernel.ValueID(id))
	}
}

// load writes the load of a column of the source.
func (e *entry) load(id kernel.ValueID, c stored) {
	nulls := ""
	if c.shape.Encoding == EncNull {
		nulls = "ALL"
	}
	v := &e.f.Values[id]
	if v.Type == kernel.Bool {
		e.line("u32 %s = 0;%s", e.name(id), e.about(id, "load"))
	} else {
		e.line("%s %s[R] = {};%s", e.ctype(v.Type), e.name(id), e.about(id, "load"))
	}
	e.declareNulls(id, nulls)
	if c.shape.Encoding == EncNull {
		return
	}
	e.begin("QUADS if (active >> 4 * q & 15)")
	e.line("const i64 row = first + q * QUAD_STRIDE;")
	if c.shape.Encoding == EncBits {
		e.line("%s |= load_bits(%s, row) << 4 * q;", e.name(id), e.dataArg(c))
	} else {
		e.line("%s;", e.loadQuad(id, c))
	}
	if c.shape.Nullable && v.Nullable {
		e.line("%s |= (~load_bits(%s, row) & 15) << 4 * q;", e.nulls(id), e.validArg(c))
	}
	e.end()
}

// loadQuad is the call that loads a quad of a column that is not of booleans.
func (e *entry) loadQuad(id kernel.ValueID, c stored) string {
	to := e.name(id) + " + 4 * q"
	switch enc := c.shape.Encoding; {
	case enc.isOffset():
		return fmt.Sprintf("load_%s(%s, %s, row, %s)", elements[enc], to, e.dataArg(c), e.baseArg(c))
	case enc == EncI128:
		return fmt.Sprintf("load_i128(%s, %s, row)", to, e.dataArg(c))
	case enc == EncSpans:
		return fmt.Sprintf("load_span(%s, %s, row)", to, e.dataArg(c))
	case enc == EncNum:
		return fmt.Sprintf("load_num(%s, %s, row)", to, e.dataArg(c))
	default:
		return fmt.Sprintf("load_%s(%s, %s, row)", elements[enc], to, e.dataArg(c))
	}
}

// fetch is the element of a column at a place.
func (r *renderer) fetch(c stored, at string, t kernel.Type) string {
	switch enc := c.shape.Encoding; {
	case enc == EncBits:
		return fmt.Sprintf("bit_at(%s, %s)", r.dataArg(c), at)
	case enc == EncI128:
		return fmt.Sprintf("get_i128(%s, %s)", r.dataArg(c), at)
	case enc == EncSpans:
		return fmt.Sprintf("get_span(%s, %s)", r.dataArg(c), at)
	case enc == EncNum:
		return fmt.Sprintf("get_num(%s, %s)", r.dataArg(c), at)
	case enc.isOffset():
		return fmt.Sprintf("(%s)(%s + %s[%s])", r.ctype(t), r.baseArg(c), r.dataArg(c), at)
	default:
		return fmt.Sprintf("%s[%s]", r.dataArg(c), at)
	}
}
