package aggregate

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// Ordered is the strategy that has no table: a group is a run of rows.
const Ordered = string(kernel.Ordered)

// Strategies are the names of the strategies of aggregations by keys.
func Strategies() []string { return append(operators.TableStrategies(), Partitioned, Ordered) }

// orderedOffer is what grouping runs of rows would cost, and the key in whose order the
// rows come. splits says that aggregates with DISTINCT are split.
func orderedOffer(w *operators.Weave, in *kernel.Aggregate, splits bool) (o strategy.Offer, by int) {
	keys := in.Keys
	o = strategy.Offer{Strategy: Ordered, Refusal: "the rows come in the order of none of the keys"}
	switch {
	case w.Device && w.Multiplies():
		o.Refusal = "a device keeps no order of rows that a join multiplies"
		return o, 0
	case w.Device && slices.ContainsFunc(in.Accs, func(a kernel.Acc) bool { return a.Distinct && !a.Op.IgnoresDuplicates() }):
		o.Refusal = "a device splits aggregates with DISTINCT"
		return o, 0
	case splits:
		o.Refusal = "the rows are groups of kernels that leave out what is not distinct"
		return o, 0
	}
	for by := range keys {
		if !w.Ascends(keys[by]) {
			continue
		}
		if o.Refusal = independent(w, keys, by); o.Refusal == "" {
			o.Detail, o.Cost = "runs of "+w.Value(keys[by]).Name, w.Machine.Host.Run*w.Rows
			if fitsBlock(w, in) {
				o.Detail += "; on a device a block has room for all groups, which takes less"
				o.Cost = max(o.Cost, 2*(w.Machine.Host.DenseGroup+w.Machine.Host.DenseCell)*w.Rows)
			}
			return o, by
		}
	}
	return o, 0
}

// fitsBlock reports whether the query is likely to run on a device a block of which has
// room for the groups in its shared memory.
func fitsBlock(w *operators.Weave, in *kernel.Aggregate) bool {
	cells, refusal := w.Cells(in.Keys)
	return w.Device && refusal == "" && cells*groupBytes(in) <= float64(w.Machine.Device.Groups.BlockBytes)
}

// independent says which key does not depend on that in whose order the rows come; ""
// where all do.
func independent(w *operators.Weave, keys []kernel.ValueID, by int) string {
	for _, key := range keys {
		if !w.Depends(key, keys[by]) {
			return fmt.Sprintf("%s does not depend on %s, in whose order the rows come", w.Value(key).Name, w.Value(keys[by]).Name)
		}
	}
	return ""
}
