package cuda

import (
	"fmt"

	"github.com/cubeloom/cubeloom/operators/distinct"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// split is an aggregation with DISTINCT in so many kernels and one more, which cost so much.
type split struct {
	kernels int
	cost    float64
}

// distincts are the strategies of aggregates with DISTINCT, as the CPU calls them.
var distincts = strategy.Table[*split]{
	{Name: distinct.Set, Offer: func(*split) strategy.Offer {
		return strategy.Offer{Refusal: "a device keeps no sets of values for each group"}
	}},
	{Name: distinct.Split, Offer: func(s *split) strategy.Offer {
		return strategy.Offer{Cost: s.cost, Detail: fmt.Sprintf("%d kernels group by the values too, another one their groups", s.kernels)}
	}},
}

// ChooseDistinct chooses how an aggregation leaves out values that a group has had, which splits
// into so many kernels and one more that cost so much.
func ChooseDistinct(kernels int, cost float64, want strategy.Preference) (strategy.Decision, error) {
	return want.Choose("distinct on the device", distincts.Offers(&split{kernels, cost})...)
}
