package aggregate

import (
	"fmt"

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
func orderedOffer(w *operators.Weave, keys []kernel.ValueID, splits bool) (o strategy.Offer, by int) {
	o = strategy.Offer{Strategy: Ordered, Refusal: "the rows come in the order of none of the keys"}
	switch {
	case w.Device:
		o.Refusal = "the query is likely to run on a device"
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
			return o, by
		}
	}
	return o, 0
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
