package cuda

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// ChooseGroups returns f with the table of its groups that is cheapest on the device, or that is
// wanted, and what each would cost; the CPU's choice weighs caches that a device has not. The
// strategies of aggregations fill either. A kernel that says nothing of the combinations of its
// keys has the table that it was planned with.
func (t *Target) ChooseGroups(f *kernel.Func, want strategy.Preference) (*kernel.Func, []strategy.Decision, error) {
	s, _ := f.Sink.(*kernel.Aggregate)
	if s.Combinations == 0 || s.Strategy == kernel.Ordered || ordersRows(f) {
		return f, nil, nil
	}
	table := &operators.Table{Figures: &t.Device.Tables, Cells: s.Combinations, Rows: s.Rows}
	d, err := want.Choose("table of groups on the device", operators.Tables.Offers(table)...)
	if err != nil {
		return f, nil, err
	}
	sink, with := *s, *f
	sink.Strategy = kernel.Strategy(d.Taken().Strategy)
	with.Sink = &sink
	return &with, []strategy.Decision{d}, nil
}
