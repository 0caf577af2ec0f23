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
	at := shared.Strategy{}.Launches(p, g)
	return cuda.Launches{Rows: func(cells, likely launch.Expr) {
		slots := p.Let("part_slots", expr.Max(expr.Min(cells, launch.Int(x.partSlots())), expr.Div(cells, launch.Int(x.mostParts()))))
		bytes := expr.Times(slots, launch.Int(x.slotBytes()))
		fits := expr.LessOrEqual(bytes, launch.Int(x.figures().WideBytes))
		few := expr.LessOrEqual(expr.Rows, launch.Int(math.MaxUint32))
		whole := expr.Equal(expr.Streamed, launch.Int(0))
		p.When(expr.Times(whole, expr.Times(fits, few)), func() {
			parts := p.Let("parts", expr.Div(cells, slots))
			p.Note(s.Name()+", parts", parts)
			x.launch(p, parts, slots, bytes)
		}, func() { at.Rows(cells, likely) })
	}}
}

// launch divides the rows by part, and groups those of each part in so many slots and bytes.
func (x radix) launch(p *cuda.Planner, parts, slots, bytes launch.Expr) {
	piece := launch.Int(x.figures().PartRows)
	p.Number(argParts, parts)
	p.Number(argPartSlots, slots)
	p.Number(argPieceRows, piece)
	p.Number(argRoom, launch.Int(x.room()))
	words := func(n launch.Expr) launch.Expr { return expr.Times(launch.Int(wordBytes), n) }
	pieces := expr.Plus(expr.Plus(parts, expr.Div(expr.Rows, piece)), launch.Int(1))
	release := []func(){
		p.Array(argPlaces, "places", words(parts), launch.Zeros),
		p.Array(argPieces, "pieces", words(pieces), launch.Anything),
		p.Array(argDealt, "dealt", expr.Times(launch.Int(int64(x.DealtBytes())), expr.Rows), launch.Anything),
	}
	p.Chunks(func() { p.Launch("count", expr.Chunk).Shared = expr.Times(launch.Int(countBytes), parts) })
	p.Launch("place", parts)
	p.Filled(argPieces)
	room := launch.Int(x.room() * (int64(x.DealtBytes()) + orderBytes))
	p.Chunks(func() { p.Launch("deal", expr.Chunk).Shared = expr.Plus(room, words(parts)) })
	p.Filled(argDealt)
	p.Launch("aggregate_parts", expr.Times(launch.Int(int64(x.TileRows())*threads), parts)).Shared = bytes
	for _, free := range release {
		free()
	}
}
