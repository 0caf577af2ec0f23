package radix

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate/shared"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
)

// Launches implements cuda.Strategy.
func (s Strategy) Launches(p *cuda.Planner, g *cuda.Grouping) cuda.Launches {
	x := radix{g}
	whole := shared.Strategy{}.Launches(p, g)
	return cuda.Launches{Rows: func(cells, likely launch.Expr) {
		slots := p.Let("part_slots", expr.Max(expr.Min(cells, launch.Int(x.partSlots())), expr.Div(cells, launch.Int(x.mostParts()))))
		parts := p.Let("parts", expr.Div(cells, slots))
		p.When(x.fits(slots, parts), func() {
			p.Note(s.Name()+", parts", parts)
			x.launch(p, parts, slots)
		}, func() { whole.Rows(cells, likely) })
	}}
}

// fits is the condition that rows of a source which is there, and may be numbered in 32 bits, have room to be dealt
// out, and that the shared memory of a block has room for what it needs.
func (x radix) fits(slots, parts launch.Expr) launch.Expr {
	shared := expr.Minus(expr.SharedMemory, launch.Int(x.figures().SpareBytes))
	fits := expr.Equal(expr.Streamed, launch.Int(0))
	for _, c := range []struct{ bytes, room launch.Expr }{
		{x.groupBytes(slots), shared},
		{x.dealBytes(parts), shared},
		{x.dealtBytes(), expr.Free},
		{expr.Rows, launch.Int(math.MaxUint32)},
	} {
		fits = expr.Times(fits, expr.LessOrEqual(c.bytes, c.room))
	}
	return fits
}

// groupBytes is the shared memory of a block that groups rows in so many slots, dealBytes that of one that
// deals them out to parts, and dealtBytes the memory that they take then.
func (x radix) groupBytes(slots launch.Expr) launch.Expr {
	return expr.Times(launch.Int(x.slotBytes()), slots)
}

func (x radix) dealBytes(parts launch.Expr) launch.Expr {
	return expr.Plus(launch.Int(x.room()*int64(x.DealtBytes()+orderBytes)), words(parts))
}

func (x radix) dealtBytes() launch.Expr {
	return expr.Times(launch.Int(int64(x.DealtBytes())), expr.Rows)
}

func words(n launch.Expr) launch.Expr { return expr.Times(launch.Int(wordBytes), n) }

// launch divides the rows by part, and groups those of each part in so many slots.
func (x radix) launch(p *cuda.Planner, parts, slots launch.Expr) {
	piece := launch.Int(x.figures().PartRows)
	p.Number(argParts, parts)
	p.Number(argPartSlots, slots)
	p.Number(argPieceRows, piece)
	p.Number(argRoom, launch.Int(x.room()))
	release := []func(){
		p.Array(argPlaces, "places", words(parts), launch.Zeros),
		p.Array(argPieces, "pieces", words(expr.Plus(expr.Plus(parts, expr.Div(expr.Rows, piece)), launch.Int(1))), launch.Anything),
		p.Array(argDealt, "dealt", x.dealtBytes(), launch.Anything),
	}
	p.Chunks(func() { p.Launch("count", expr.Chunk).Shared = expr.Times(launch.Int(countBytes), parts) })
	p.Launch("place", parts)
	p.Filled(argPieces)
	p.Chunks(func() { p.Launch("deal", expr.Chunk).Shared = x.dealBytes(parts) })
	p.Filled(argDealt)
	p.Launch("aggregate_parts", expr.Times(launch.Int(int64(x.TileRows())*threads), parts)).Shared = x.groupBytes(slots)
	for _, free := range release {
		free()
	}
}
