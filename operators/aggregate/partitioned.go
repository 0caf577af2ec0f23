package aggregate

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// Partitioned is the strategy of the host that divides rows by their keys first, so that
// the groups of one part fit the cache. Within a part it is one of the tables.
const Partitioned = "partitioned"

func (g *grouping) partitioned() strategy.Offer {
	table, cost := g.cheaperTable()
	return strategy.Offer{
		Detail: "each part by " + table, Cost: cost + g.Machine.Host.Partitioned*g.Rows, Refusal: g.undividable(),
	}
}

// undividable says why the rows have no form in which they can be divided, "" where they
// have: keys of two words, and arguments that are numbers.
func (g *grouping) undividable() string {
	var bits uint
	for i, k := range g.in.Keys {
		n, ok := g.Value(k).KeyBits(true)
		if !ok {
			return fmt.Sprintf("key %d has no form of fixed size", i+1)
		}
		bits += n
	}
	if bits > 128 {
		return "the keys do not fit two words"
	}
	for i := range g.in.Accs {
		for _, arg := range g.in.Accs[i].Args {
			switch t := g.Value(arg).Type; t {
			case kernel.Num, kernel.Interval, kernel.Str:
				return fmt.Sprintf("an argument of %s has no form of fixed size", g.in.Accs[i].Op)
			}
		}
	}
	return ""
}
