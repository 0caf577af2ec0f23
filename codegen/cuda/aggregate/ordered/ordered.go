// Package ordered is the strategy of groups that are runs of rows, which come in the order of
// a key: there is no table. The runs are numbered by a prefix sum, and a group's number is the
// place of its result.
package ordered

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
)

// Strategy is cuda.Ordering.
type Strategy struct{}

// Name implements cuda.Strategy.
func (Strategy) Name() string { return "ordered" }

// Adding implements cuda.Strategy.
func (Strategy) Adding(*cuda.Grouping) cuda.Adding {
	return cuda.Adding{Refusal: "rows of a group follow each other"}
}

// Render implements cuda.Strategy.
func (Strategy) Render(g *cuda.Grouping) {
	x := &runs{g}
	g.SetRows(g.RunForm().Rows)
	g.SetSideBySide()
	g.IncludeFile("lookback.cuh")
	g.Include(fmt.Sprintf("typedef %s RunKey;\n\n%s", g.RunKeyType(), code))
	for _, s := range x.form() {
		x.render(s)
	}
	if g.Layout.SecondPass {
		x.second()
	}
	for _, second := range x.stitches() {
		x.stitch(second)
	}
}

// stitches are the passes over the rows after which runs across tiles are put together: the first,
// and the second where there is one.
func (x *runs) stitches() (passes []bool) {
	if x.RunForm().Update != cuda.UpdateTile {
		return nil
	}
	for _, second := range []bool{false, true} {
		if x.AddsRuns(second) {
			passes = append(passes, second)
		}
	}
	return passes
}

// Launches implements cuda.Strategy.
func (s Strategy) Launches(p *cuda.Planner, g *cuda.Grouping) cuda.Launches {
	x := &runs{g}
	return cuda.Launches{
		Rows: func(_, _ launch.Expr) {
			p.Note(fmt.Sprintf("%s: %d kernels, updates %s of %d rows", s.Name(), g.RunForm().Kernels, g.RunForm().Update, g.TileRows()), nil)
			x.overChunks(p, func() { x.stitched(p, false, func() { x.launch(p) }) })
		},
		SecondPass: func(launch.Expr) {
			x.overChunks(p, func() { x.stitched(p, true, func() { p.Launch("aggregate_second", expr.Chunk) }) })
		},
	}
}

// overChunks goes over the chunks of the source with the number of the tiles before each.
func (x *runs) overChunks(p *cuda.Planner, body func()) {
	done := p.Let("tiles_done", launch.Int(0))
	p.Chunks(func() {
		p.Number(argFirstTile, done)
		p.Number(argChunkRows, expr.Chunk)
		body()
		p.Set(done, expr.Plus(done, expr.CeilDiv(expr.Chunk, launch.Int(x.TileRows()*x.Threads()))))
	})
}

// stitched launches what goes over the rows of a chunk, and puts runs across tiles together.
func (x *runs) stitched(p *cuda.Planner, second bool, pass func()) {
	if !slices.Contains(x.stitches(), second) {
		pass()
		return
	}
	release := p.RunBorders(second)
	pass()
	p.BordersFilled(second)
	p.Launch(stitchName(second), expr.CeilDiv(expr.Chunk, launch.Int(x.TileRows()*x.Threads())))
	release()
}

// launch launches the kernels of the form over a chunk.
func (x *runs) launch(p *cuda.Planner) {
	var release []func()
	for _, s := range x.form() {
		if s.placesTiles() {
			p.ClearTickets()
		}
		for i := range all {
			if c := &all[i]; s.leaves(c) {
				release = append(release, p.TileArray(c.Arg, string(c.Kind), c.bytes))
			}
		}
		p.Launch(s.name(), expr.Chunk)
		for i := range all {
			if c := &all[i]; s.leaves(c) {
				p.Filled(c.Arg)
			}
		}
	}
	for _, free := range release {
		free()
	}
}
