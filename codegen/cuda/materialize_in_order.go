package cuda

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// inOrder is what it costs to write the rows in the order of the source.
func (w *writing) inOrder() strategy.Offer {
	if !w.s.Ordered {
		return strategy.Offer{Refusal: "the rows have no order to keep"}
	}
	return strategy.Offer{Cost: w.written() + w.t.lookedBack(w.f, w.source)}
}

// lookedBack is what it costs that blocks take the tiles of so many rows by ticket, and look back for the
// rows of those before, which a record of each says.
func (t *Target) lookedBack(f *kernel.Func, rows float64) float64 {
	tiles := rows / float64(rowsPerThread(f)*threads)
	return t.Device.Bytes(tiles * 2 * 8 * float64(TileRecord(1)))
}

// noOrderKept is why rows that a join multiplies are not written in the order of the source.
const noOrderKept = "there is no device code that keeps the order of rows that a join multiplies"

// writeInOrder renders an entry that goes over the rows in the order of the source, and writes those that remain,
// as write does, each to place to.
func (r *renderer) writeInOrder(name, comment string, write func(e *Entry)) {
	if r.multiplies() {
		r.refuse(noOrderKept)
		return
	}
	r.include("lookback.cuh")
	r.include("inorder.cuh")
	r.Pass(Pass{
		Name: name, Comment: comment, Tickets: true,
		Open: func(e *Entry) {
			e.openScratch("u64")
			e.Line("__shared__ Placed looked;")
			e.openCells()
		},
		While: func(e *Entry) string { return fmt.Sprintf("*(volatile u64*)%s < %s && ", e.count(), e.enough()) },
		Rows: func(e *Entry) {
			e.placesInOrder()
			e.writeRows("places[r / 4]", func() { write(e) })
		},
	})
}

// placesInOrder declares places, where the rows of each of the thread's quads go.
func (e *output) placesInOrder() {
	e.Line("const u64 capacity = %s;", e.capacity())
	e.Line("u64 places[R / 4];")
	e.Line("place_in_order(scratch, looked, active, %s, tile / TILE, tile + TILE >= %s, %s, %s, places);", e.tileRecords(), e.sourceRows(), e.enough(), e.count())
	e.Line("QUADS places[q] -= %s;", e.skip())
}

// inOrder plans what an entry needs that keeps the order of the source, and returns what
// comes before each launch: blocks take the tiles of a chunk from the first on.
func (p *Planner) inOrder(entry string) func() {
	tiles := launch.Tiles{Rows: p.TileRows(entry)}
	bytes := expr.Times(launch.Int(8*TileRecord(1)), expr.Plus(tiles, launch.Int(1)))
	records := launch.Ref{Buffer: p.alloc("records", bytes, launch.Zeros)}
	p.Pointer(Arg{Kind: ArgTileRecords}, launch.InOut, records)
	return func() { p.add(&launch.Clear{At: records, Bytes: bytes}) }
}
