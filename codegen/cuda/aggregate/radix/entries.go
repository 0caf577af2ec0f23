package radix

import (
	_ "embed"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate/shared"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate/slots"
)

//go:embed radix.cuh
var code string

// The arguments of the entries, beside those of all aggregations.
var (
	argParts     = cuda.Arg{Kind: "parts"}      // of the table
	argPartSlots = cuda.Arg{Kind: "part_slots"} // of each, a power of two
	argPlaces    = cuda.Arg{Kind: "places"}     // by part: its rows, then where they begin, and then where they end
	argPieces    = cuda.Arg{Kind: "pieces"}     // how many there are, and each of them: see place_parts
	argPieceRows = cuda.Arg{Kind: "piece_rows"} // rows of a piece, at most
	argDealt     = cuda.Arg{Kind: "dealt"}      // the rows by part
	argRoom      = cuda.Arg{Kind: "room"}       // how many of them wait in a block
)

func parts(e *cuda.Entry) string { return "(u32)" + e.Arg(argParts, "u64", "parts of the table") }

func places(e *cuda.Entry) string {
	return e.Arg(argPlaces, "u64*", "rows of the parts, and where they lie")
}

func pieces(e *cuda.Entry) string {
	return e.Arg(argPieces, "u64*", "number of the pieces of parts, and the pieces")
}

func pieceRows(e *cuda.Entry) string { return e.Arg(argPieceRows, "u64", "rows of a piece") }

func dealt(e *cuda.Entry) string {
	return "(" + cuda.DealtRow + "*)" + e.Arg(argDealt, "u64*", "the rows by part")
}

// Render implements cuda.Strategy. Rows that are streamed, or have too many parts, are added to the table
// at once.
func (Strategy) Render(g *cuda.Grouping) {
	x := radix{g}
	g.SetThreads(threads)
	shared.Strategy{}.Render(g)
	slots.IncludeCode(g)
	g.IncludeDealt()
	g.Include(code)
	g.Pass(cuda.Pass{
		Name: "count", Comment: "counts the rows of the parts", Reads: g.Keys(),
		Open: x.openCount, Rows: x.count, Close: x.closeCount,
	})
	g.Entry("place", "finds where the rows of the parts begin; one block", 0, x.place)
	g.Pass(cuda.Pass{
		Name: "deal", Comment: "writes the rows by part",
		Open: x.openDeal, Rows: x.deal, Close: x.flushDeal,
	})
	g.Entry("aggregate_parts", "accumulates the rows of each part in shared memory", g.TileRows()*g.Threads(), x.group)
}

// openCount declares the numbers of the rows of parts.
func (x radix) openCount(e *cuda.Entry) {
	e.Line("extern __shared__ __align__(16) u32 part_words[];  // rows by part")
	e.Line("const u32 parts = %s;", parts(e))
	e.Line("for (u32 part = threadIdx.x; part < parts; part += T) part_words[part] = 0;")
	e.Line("__syncthreads();")
}

func (x radix) count(e *cuda.Entry) {
	x.EachKey(e, func(words []string) { e.Line("atomicAdd(part_words + part_of(spread(%s), parts), 1u);", words[0]) })
}

func (x radix) closeCount(e *cuda.Entry) {
	e.Line("__syncthreads();")
	e.Line("for (u32 part = threadIdx.x; part < parts; part += T) if (part_words[part]) atomicAdd(%s + part, (u64)part_words[part]);", places(e))
}

func (x radix) place(e *cuda.Entry) {
	e.Line("__shared__ u64 scratch[WARPS];")
	e.Line("place_parts(scratch, %s, %s, %s, %s);", parts(e), pieceRows(e), places(e), pieces(e))
}

// openDeal declares where rows wait.
func (x radix) openDeal(e *cuda.Entry) {
	e.Line("extern __shared__ __align__(16) u32 part_words[];")
	e.Line("__shared__ u32 scratch[WARPS];")
	e.Line("__shared__ u64 waiting;")
	e.Line("if (threadIdx.x == 0) waiting = 0;")
	e.Line("const Dealing<%s> dealing = dealing_of<%s>(part_words, (u32)%s, %s);", cuda.DealtRow, cuda.DealtRow, e.Arg(argRoom, "u64", "rows that wait in a block"), parts(e))
}

