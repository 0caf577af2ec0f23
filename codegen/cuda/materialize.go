package cuda

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// writing is a Materialize of so many rows out of those of the source.
type writing struct {
	t            *Target
	f            *kernel.Func
	s            *kernel.Materialize
	rows, source float64
}

// written is what it takes to write the rows.
func (w *writing) written() float64 {
	bytes := 0.0
	for _, id := range w.s.Cols {
		shape, _ := outputShape(w.f.Values[id])
		bytes += max(float64(shape.Encoding.Width()), 1.0/8)
	}
	return w.t.Device.Bytes(w.rows * bytes)
}

// output adds a column that the kernel writes.
func (r *renderer) output(id kernel.ValueID) {
	r.ctype(r.f.Values[id].Type)
	shape, base := outputShape(r.f.Values[id])
	r.outputs, r.bases, r.results = append(r.outputs, shape), append(r.bases, base), append(r.results, id)
}

// multiplies reports whether the body makes several rows of one.
func (r *renderer) multiplies() bool {
	for _, in := range r.f.Body {
		switch in := in.(type) {
		case *kernel.Repeat:
			return true
		case *kernel.Probe:
			if r.expands(in) {
				return true
			}
		}
	}
	return false
}

// openScratch declares the shared memory in which numbers of a type are summed, and
// openPlaces that in which places are taken besides.
func (e *output) openScratch(ctype string) { e.Line("__shared__ %s scratch[WARPS];", ctype) }
func (e *output) openPlaces(ctype string) {
	e.openScratch(ctype)
	e.Line("__shared__ u64 block_place;")
}

func (e *output) openQuads() { e.openScratch("u64") }

// byWarps reports whether a warp takes places for its rows by itself: those of rows that are packed, or few.
func (e *Entry) byWarps() bool { return e.packs || e.few }

// openRows opens what takes places for rows.
func (e *Entry) openRows() {
	if !e.byWarps() {
		e.openPlaces("u32")
	}
}

// whereActive writes what the blocks do whose tile has an active row, or the warps that take places: that
// costs as much for none as for many.
func (e *Entry) whereActive(body func()) {
	any := "__syncthreads_or(active)"
	if e.byWarps() {
		any = "__any_sync(~0u, active)"
	}
	e.Begin("if (%s)", any)
	body()
	e.End()
}

// placeRows writes the loop over the active rows for which there is room, which write, those of the
// warp's lanes side by side, each at place to. It counts rows for which there is no room, too.
func (e *Entry) placeRows(write func()) {
	e.takeRows()
	e.WriteAbreast(write)
}

// takeRows declares place, where the first of the warp's active rows goes for which there is room.
func (e *Entry) takeRows() {
	take := "place_rows(scratch, block_place, "
	if e.byWarps() {
		take = "place_warp_rows("
	}
	e.Line("u64 place = %sactive, %s, %s, %s);", take, e.count(), e.skip(), e.capacity())
}

// WriteAbreast writes the loop over the active rows of a warp, which write each at place to, from place
// on.
func (e *output) WriteAbreast(write func()) { e.writeAbreast("ROWS", write) }

// writeAbreast is WriteAbreast with the loop's text.
func (e *output) writeAbreast(loop string, write func()) {
	e.Begin("%s", loop)
	e.Line("const u32 lanes = __ballot_sync(~0u, bit(active, r));")
	e.Begin("if (bit(active, r))")
	e.Line("const u64 to = place + lanes_before(lanes);")
	e.abreast = true
	write()
	e.abreast = false
	e.End()
	e.Line("place += __popc(lanes);")
	e.End()
}

// overPlaces writes the loop over so many places i of the result, one of each thread, which body
// writes.
func (e *output) overPlaces(places string, body func()) {
	e.Begin("for (u64 from = (u64)blockIdx.x * T; from < %s; from += (u64)gridDim.x * T)", places)
	e.Line("const u64 i = from + threadIdx.x;")
	e.Line("const u32 lanes = __ballot_sync(~0u, i < %s);", places)
	e.Line("if (i >= %s) break;", places)
	e.Line("const int r = 0;")
	e.abreast = true
	body()
	e.abreast = false
	e.End()
}

