package cuda

// finish writes the groups. A thread looks at a cell for each row of a tile: places are counted by one word for all
// blocks, which they would wait for.
func (g *Grouping) finish(e *Entry) {
	e.params()
	e.openPlaces("u32")
	cells := e.Arg(Arg{Kind: ArgCells}, "u64", "cells")
	c := g.cells()
	e.Begin("for (u64 tile = (u64)blockIdx.x * TILE; tile < %s; tile += (u64)gridDim.x * TILE)", cells)
	e.Line("u32 active = 0;")
	e.Begin("ROWS")
	e.Line("const u64 cell = tile + r * T + threadIdx.x;")
	e.Line("set(active, r, cell < %s && %s);", cells, c.present(e))
	e.End()
	e.takeRows()
	e.writeAbreast(`_Pragma("unroll 1") for (int r = 0; r < R; r++)`, func() { // what is written of a group may be long
		e.Line("const u64 cell = tile + r * T + threadIdx.x;")
		e.Begin("")
		g.writeGroup(e, c, "to")
		e.End()
	})
	e.End()
}

// writeGroup writes the group of a cell.
func (g *Grouping) writeGroup(e *Entry, c *GroupCells, place string) {
	e.Line("const int r = 0;")
	for i, id := range g.s.Keys {
		if !g.declared(i) {
			v, null := c.column(e, i)
			e.declareCell(id, v, null)
		}
		e.store(i, id, place)
	}
	g.storeResults(e, c, place)
}
