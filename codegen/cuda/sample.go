package cuda

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
)

// maxSampled is how many tiles of the source are sampled at most.
const maxSampled = 4096

// The words of a sample: see sample.cuh.
const (
	sampledRows = iota
	sampledMatches
	sampledWarpTurns
	sampledBlockTurns
	sampledHeaviest
	sampledLongest
	sampledApart
	sampleLength
)

// sample writes the entry that goes over some tiles.
func (e *Entry) sample() {
	e.passed(Pass{Reads: []kernel.ValueID{}})
	e.params()
	e.Line("__shared__ u64 scratch[WARPS];")
	e.Line("Sample seen = {};")
	rows := e.openSource()
	tiles := e.Arg(Arg{Kind: ArgTiles}, "i64", "tiles of the source")
	e.Line("const i64 sampled = %s < %d ? %s : %d;", tiles, maxSampled, tiles, maxSampled)
	e.Begin("for (i64 number = blockIdx.x; number < sampled; number += gridDim.x)")
	e.Line("const i64 tile = number * %s / sampled * TILE;", tiles)
	e.Line("u32 left_of_rows[R] = {}, at_of_rows[R] = {};")
	e.counting = func(x *Expansion) {
		left := x.Count()
		x.Begin("ROWS")
		x.Line("left_of_rows[r] = %s[r];", left)
		x.Line("at_of_rows[r] = %s[r];", x.At)
		x.End()
	}
	e.tile(rows, func() { e.block(e.f.Body, func() {}) })
	e.Line("sample_tile(seen, left_of_rows, at_of_rows, scratch);")
	e.End()
	e.Line("add_sample(seen, scratch, %s);", e.Arg(Arg{Kind: ArgSample}, "u64*", "how matches spread over rows"))
}

// planSample plans the launch of the entry, and has the run be told what it has seen.
func (p *Planner) planSample() {
	b := p.alloc("sample", launch.Int(8*sampleLength), launch.Zeros)
	tiles := expr.CeilDiv(expr.Rows, launch.Int(p.made.Entries[0].TileRows))
	p.Number(Arg{Kind: ArgTiles}, tiles)
	p.Pointer(Arg{Kind: ArgSample}, launch.InOut, launch.Ref{Buffer: b})
	p.Launch(p.made.Entries[0].Name, expr.Min(expr.Rows, launch.Int(maxSampled*p.made.Entries[0].TileRows)))
	words := p.Variable("seen", launch.Array)
	p.add(&launch.Read{From: launch.Ref{Buffer: b}, Words: launch.Int(sampleLength), Raise: launch.None, Array: words})
	p.add(&launch.Complete{Array: words})
}