// count is the counter of the rows of the sink.
func (e *output) count() string {
	return e.Arg(Arg{Kind: ArgCount, Index: e.sink}, "u64*", "rows of the sink")
}

// capacity is the number of rows for which there is room, and skip that of the
// first rows which are not written: their places lie before 0, which is beyond
// every capacity.
func (e *output) capacity() string {
	return e.Arg(Arg{Kind: ArgCapacity, Index: e.sink}, "u64", "rows for which there is room")
}

func (e *arguments) skip() string {
	return e.Arg(Arg{Kind: ArgSkip}, "u64", "rows at the beginning that are not written")
}

// writeRows writes the active rows, each at next, which goes on, as write does to place to.
func (e *output) writeRows(next string, write func()) {
	e.Begin("ROWS if (bit(active, r))")
	e.Line("const u64 to = %s++;", next)
	e.Begin("if (to < capacity)")
	write()
	e.End()
	e.End()
}

// storeAll writes row r of all columns to place to.
func (e *output) storeAll(cols []kernel.ValueID) {
	for i, id := range cols {
		e.store(i, id, "to")
	}
}

// store writes row r of a value to a place of output column i.
func (e *output) store(i int, id kernel.ValueID, place string) {
	e.storeTo(e.outputColumn(i, id), id, place)
}

// outputColumn is output column i of the sink, which has a value.
func (e *output) outputColumn(i int, id kernel.ValueID) stored {
	i += e.firstOutput
	return stored{
		name: "result " + e.name(id), shape: e.outputs[i],
		data: Arg{Kind: ArgOutData, Index: i}, valid: Arg{Kind: ArgOutValid, Index: i}, base: Arg{Kind: ArgOutBase, Index: i},
	}
}

// storeTo writes row r of a value to a place of a column.
func (e *output) storeTo(c stored, id kernel.ValueID, place string) {
	out := e.Arg(c.data, elements[c.shape.Encoding]+"*", c.name)
	guard := ""
	if c.shape.Nullable {
		valid := e.Arg(c.valid, "u32*", "validity of "+c.name)
		e.setBit(valid, place, fmt.Sprintf("!bit(%s, r)", e.nulls(id)))
	}
	switch enc := c.shape.Encoding; {
	case enc == EncBits:
		if c.shape.Nullable {
			guard = " && !bit(" + e.nulls(id) + ", r)"
		}
		e.setBit(out, place, e.At(id)+guard)
	case enc == EncI128:
		e.Line("put_i128(%s, %s, %s);", out, place, e.At(id))
	case enc == EncTexts && c.shape.Nullable:
		e.Line("%s[%s] = bit(%s, r) ? Text{0} : %s;", out, place, e.nulls(id), e.At(id))
	case enc == EncIntervals:
		e.Line("put_interval(%s, %s, %s);", out, place, e.At(id))
	case enc == EncNum:
		e.Line("put_num(%s, %s, %s);", out, place, e.At(id))
	case enc.isOffset():
		e.Line("%s[%s] = (%s)((i64)%s - %s);", out, place, elements[enc], e.At(id), e.baseArg(c))
	default:
		e.Line("%s[%s] = %s;", out, place, e.At(id))
	}
}

// setBit sets the bit at a place of a bitmap where a condition holds.
func (e *output) setBit(words, place, condition string) {
	if e.abreast {
		e.Line("set_bits(lanes, %s, %s, %s);", words, place, condition)
		return
	}
	e.Line("if (%s) set_bit(%s, %s);", condition, words, place)
}

func (e *arguments) tileStart() string {
	return e.Arg(Arg{Kind: ArgTileStart}, "u64*", "rows before each tile")
}

// tileStarts sums the rows of the tiles up; one block does it.
func (e *output) tileStarts() {
	starts := e.tileStart()
	e.openQuads()
	e.Line("start_tiles(scratch, %s, %s);", e.Arg(Arg{Kind: ArgTiles}, "i64", "tiles of the source"), starts)
}
