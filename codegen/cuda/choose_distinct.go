package cuda

import (
	"fmt"

	"github.com/cubeloom/cubeloom/operators/distinct"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// Distinct is an aggregation with DISTINCT, and what the kernels cost that do it.
type Distinct struct {
	Kernels int // that group by the values, with another one behind them
	Split   float64
	Sets    float64
	NoSets  string // why no sets of values are kept; "": they can be
	Marks   float64
	NoMarks string // why no values are marked; "": they can be
}

// distincts are the strategies of aggregates with DISTINCT, as the CPU calls them.
var distincts = strategy.Table[*Distinct]{
	{Name: distinct.Set, Offer: func(d *Distinct) strategy.Offer {
		return strategy.Offer{
			Refusal: d.NoSets, Cost: d.Sets, Detail: "one pass keeps a bit for each value, another kernel counts them",
		}
	}},
	{Name: distinct.Split, Offer: func(d *Distinct) strategy.Offer {
		return strategy.Offer{Cost: d.Split, Detail: fmt.Sprintf("%d kernels group by the values too, another one their groups", d.Kernels)}
	}},
	{Name: distinct.Mark, Offer: func(d *Distinct) strategy.Offer {
		return strategy.Offer{Refusal: d.NoMarks, Cost: d.Marks, Detail: "one pass marks the values that are new to their groups, in a set of both"}
	}},
}

// Choose chooses how an aggregation leaves out values that a group has had.
func (d *Distinct) Choose(want strategy.Preference) (strategy.Decision, error) {
	return want.Choose("distinct on the device", distincts.Offers(d)...)
}
