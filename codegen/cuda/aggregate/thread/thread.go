// Package thread is the strategy of accumulators that each thread has of its own, in
// shared memory, for few groups: nothing is atomic (Rosenfeld 2019, INDEPENDENT). Where
// the number of cells is known only at the launch, and they are too many, another
// strategy takes the rows.
package thread

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// argFlushTiles is after how many tiles a block empties its threads' accumulators, before they
// are full.
var argFlushTiles = cuda.Arg{Kind: "flush_tiles"}

// rowsPerThread is how many rows a thread holds: accumulators take so much shared memory
// that there are few threads to hide what loads take, and no registers for what is added.
// lightRows is that of an aggregation that reads little of a row.
const (
	rowsPerThread = 8
	lightRows     = 16
)

// Strategy is cuda.Strategy.
type Strategy struct{}

// Name implements cuda.Strategy.
func (Strategy) Name() string { return "thread" }

// Offer implements cuda.Strategy.
func (s Strategy) Offer(g *cuda.Grouping) strategy.Offer {
	o, refusal := layOut(g)
	if refusal != "" {
		return strategy.Offer{Refusal: refusal}
	}
	figures := &g.Device().Groups
	offer := strategy.Offer{
		Cost:   g.Device().Bytes(g.Rows * float64(int64(o.words)*figures.ThreadAdd)),
		Detail: fmt.Sprintf("%.0f cells", g.Cells()),
	}
	if most := float64(figures.ThreadBytes) / o.bytes(1); !o.fits() {
		offer.Detail = fmt.Sprintf("as long as the launch finds at most %.0f cells", most)
		if likely := g.LikelyCells(); likely > most {
			offer.Refusal = fmt.Sprintf("%.0f cells are likely, and a thread has room for %.0f", likely, most)
		}
	}
	return offer
}

// Adding implements cuda.Strategy.
func (Strategy) Adding(*cuda.Grouping) cuda.Adding {
	return cuda.Adding{Refusal: "threads add to accumulators of their own, and nothing is atomic"}
}

// fits reports whether it is known that all cells fit.
func (o *cells) fits() bool { return o.Cells() > 0 }

// Render implements cuda.Strategy.
func (s Strategy) Render(g *cuda.Grouping) {
	o, _ := layOut(g)
	g.Include(code)
	switch {
	case g.IsLight():
		g.SetRows(lightRows)
	case len(g.Func().Inputs) == 1: // others wait for what they look up, and have few rows for that
		g.SetRows(rowsPerThread)
	}
	if !o.fits() {
		g.Fallback(s.Name()).Render(g)
	}
	g.Pass(cuda.Pass{
		Name: "aggregate_thread", Comment: "accumulates the rows in cells that each thread has of its own, for few groups",
		Open: o.open, Rows: o.rows, Close: o.flush, Last: g.WriteLast, Eager: true, Warps: true, Marks: true,
		FlushTiles: func(e *cuda.Entry) string {
			return e.Arg(argFlushTiles, "i64", "tiles after which the cells are emptied")
		},
	})
}

// Launches implements cuda.Strategy.
func (s Strategy) Launches(p *cuda.Planner, g *cuda.Grouping) cuda.Launches {
	o, _ := layOut(g)
	each := launch.Int(o.bytes(1))
	tiles := launch.Int(maxRows / g.TileRows())
	own := func(cells launch.Expr) {
		p.Note(s.Name(), nil)
		p.Number(argFlushTiles, expr.Select(expr.FlushTiles, expr.Min(expr.FlushTiles, tiles), tiles))
		p.Chunks(func() { p.Launch("aggregate_thread", expr.Chunk).Shared = expr.Times(cells, each) })
	}
	if o.fits() {
		return cuda.Launches{Rows: func(cells, _ launch.Expr) { own(cells) }}
	}
	fallback := g.Fallback(s.Name()).Launches(p, g)
	limit := launch.Int(g.Device().Groups.ThreadBytes)
	return cuda.Launches{Rows: func(cells, expected launch.Expr) {
		p.When(expr.LessOrEqual(expr.Times(cells, each), limit), func() { own(cells) }, func() { fallback.Rows(cells, expected) })
	}}
}
