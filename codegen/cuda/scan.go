package cuda

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

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
			if e.rowsAt != "" {
				e.loadPacked(id, c)
			} else {
				e.load(id, c)
			}
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
	name, isNull := e.name(id), c.shape.Encoding == EncNull
	switch {
	case rawTypes[c.shape.Encoding] != "":
		e.Line("%s %s[R];", e.kept(id), name)
		e.Line("decode(%s, %s%s);", name, e.raw(id), e.decodeBase(c))
		if id == e.byWarp {
			e.Line("stage_quads(staged, %s);", name)
		}
	case v.Type == kernel.Bool && isNull:
		e.Line("u32 %s = 0;", name)
	case v.Type == kernel.Bool:
		e.Line("u32 %s = load_bits(active, first, %s);", name, e.dataArg(c))
	default:
		e.Line("%s %s[R] = {};", e.ctype(v.Type), name)
		if !isNull && v.Type != kernel.Str {
			e.Line("load_words(active, first, %s, %s);", name, e.dataArg(c))
		}
	}
	switch {
	case isNull:
		e.declareNulls(id, "ALL")
	case c.shape.Nullable && v.Nullable:
		e.declareNulls(id, fmt.Sprintf("load_nulls(active, first, %s)", e.validArg(c)))
	default:
		e.declareNulls(id, "")
	}
	if v.Type == kernel.Str && !isNull {
		e.loadTexts(id, c)
	}
}

// fetchAll loads the bits of those of the values that are columns of the source into
// registers, for quads of which a row is active, unless they are there.
func (e *Entry) fetchAll(ids []kernel.ValueID) {
	if e.f.GroupsSource() >= 0 {
		e.readCells(ids)
		return
	}
	var columns []fetching
	for _, id := range ids {
		c, ok := e.fetchable(id)
		if !ok || e.loaded[id] || e.fetched[id] {
			continue
		}
		e.fetched[id] = true
		e.Line("%s %s[R / 4] = {};", rawTypes[c.shape.Encoding], e.raw(id))
		if id == e.byWarp {
			e.Line("fetch_by_warp(tile, %s, %s, %s);", e.sourceRows(), e.raw(id), e.dataArg(c))
			continue
		}
		columns = append(columns, fetching{raw: e.raw(id), next: e.name(id) + "_next", ctype: rawTypes[c.shape.Encoding], data: e.dataArg(c)})
	}
	switch {
	case columns == nil:
	case e.fetchesNext:
		e.fetchNext(columns)
	default:
		args := ""
		for _, c := range columns {
			args += fmt.Sprintf(", %s, %s", c.raw, c.data)
		}
		e.Line("fetch(active, first%s);", args)
	}
}

// fetching is a column whose bits are fetched: where those of this tile and of the next one go, and where they lie.
type fetching struct{ raw, next, ctype, data string }

// fetchNext takes the bits of columns that were fetched while the tile before was gone over, and fetches those of
// the next tile.
func (e *Entry) fetchNext(columns []fetching) {
	e.fetchesNext = false
	next := ""
	for _, c := range columns {
		e.ahead += fmt.Sprintf("    %s %s[R / 4] = {};\n", c.ctype, c.next)
		e.Line("QUADS %s[q] = %s[q];", c.raw, c.next)
		next += fmt.Sprintf(", %s, %s", c.next, c.data)
	}
	const first = "(i64)blockIdx.x * TILE + threadIdx.x * 4"
	e.ahead += fmt.Sprintf("    fetch(rows_from(%s, %s), %s%s);\n", first, e.sourceRows(), first, next)
	e.Line("const i64 next_first = first + (i64)gridDim.x * TILE;")
	e.Line("fetch(rows_from(next_first, %s), next_first%s);", e.sourceRows(), next)
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
		if !isStraight(in) || e.packs && packs(in) {
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
	fetchAll := e.fetchAll
	if e.rowsAt != "" {
		fetchAll = e.loadAll
	}
	note := func(id *kernel.ValueID) { ids = append(ids, *id) }
	for _, in := range b {
		if _, ok := in.(*kernel.Compute); !ok {
			kernel.VisitBlock(kernel.Block{in}, note)
			fetchAll(ids)
			return
		}
		kernel.VisitBlock(kernel.Block{in}, note)
	}
	fetchAll(append(ids, e.reads...))
}

// loadAll loads those of the values that are columns of the source.
func (e *Entry) loadAll(ids []kernel.ValueID) {
	for _, id := range ids {
		if _, ok := e.sourceColumn(id); ok {
			e.use(id)
		}
	}
}

// isStraight reports whether an instruction is a Compute or a Filter.
func isStraight(in kernel.Instr) bool {
	switch in.(type) {
	case *kernel.Compute, *kernel.Filter:
		return true
	}
	return false
}

// loadTexts writes the load of texts: of rows that are active and not NULL, since
// the others may hold anything.
func (e *Entry) loadTexts(id kernel.ValueID, c stored) {
	there := "active"
	if n := e.nulls(id); n != "" {
		there = fmt.Sprintf("active & ~%s", n)
	}
	e.Line("ROWS if (bit(%s, r)) %s[r] = %s;", there, e.name(id), e.textElement(c, "row_of(first, r)"))
}
