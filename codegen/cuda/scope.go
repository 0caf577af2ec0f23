package cuda

import (
	"maps"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// need makes sure that the columns that an instruction reads are loaded.
func (e *Entry) need(in kernel.Instr) {
	kernel.VisitBlock(kernel.Block{in}, func(id *kernel.ValueID) { e.use(*id) })
}

// scoped writes what stands in a block of its own: columns that are loaded there
// are not known after it.
func (e *Entry) scoped(body func()) {
	loaded, fetched, pending := maps.Clone(e.loaded), maps.Clone(e.fetched), maps.Clone(e.pending)
	body()
	e.loaded, e.fetched, e.pending = loaded, fetched, pending
}
