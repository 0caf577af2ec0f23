package cuda

// finish writes the groups.
func (g *Grouping) finish(e *Entry) {
	e.params()
	e.openPlaces("u32")
	g.writeGroups(e, e.Arg(Arg{Kind: ArgCells}, "u64", "cells"), "(u64)blockIdx.x * T", "(u64)gridDim.x * T", e.takePlaces)
}

// writeGroups writes the groups of so many cells, from a tile of them on and then every step further.
// Every thread looks at one cell of a tile; take declares place, that of its group if it is active, and capacity.
func (g *Grouping) writeGroups(e *Entry, cells, first, step string, take func()) {
	c := g.cells()
	e.Begin("for (u64 tile = %s; tile < %s; tile += %s)", first, cells, step)
	e.Line("const u64 cell = tile + threadIdx.x;")
	e.Line("const u32 active = cell < %s && %s;", cells, c.present(e))
	take()
	e.Line("if (!active || place >= capacity) continue;")
	e.Line("const int r = 0;")
	for i, id := range g.s.Keys {
		if !g.declared(i) {
			v, null := c.column(e, i)
			e.declareCell(id, v, null)
		}
		e.store(i, id, "place")
	}
	g.storeResults(e, c, "place")
	e.End()
}
