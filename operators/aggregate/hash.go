package aggregate

import (
	"fmt"

	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// hashSlot is about what a hash table takes of a group, beside what is accumulated.
const hashSlot = 16

// hash is what a hash table would cost, the rows of which are partitioned once it is larger
// than the cache, where they can be.
func (g *grouping) hash() strategy.Offer {
	o, host := operators.Tables.Offers(g.table)[1], &g.Machine.Host
	if g.undividable() == "" {
		each, limit := g.groupBytes()+hashSlot, g.mostGroups()
		o.Detail = fmt.Sprintf("rows are partitioned once one table has about %.0f groups", limit)
		if g.Groups <= limit {
			o.Cost += host.Missed * g.missedShare(g.Groups*each) * g.Rows
		} else {
			o.Cost += host.Partitioned*max(g.Rows-limit, 0) + (host.Missed+host.Hashed)*min(limit, g.Rows)
		}
	}
	o.Cost += g.rowsKept()
	return o
}

// mostGroups is about how many groups one table has before rows are partitioned.
func (g *grouping) mostGroups() float64 {
	caches := &g.Machine.Host.Caches
	return max(float64(caches.SparseGroups), float64(caches.TableBytes)/(g.groupBytes()+hashSlot))
}

// divides reports whether rows come by their groups, or are partitioned by them.
func (g *grouping) divides() bool {
	_, disorder := g.run()
	return disorder == "" || g.undividable() == "" && g.Groups > g.mostGroups()
}
