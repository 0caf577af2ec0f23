package aggregate

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
)

// grouping is an aggregation of which the strategy is chosen.
type grouping struct {
	*operators.Weave
	in     *kernel.Aggregate
	table  *operators.Table // in which a row is looked up, whatever the cache holds
	splits bool             // aggregates with DISTINCT are split
	by     int              // the key in whose order the rows come, where they do
}

// cheaperTable is the strategy and the cost of the cheaper table, whatever the cache holds.
func (g *grouping) cheaperTable() (name string, cost float64) {
	offers := operators.Tables.Offers(g.table)
	dense, hash := &offers[0], &offers[1]
	if dense.Refusal == "" && dense.Cost <= hash.Cost {
		return dense.Strategy, dense.Cost
	}
	return hash.Strategy, hash.Cost
}

// groupBytes is about what a group takes.
func (g *grouping) groupBytes() float64 { return float64(8 * (1 + len(g.in.Accs))) }

// missedShare is the share of rows whose group is not in the cache, where all groups take
// so many bytes.
func (g *grouping) missedShare(bytes float64) float64 {
	return 1 - min(float64(g.Machine.Host.Caches.DenseBytes)/bytes, 1)
}

// rowsKept is what it costs that accumulators keep what they take of each row, which is in no
// cache.
func (g *grouping) rowsKept() float64 {
	for i := range g.in.Accs {
		if row, _ := g.in.Accs[i].Op.Row(); row.AllRows {
			return g.Machine.Host.Missed * g.Rows
		}
	}
	return 0
}
