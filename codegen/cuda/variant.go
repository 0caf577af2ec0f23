package cuda

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// Variant is a way to aggregate by keys. All of them give the same groups.
type Variant struct {
	Strategy string // of Target.Aggregates
	Threads  int    // of a block that goes over the rows; 0: as the strategy has them
	// Reported says that the sizes of memory are those that the device reports, in place of the
	// figures of its file.
	Reported bool
}

// Varies reports whether f aggregates the rows of a table by keys in a way that a Variant describes:
// nothing else takes shared memory of its blocks, and no join has many matches.
func Varies(f *kernel.Func) bool {
	agg, ok := f.Sink.(*kernel.Aggregate)
	_, scans := f.Source.(*kernel.Scan)
	return ok && scans && len(agg.Keys) > 0 && !ordersRows(f) && f.GroupsSource() < 0 && !MayExpand(f) && ownBytes(f, threads) == 0
}

// VariantOf is how f, a kernel that Varies, aggregates.
func VariantOf(f *kernel.Func) Variant {
	agg := f.Sink.(*kernel.Aggregate)
	return Variant{Strategy: agg.Device, Threads: agg.Threads}
}

// As returns the sink of f, a kernel that Varies, which aggregates so many rows as a variant, and what
// that is likely to cost. The error says why the variant does not apply.
func (t *Target) As(f *kernel.Func, rows float64, v Variant) (*kernel.Aggregate, float64, error) {
	want := Wants{Threads: v.Threads, Aggregates: strategy.Preference{Setting: "the tuner's strategy", Force: v.Strategy}}
	sink, decisions, err := t.ChooseAggregate(f, rows, &want)
	if err != nil {
		return nil, 0, err
	}
	return sink, decisions[0].Taken().Cost, nil
}

// Aggregating returns f, a kernel that Varies, with its aggregation carried out as another sink of
// a kernel like f says.
func Aggregating(f *kernel.Func, by *kernel.Aggregate) *kernel.Func {
	with, sink := *f, *f.Sink.(*kernel.Aggregate)
	sink.Device, sink.Threads = by.Device, by.Threads
	sink.Preaggregate, sink.Replicas, sink.RunForm = by.Preaggregate, by.Replicas, by.RunForm
	with.Sink = &sink
	return &with
}
