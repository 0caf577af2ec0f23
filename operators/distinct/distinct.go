// Package distinct is the choice of how aggregates leave out values that a group has had.
package distinct

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// Decision is what the choice is called.
const Decision = "distinct"

// The strategies.
const (
	Set   = "set"   // each group has a set of the values that it has had
	Split = "split" // kernels group by the values, too, and another one aggregates their groups
	Mark  = "mark"  // only of a device: it marks the values that are new to their groups as their rows come
)

// deduplication is that of so many aggregates with DISTINCT over some rows.
type deduplication struct {
	*operators.Weave
	aggregates float64
	divides    func() bool
}

// strategies are the strategies of aggregates with DISTINCT.
var strategies = strategy.Table[*deduplication]{
	{Name: Set, Offer: (*deduplication).set},
	{Name: Split, Offer: (*deduplication).split},
}

// Strategies are the names of the strategies of aggregates with DISTINCT.
func Strategies() []string { return strategies.Names() }

// set costs what finding values in sets does, which the cache holds only where rows come by their
// groups (docs/measurements/2026-11-29-visits.md).
func (d *deduplication) set() strategy.Offer {
	host, detail := &d.Machine.Host, "one for each group and aggregate"
	each := host.Hashed
	if !d.Device && !d.divides() {
		each += host.Missed
		detail += ", of all groups together"
	}
	return strategy.Offer{Detail: detail, Cost: d.aggregates * each * d.Rows}
}

func (d *deduplication) split() strategy.Offer {
	host := &d.Machine.Host
	return strategy.Offer{
		Detail: "into as many kernels and one more, by groups and values",
		Cost:   d.aggregates*(2*host.Hashed*d.Rows+host.HashStart) + host.HashStart,
	}
}

// Choose chooses how aggregates with DISTINCT leave out values that a group has
// had, where there are any, and reports whether they are split. Divides reports whether the host
// has the rows by their groups.
func Choose(w *operators.Weave, accs []kernel.Acc, divides func() bool) (splits bool) {
	d := &deduplication{Weave: w, divides: divides}
	for i := range accs {
		if accs[i].TakesOnce() {
			d.aggregates++
		}
	}
	if d.aggregates == 0 {
		return false
	}
	return w.Decide(w.Distinct, Decision, strategies.Offers(d)).Takes(Split)
}
