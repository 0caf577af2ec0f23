package aggregate

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// Ordered is the strategy that has no table: a group is a run of rows.
const Ordered = string(kernel.Ordered)

// ordered is what grouping runs of rows would cost. It finds the key in whose order they come.
func (g *grouping) ordered() strategy.Offer {
	switch {
	case g.Device && g.Multiplies():
		return strategy.Offer{Refusal: "a device keeps no order of rows that a join multiplies"}
	case g.Device && slices.ContainsFunc(g.in.Accs, func(a kernel.Acc) bool { return a.TakesOnce() }):
		return strategy.Offer{Refusal: "a device splits aggregates with DISTINCT"}
	case g.splits:
		return strategy.Offer{Refusal: "the rows are groups of kernels that leave out what is not distinct"}
	}
	by, refusal := g.run()
	if refusal != "" {
		return strategy.Offer{Refusal: refusal}
	}
	g.by = by
	host := &g.Machine.Host
	o := strategy.Offer{Detail: "runs of " + g.Value(g.in.Keys[by]).Name, Cost: host.Run * g.Rows}
	if g.fitsBlock() {
		o.Detail += "; on a device a block has room for all groups, which takes less"
		o.Cost = max(o.Cost, 2*(host.DenseGroup+host.DenseCell)*g.Rows)
	}
	return o
}

// run is the key in whose order the rows come, so that groups are runs of them, or why there is none.
func (g *grouping) run() (by int, refusal string) {
	refusal = "the rows come in the order of none of the keys"
	for by, key := range g.in.Keys {
		if !g.Ascends(key) {
			continue
		}
		if refusal = g.independent(by); refusal == "" {
			return by, ""
		}
	}
	return 0, refusal
}

// fitsBlock reports whether the query is likely to run on a device a block of which has
// room for the groups in its shared memory.
func (g *grouping) fitsBlock() bool {
	return g.Device && g.table.Refusal == "" && g.table.Cells*g.groupBytes() <= float64(g.Machine.Device.Groups.BlockBytes)
}

// determinant is the number of a key, plus one, on which all others are known to depend; 0: of none. Equal
// values of it are the same in everything.
func (g *grouping) determinant() int {
	for by, key := range g.in.Keys {
		t := g.Value(key).Type
		if (t == kernel.I32 || t == kernel.I64 || t == kernel.Code) && len(g.in.Keys) > 1 && g.independent(by) == "" {
			return by + 1
		}
	}
	return 0
}

// independent says which key does not depend on that in whose order the rows come; ""
// where all do.
func (g *grouping) independent(by int) string {
	keys := g.in.Keys
	for _, key := range keys {
		if !g.Depends(key, keys[by]) {
			return fmt.Sprintf("%s does not depend on %s, in whose order the rows come", g.Value(key).Name, g.Value(keys[by]).Name)
		}
	}
	return ""
}
