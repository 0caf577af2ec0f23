package cuda

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators/materialize"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// materializations are the strategies of materialization, as the CPU calls them.
var materializations = strategy.Table[*writing]{
	{Name: materialize.InOrder, Offer: (*writing).inOrder},
	{Name: materialize.AnyOrder, Offer: (*writing).inAnyOrder},
}

// ChooseMaterialize returns how so many rows of the source's, 0 for unknown, are written.
func (t *Target) ChooseMaterialize(f *kernel.Func, rows, source float64) ([]strategy.Decision, error) {
	s, _ := f.Sink.(*kernel.Materialize)
	w := &writing{t, f, s, rows, source}
	if source == 0 {
		w.source = DefaultRows
	}
	if rows == 0 {
		w.rows = w.source
	}
	d, err := new(strategy.Preference).Choose("materialization on the device", materializations.Offers(w)...)
	return []strategy.Decision{d}, err
}

// materialize renders a Materialize: the rows that remain are written one after the other.
func (r *renderer) materialize(s *kernel.Materialize) {
	for _, id := range s.Cols {
		r.output(id)
	}
	if s.Ordered {
		r.writeInOrder("materialize", "writes the rows that remain in the order of the source", func(e *Entry) { e.storeAll(s.Cols) })
	} else {
		r.writeInAnyOrder(s)
	}
}