// deal has the rows of a tile wait, and writes all that do where there is no room for another tile.
func (x radix) deal(e *cuda.Entry) {
	x.KeysOfRows(e, cuda.ActiveRows)
	e.Line("u64 place = place_warp_rows(active, &waiting, 0, dealing.room);")
	e.WriteAbreast(func() {
		e.Line("%s& row = dealing.rows[to];", cuda.DealtRow)
		x.PutDealt(e, "row", "key[r][0]")
		e.Line("atomicAdd(dealing.counts + part_of(spread(row.key), dealing.parts), 1u);")
	})
	e.Line("__syncthreads();")
	e.Begin("if (__syncthreads_or(waiting + (u64)TILE > dealing.room))")
	x.flushDeal(e)
	e.End()
}

func (x radix) flushDeal(e *cuda.Entry) {
	e.Line("deal_rows(dealing, scratch, waiting, %s, %s);", places(e), dealt(e))
}

// group accumulates the pieces of parts, one after the other. Where a part has one alone, its slots are
// stored in the table as they are; others add their groups to those of the part.
func (x radix) group(e *cuda.Entry) {
	x.OpenTier(e, x.tier())
	e.Line("const u64 pieces = %s[0], piece_rows = %s;", pieces(e), pieceRows(e))
	e.Begin("for (u64 piece = blockIdx.x; piece < pieces; piece += gridDim.x)")
	e.Line("const u32 part = (u32)(%s[1 + piece] >> 32);", pieces(e))
	e.Line("const u64 begin = part > 0 ? %s[part - 1] : 0, end = %s[part], first_slot = (u64)part * slots.count;", places(e), places(e))
	e.Line("const u64 from = begin + (u32)%s[1 + piece] * piece_rows, until = from + piece_rows < end ? from + piece_rows : end;", pieces(e))
	e.Line("clear(slots, %d * stride, 2 * slots.count);", x.Layout.Planes)
	e.Begin("for (u64 tile = from; tile < until; tile += TILE)")
	e.Line("%s row[R] = {};", cuda.DealtRow)
	e.Line("u32 active = 0;")
	e.Line("ROWS set(active, r, tile + r * T + threadIdx.x < until);")
	e.Line("ROWS if (bit(active, r)) row[r] = (%s)[tile + r * T + threadIdx.x];", dealt(e))
	x.TakeDealt(e, "row")
	e.Line("tiles++;")
	x.AddRows(e, x.tier())
	e.End()
	e.Line("__syncthreads();")
	x.store(e)
	e.Line("__syncthreads();")
	e.End()
	x.CountGroups(e)
}

// tier are the slots of a part.
func (x radix) tier() cuda.Tier {
	return cuda.Tier{
		Slots: true, Full: true,
		Open: func(e *cuda.Entry) {
			e.Line("extern __shared__ __align__(16) u32 part_words[];  // planes, and then keys")
			e.Line("const u32 stride = (u32)%s;", e.Arg(argPartSlots, "u64", "slots of a part"))
			e.Line("const Slots slots = {part_words, part_words + %d * stride, true, stride, %s, stride, 1, 0};", x.Layout.Planes, x.Layout.HighWord())
			e.Line("const Table own = {(u64*)slots.owners, nullptr, stride - 1};")
			x.OpenTable(e)
			x.OpenCounts(e)
		},
		Locate: func(e *cuda.Entry) {
			e.Line("u32 at[R];")
			e.Line("const u32 found = find_in_part(own, active, row, at);")
			e.Line("rows_seen += __popc(active), lost += __popc(active & ~found);")
			e.Line("active = found;")
		},
	}
}

// store has the slots of the block be those of the part, or adds them to these.
func (x radix) store(e *cuda.Entry) {
	e.Line("const bool alone = end - begin <= piece_rows;")
	e.Line("const auto of_part = part_table(table, first_slot, slots.count);")
	e.Begin("for (u32 slot = threadIdx.x; slot < slots.count; slot += T)")
	e.Line("const u64 key = own.keys[slot];")
	e.Line("if (alone) put_key(of_part, slot, key);")
	e.Line("if (key == FREE) continue;")
	e.Begin("if (alone)")
	e.Line("const u64 cell = first_slot + slot;")
	e.Line("new_groups++;")
	x.PutTerms(e)
	e.Else()
	e.Line("const u32 place = find_word<WordKey, false>(of_part, key, spread(key) & of_part.mask, new_groups);")
	e.Line("lost |= place == NOWHERE;")
	e.Line("if (place == NOWHERE) continue;")
	e.Line("const u64 cell = first_slot + place;")
	x.FlushTerms(e)
	e.End()
	e.End()
}
