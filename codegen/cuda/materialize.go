package cuda

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// materialize renders a Materialize: the rows that remain are written one after
// the other. In any order, a block takes places from a global counter for all
// its rows at once. In the source's order, one pass counts the rows of each tile,
// and another writes them where the sums say.
func (r *renderer) materialize(s *kernel.Materialize) {
	for _, id := range s.Cols {
		r.output(id)
	}
	if !s.Ordered {
		r.Pass(Pass{Name: "materialize", Comment: "writes the rows that remain", Open: (*Entry).openPlaces, Rows: func(e *Entry) {
			e.whereActive(func() {
				e.takePlaces()
				e.writeRows(s.Cols, "place")
			})
		}})
		return
	}
	if r.multiplies() {
		r.refuse("there is no device code that keeps the order of rows that a join multiplies")
		return
	}
	r.Pass(Pass{Name: "count", Comment: "counts the rows of each tile that remain", Open: (*Entry).openScratch, Rows: (*Entry).countTile})
	r.entry("starts", "turns the rows of the tiles into where each begins", 0, (*Entry).tileStarts)
	r.Pass(Pass{Name: "materialize", Comment: "writes the rows that remain in the order of the source", Open: (*Entry).openQuads, Rows: func(e *Entry) {
		e.placesInOrder()
		e.writeRows(s.Cols, "places[r / 4]")
	}})
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

func (e *Entry) openScratch() { e.Line("__shared__ u32 scratch[WARPS];") }

func (e *Entry) openPlaces() {
	e.openScratch()
	e.Line("__shared__ u64 block_place;")
}

// whereActive writes what the blocks do whose tile has an active row: what takes
// places costs as much for none as for many.
func (e *Entry) whereActive(body func()) {
	e.Begin("if (__syncthreads_or(active))")
	body()
	e.End()
}

// takePlaces declares place, where the first active row of the thread goes. It
// counts rows for which there is no room, too.
func (e *Entry) takePlaces() {
	count := e.Arg(Arg{Kind: ArgCount}, "u64*", "rows of the sink")
	e.Line("u32 total;")
	e.Line("const u32 before = block_scan<u32>(__popc(active), scratch, total);")
	e.Line("if (threadIdx.x == 0) block_place = atomicAdd(%s, (u64)total);", count)
	e.Line("__syncthreads();")
	e.Line("u64 place = block_place + before - %s;", e.skip())
	e.Line("const u64 capacity = %s;", e.capacity())
}

// capacity is the number of rows for which there is room, and skip that of the
// first rows which are not written: their places lie before 0, which is beyond
// every capacity.
func (e *Entry) capacity() string {
	return e.Arg(Arg{Kind: ArgCapacity}, "u64", "rows for which there is room")
}

func (e *Entry) skip() string {
	return e.Arg(Arg{Kind: ArgSkip}, "u64", "rows at the beginning that are not written")
}

// writeRows writes columns of the active rows, each at next, which goes on.
func (e *Entry) writeRows(cols []kernel.ValueID, next string) {
	e.Begin("ROWS if (bit(active, r))")
	e.Line("const u64 to = %s++;", next)
	e.Begin("if (to < capacity)")
	for i, id := range cols {
		e.store(i, id, "to")
	}
	e.End()
	e.End()
}

// store writes row r of a value to a place of output column i.
func (e *Entry) store(i int, id kernel.ValueID, place string) {
	shape, name := e.outputs[i], e.name(id)
	out := e.Arg(Arg{Kind: ArgOutData, Index: i}, elements[shape.Encoding]+"*", "result "+name)
	guard := ""
	if shape.Nullable {
		valid := e.Arg(Arg{Kind: ArgOutValid, Index: i}, "u32*", "validity of result "+name)
		e.Line("if (!bit(%s, r)) set_bit(%s, %s);", e.nulls(id), valid, place)
	}
	switch enc := shape.Encoding; {
	case enc == EncBits:
		if shape.Nullable {
			guard = " && !bit(" + e.nulls(id) + ", r)"
		}
		e.Line("if (%s%s) set_bit(%s, %s);", e.At(id), guard, out, place)
	case enc == EncI128:
		e.Line("put_i128(%s, %s, %s);", out, place, e.At(id))
	case enc == EncTexts && shape.Nullable:
		e.Line("%s[%s] = bit(%s, r) ? Text{0} : %s;", out, place, e.nulls(id), e.At(id))
	case enc == EncIntervals:
		e.Line("put_interval(%s, %s, %s);", out, place, e.At(id))
	case enc == EncNum:
		e.Line("put_num(%s, %s, %s);", out, place, e.At(id))
	case enc.isOffset():
		base := e.Arg(Arg{Kind: ArgOutBase, Index: i}, "i64", "least result "+name)
		e.Line("%s[%s] = (%s)((i64)%s - %s);", out, place, elements[enc], e.At(id), base)
	default:
		e.Line("%s[%s] = %s;", out, place, e.At(id))
	}
}

// countTile writes the rows of a tile that are active.
func (e *Entry) countTile() {
	starts := e.tileStart()
	e.Line("u32 total;")
	e.Line("block_scan<u32>(__popc(active), scratch, total);")
	e.Line("if (threadIdx.x == 0) %s[tile / TILE] = total;", starts)
}

func (e *Entry) tileStart() string {
	return e.Arg(Arg{Kind: ArgTileStart}, "u64*", "rows before each tile")
}

// tileStarts sums the rows of the tiles up; one block does it.
func (e *Entry) tileStarts() {
	starts := e.tileStart()
	tiles := e.Arg(Arg{Kind: ArgTiles}, "i64", "tiles of the source")
	e.Line("__shared__ u64 scratch[WARPS];")
	e.Line("u64 before = 0;")
	e.Begin("for (i64 tile = 0; tile < %s; tile += T)", tiles)
	e.Line("const i64 at = tile + threadIdx.x;")
	e.Line("u64 total;")
	e.Line("const u64 start = before + block_scan<u64>(at < %s ? %s[at] : 0, scratch, total);", tiles, starts)
	e.Line("if (at < %s) %s[at] = start;", tiles, starts)
	e.Line("before += total;")
	e.End()
	e.Line("if (threadIdx.x == 0) %s[%s] = before;", starts, tiles)
}

// openQuads declares the memory that the scan of a tile's quads needs.
func (e *Entry) openQuads() { e.Line("__shared__ u64 scratch[WARPS];") }

// placesInOrder declares places, where the rows of each of the thread's quads
// go: those of the quads that lie before it in the source come first. The counts
// of up to four quads are summed in one word.
func (e *Entry) placesInOrder() {
	e.Line("u64 counts = 0, sums;")
	e.Line("QUADS counts |= (u64)__popc(active >> 4 * q & 15) << 16 * q;")
	e.Line("const u64 before = block_scan<u64>(counts, scratch, sums);")
	e.Line("const u64 capacity = %s;", e.capacity())
	e.Line("u64 places[R / 4], next_quad = %s[tile / TILE] - %s;", e.tileStart(), e.skip())
	e.Begin("QUADS")
	e.Line("places[q] = next_quad + (before >> 16 * q & 0xffff);")
	e.Line("next_quad += sums >> 16 * q & 0xffff;")
	e.End()
}
