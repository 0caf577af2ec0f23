package cuda

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// ChooseAggregate asks all strategies what f's aggregation of so many rows, 0 for
// unknown, would cost, and takes the cheapest, or the one that is wanted. It returns a
// *Refusal where the device has no code for f.
func (t *Target) ChooseAggregate(f *kernel.Func, rows float64, want strategy.Preference) (strategy.Decision, error) {
	r := newRenderer(t, f, PlainShapes(f))
	sink, _ := f.Sink.(*kernel.Aggregate)
	g := r.layOut(sink)
	if r.err != nil {
		return strategy.Decision{}, r.err
	}
	if rows > 0 {
		g.Rows = rows
	}
	return want.Choose("aggregate on the device", t.offers(g)...)
}
