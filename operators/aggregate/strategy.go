package aggregate

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// strategies are all of aggregations by keys.
var strategies = strategy.Table[*grouping]{
	{Name: operators.DenseTable, Offer: (*grouping).dense},
	{Name: operators.HashTable, Offer: (*grouping).hash},
	{Name: Partitioned, Offer: (*grouping).partitioned},
	{Name: Ordered, Offer: (*grouping).ordered},
}

// Strategies are the names of the strategies of aggregations by keys.
func Strategies() []string { return strategies.Names() }

// choose chooses how groups are found. Without keys there is one, which no setting
// forces otherwise.
func (g *grouping) choose() *strategy.Decision {
	if len(g.in.Keys) > 0 {
		return g.Decide(g.Aggregates, "aggregate", strategies.Offers(g))
	}
	const why = "there are no keys"
	single := strategy.Offer{Strategy: string(kernel.Single), Detail: why, Cost: g.Machine.Host.DenseGroup * g.Rows}
	return g.Decide(strategy.Preference{}, "aggregate of all rows", append([]strategy.Offer{single}, strategies.Refused(why)...))
}
