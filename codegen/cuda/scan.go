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
		data: at(ArgData), valid: at(ArgValid), base: at(ArgBase), bytes: at(ArgBytes),
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
	return r.Arg(c.data, "const "+elements[c.shape.Encoding]+"* __restrict__", c.name)
}

func (r *renderer) validArg(c stored) string {
	return r.Arg(c.valid, "const u32* __restrict__", "validity of "+c.name)
}

func (r *renderer) baseArg(c stored) string {
	return r.Arg(c.base, "i64", "least "+c.name)
}

// use makes sure that columns of the source are loaded, for the rows that are
// active, all at once. What filters out rows before spares their loads.
func (e *Entry) use(ids ...kernel.ValueID) {
	e.fetchAll(ids)
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
func (e *Entry) useAll() {
	for id := range e.f.Values {
		e.use(kernel.ValueID(id))
	}
}

// load writes the load of a column of the source, whose bits have been fetched
// where they are at all.
func (e *Entry) load(id kernel.ValueID, c stored) {
	v := &e.f.Values[id]
	nulls := ""
	if c.shape.Encoding == EncNull {
		nulls = "ALL"
	}
	switch {
	case rawTypes[c.shape.Encoding] != "":
		e.Line("%s %s[R];%s", e.kept(id), e.name(id), e.about(id, "load"))
		e.Line("QUADS decode(%s + 4 * q, %s[q]%s);", e.name(id), e.raw(id), e.decodeBase(c))
	case v.Type == kernel.Bool:
		e.Line("u32 %s = 0;%s", e.name(id), e.about(id, "load"))
	default:
		e.Line("%s %s[R] = {};%s", e.ctype(v.Type), e.name(id), e.about(id, "load"))
	}
	e.declareNulls(id, nulls)
	if c.shape.Encoding == EncNull {
		return
	}
	e.loadQuads(id, c)
	if v.Type == kernel.Str {
		e.loadTexts(id, c)
	}
}

// loadQuads writes the loads of what is not fetched as it is.
func (e *Entry) loadQuads(id kernel.ValueID, c stored) {
	v := &e.f.Values[id]
	nullable := c.shape.Nullable && v.Nullable
	if (rawTypes[c.shape.Encoding] != "" || v.Type == kernel.Str) && !nullable {
		return
	}
	e.Begin("QUADS if (active >> 4 * q & 15)")
	e.Line("const i64 row = first + q * QUAD_STRIDE;")
	switch c.shape.Encoding {
	case EncBits:
		e.Line("%s |= load_bits(%s, row) << 4 * q;", e.name(id), e.dataArg(c))
	case EncI128:
		e.Line("load_i128(%s + 4 * q, %s, row);", e.name(id), e.dataArg(c))
	case EncSpans:
		e.Line("load_span(%s + 4 * q, %s, row);", e.name(id), e.dataArg(c))
	case EncNum:
		e.Line("load_num(%s + 4 * q, %s, row);", e.name(id), e.dataArg(c))
	}
	if nullable {
		e.Line("%s |= (~load_bits(%s, row) & 15) << 4 * q;", e.nulls(id), e.validArg(c))
	}
	e.End()
}

// rawTypes are the types of the bits of a quad, of encodings that are fetched and
// decoded in two steps.
var rawTypes = map[Encoding]string{EncU8: "u32", EncU16: "u32x2", EncU32: "u32x4", EncI64: "u64x4", EncF64: "u64x4"}

// raw is the variable of a column's bits.
func (e *Entry) raw(id kernel.ValueID) string { return e.name(id) + "_raw" }

// decodeBase is the argument of decode after the bits.
func (e *Entry) decodeBase(c stored) string {
	if c.shape.Encoding.isOffset() {
		return ", " + e.baseArg(c)
	}
	return ""
}

// fetchAll brings the bits of those of the values that are columns of the source to
// registers, for quads of which a row is active, unless they are there.
func (e *Entry) fetchAll(ids []kernel.ValueID) {
	var loads []string
	for _, id := range ids {
		c, ok := e.fetchable(id)
		if !ok || e.loaded[id] || e.fetched[id] {
			continue
		}
		e.fetched[id] = true
		e.Line("%s %s[R / 4] = {};", rawTypes[c.shape.Encoding], e.raw(id))
		loads = append(loads, fmt.Sprintf("fetch(%s[q], %s, first + q * QUAD_STRIDE);", e.raw(id), e.dataArg(c)))
	}
	switch len(loads) {
	case 0:
	case 1:
		e.Line("QUADS if (active >> 4 * q & 15) %s", loads[0])
	default:
		e.Begin("QUADS if (active >> 4 * q & 15)")
		for _, load := range loads {
			e.Line("%s", load)
		}
		e.End()
	}
}

// fetchable finds a column of the source that is fetched and decoded.
func (e *Entry) fetchable(id kernel.ValueID) (stored, bool) {
	if id == kernel.NoValue {
		return stored{}, false
	}
	c, ok := e.sourceColumn(id)
	return c, ok && rawTypes[c.shape.Encoding] != ""
}

// earlyBytes is how wide a value is at most whose column is fetched before it is
// known which rows are needed: the 32 bytes that memory gives at the least are then
// those of 16 rows or more, which filters seldom leave none of.
const earlyBytes = 2

// fetchEarly fetches the narrow columns that the first filters and the first probe
// read, or where it is eager all that the kernel reads, all at once at the beginning of
// a tile.
func (e *Entry) fetchEarly() {
	var ids []kernel.ValueID
	note := func(id *kernel.ValueID) {
		if c, ok := e.fetchable(*id); ok && c.shape.Encoding.Width() <= earlyBytes {
			ids = append(ids, *id)
		}
	}
	last := -1 // the last instruction that decides over rows, up to the first probe
	for i, in := range e.f.Body {
		if _, ok := in.(*kernel.Filter); ok {
			last = i
		}
		if probe, ok := in.(*kernel.Probe); ok {
			for k := range probe.Keys {
				note(&probe.Keys[k].Val)
			}
			last = i
		}
		if !isStraight(in) {
			break
		}
		if e.eager {
			last = i
		}
	}
	for _, in := range e.f.Body[:last+1] {
		if isStraight(in) {
			kernel.VisitBlock(kernel.Block{in}, note)
		}
	}
	if e.eager && last+1 == len(e.f.Body) {
		for _, id := range e.reads {
			note(&id)
		}
	}
	e.fetchAll(ids)
}

// fetchAhead fetches what the instructions up to the next one that decides over
// rows read, and what the sink reads where there is none: none of it is spared, and
// all of it is under way before the first value is needed.
func (e *Entry) fetchAhead(b kernel.Block) {
	var ids []kernel.ValueID
	note := func(id *kernel.ValueID) { ids = append(ids, *id) }
	for _, in := range b {
		if _, ok := in.(*kernel.Compute); !ok {
			kernel.VisitBlock(kernel.Block{in}, note)
			e.fetchAll(ids)
			return
		}
		kernel.VisitBlock(kernel.Block{in}, note)
	}
	e.fetchAll(append(ids, e.reads...))
}

// isStraight tells whether an instruction is a Compute or a Filter.
func isStraight(in kernel.Instr) bool {
	switch in.(type) {
	case *kernel.Compute, *kernel.Filter:
		return true
	}
	return false
}

// element is the element of a column at a place.
func (r *renderer) element(c stored, at string, t kernel.Type) string {
	switch enc := c.shape.Encoding; {
	case enc == EncBits:
		return fmt.Sprintf("bit_at(%s, %s)", r.dataArg(c), at)
	case enc == EncI128:
		return fmt.Sprintf("get_i128(%s, %s)", r.dataArg(c), at)
	case enc == EncSpans:
		return fmt.Sprintf("get_span(%s, %s)", r.dataArg(c), at)
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
