package aggregate

import (
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// dense is what an array over all combinations of the keys would cost.
func (g *grouping) dense() strategy.Offer {
	o := operators.Tables.Offers(g.table)[0]
	if o.Refusal != "" {
		return o
	}
	if missed := g.missedShare(g.touchedBytes()); missed > 0 {
		o.Detail += ", more than the cache holds"
		o.Cost += g.Machine.Host.Missed * missed * g.Rows
	}
	o.Cost += g.rowsKept()
	return o
}

// cacheLine is the bytes that the cache holds of a cell beside which no other is touched.
const cacheLine = 64

// touchedBytes are those of the cells that the cache has to hold: those of groups, or of all
// cells where the number of groups is not known.
func (g *grouping) touchedBytes() float64 {
	all := g.table.Cells * g.groupBytes()
	if g.Groups == 0 {
		return all
	}
	return min(all, g.Groups*cacheLine)
}
