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
)

// deduplication is that of so many aggregates with DISTINCT over some rows.
type deduplication struct {
	*operators.Weave
	aggregates float64
}

// strategies are the strategies of aggregates with DISTINCT.
var strategies = strategy.Table[*deduplication]{
	{Name: Set, Offer: (*deduplication).set},
	{Name: Split, Offer: (*deduplication).split},
}

// Strategies are the names of the strategies of aggregates with DISTINCT.
func Strategies() []string { return strategies.Names() }

func (d *deduplication) set() strategy.Offer {
	return strategy.Offer{Detail: "one for each group and aggregate", Cost: d.aggregates * d.Machine.Host.Hashed * d.Rows}
}

func (d *deduplication) split() strategy.Offer {
	host := &d.Machine.Host
	return strategy.Offer{
		Detail: "into as many kernels and one more, by groups and values",
		Cost:   d.aggregates*(2*host.Hashed*d.Rows+host.HashStart) + host.HashStart,
	}
}

// Choose chooses how aggregates with DISTINCT leave out values that a group has
// had, where there are any, and reports whether they are split.
func Choose(w *operators.Weave, accs []kernel.Acc) (splits bool) {
	d := &deduplication{Weave: w}
	for i := range accs {
		if acc := &accs[i]; acc.Distinct && !acc.Op.IgnoresDuplicates() {
			d.aggregates++
		}
	}
	if d.aggregates == 0 {
		return false
	}
	return w.Decide(w.Distinct, Decision, strategies.Offers(d)).Takes(Split)
}
