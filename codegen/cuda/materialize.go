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
		r.pass(pass{name: "materialize", comment: "writes the rows that remain", open: (*entry).openPlaces, rows: func(e *entry) {
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
	r.pass(pass{name: "count", comment: "counts the rows of each tile that remain", open: (*entry).openScratch, rows: (*entry).countTile})
	r.entry("starts", "turns the rows of the tiles into where each begins", 0, (*entry).tileStarts)
	r.pass(pass{name: "materialize", comment: "writes the rows that remain in the order of the source", open: (*entry).openQuads, rows: func(e *entry) {
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

// multiplies tells whether the body makes several rows of one.
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

func (e *entry) openScratch() { e.line("__shared__ u32 scratch[WARPS];") }

func (e *entry) openPlaces() {
	e.openScratch()
	e.line("__shared__ u64 block_place;")
}

// whereActive writes what the blocks do whose tile has an active row: what takes
// places costs as much for none as for many.
func (e *entry) whereActive(body func()) {
	e.begin("if (__syncthreads_or(active))")
	body()
	e.end()
}

// takePlaces declares place, where the first active row of the thread goes. It
// counts rows for which there is no room, too.
func (e *entry) takePlaces() {
	count := e.arg(Arg{Kind: ArgCount}, "u64*", "rows that the sink has taken")
	e.line("u32 total;")
	e.line("const u32 before = block_scan<u32>(__popc(active), scratch, total);")
	e.line("if (threadIdx.x == 0) block_place = atomicAdd(%s, (u64)total);", count)
	e.line("__syncthreads();")
	e.line("u64 place = block_place + before - %s;", e.skip())
	e.line("const u64 capacity = %s;", e.capacity())
}

// capacity is the number of rows for which there is room, and skip that of the
// first rows which are not written: their places lie before 0, which is beyond
// every capacity.
func (e *entry) capacity() string {
	return e.arg(Arg{Kind: ArgCapacity}, "u64", "rows for which there is room")
}

func (e *entry) skip() string {
	return e.arg(Arg{Kind: ArgSkip}, "u64", "rows at the beginning that are not written")
}

// writeRows writes columns of the active rows, each at next, which goes on.
func (e *entry) writeRows(cols []kernel.ValueID, next string) {
	e.begin("ROWS if (bit(active, r))")
	e.line("const u64 to = %s++;", next)
	e.begin("if (to < capacity)")
	for i, id := range cols {
		e.store(i, id, "to")
	}
	e.end()
	e.end()
}

// store writes row r of a value to a place of output column i.
func (e *entry) store(i int, id kernel.ValueID, place string) {
	shape, name := e.outputs[i], e.f.Values[id].Name
	out := e.arg(Arg{Kind: ArgOutData, Index: i}, elements[shape.Encoding]+"*", "result "+name)
	guard := ""
	if shape.Nullable {
		valid := e.arg(Arg{Kind: ArgOutValid, Index: i}, "u32*", "validity of result "+name)
		e.line("if (!bit(%s, r)) set_bit(%s, %s);", e.nulls(id), valid, place)
	}
	switch enc := shape.Encoding; {
	case enc == EncBits:
		if shape.Nullable {
			guard = " && !bit(" + e.nulls(id) + ", r)"
		}
		e.line("if (%s%s) set_bit(%s, %s);", e.at(id), guard, out, place)
	case enc == EncI128:
		e.line("put_i128(%s, %s, %s);", out, place, e.at(id))
	case enc == EncTexts && shape.Nullable:
		e.line("%s[%s] = bit(%s, r) ? Text{0} : %s;", out, place, e.nulls(id), e.at(id))
	case enc == EncSpans:
		e.line("put_span(%s, %s, %s);", out, place, e.at(id))
	case enc == EncNum:
		e.line("put_num(%s, %s, %s);", out, place, e.at(id))
	case enc.isOffset():
		base := e.arg(Arg{Kind: ArgOutBase, Index: i}, "i64", "least result "+name)
		e.line("%s[%s] = (%s)((i64)%s - %s);", out, place, elements[enc], e.at(id), base)
	default:
		e.line("%s[%s] = %s;", out, place, e.at(id))
	}
}

// countTile writes the rows of a tile that are active.
func (e *entry) countTile() {
	starts := e.tileStart()
	e.line("u32 total;")
	e.line("block_scan<u32>(__popc(active), scratch, total);")
	e.line("if (threadIdx.x == 0) %s[tile / TILE] = total;", starts)
}

func (e *entry) tileStart() string {
	return e.arg(Arg{Kind: ArgTileStart}, "u64*", "rows before each tile")
}

// tileStarts sums the rows of the tiles up; one block does it.
func (e *entry) tileStarts() {
	starts := e.tileStart()
	tiles := e.arg(Arg{Kind: ArgTiles}, "i64", "tiles of the source")
	e.line("__shared__ u64 scratch[WARPS];")
	e.line("u64 before = 0;")
	e.begin("for (i64 tile = 0; tile < %s; tile += T)", tiles)
	e.line("const i64 at = tile + threadIdx.x;")
	e.line("u64 total;")
	e.line("const u64 start = before + block_scan<u64>(at < %s ? %s[at] : 0, scratch, total);", tiles, starts)
	e.line("if (at < %s) %s[at] = start;", tiles, starts)
	e.line("before += total;")
	e.end()
	e.line("if (threadIdx.x == 0) %s[%s] = before;", starts, tiles)
}

// openQuads declares the memory that the scan of a tile's quads needs.
func (e *entry) openQuads() { e.line("__shared__ u64 scratch[WARPS];") }

// placesInOrder declares places, where the rows of each of the thread's quads
// go: those of the quads that lie before it in the source come first. The counts
// of up to four quads are summed in one word.
func (e *entry) placesInOrder() {
	e.line("u64 counts = 0, sums;")
	e.line("QUADS counts |= (u64)__popc(active >> 4 * q & 15) << 16 * q;")
	e.line("const u64 before = block_scan<u64>(counts, scratch, sums);")
	e.line("const u64 capacity = %s;", e.capacity())
	e.line("u64 places[R / 4], next_quad = %s[tile / TILE] - %s;", e.tileStart(), e.skip())
	e.begin("QUADS")
	e.line("places[q] = next_quad + (before >> 16 * q & 0xffff);")
	e.line("next_quad += sums >> 16 * q & 0xffff;")
	e.end()
}
