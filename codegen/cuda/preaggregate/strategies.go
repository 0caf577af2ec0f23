// Package preaggregate lists the strategies of warp preaggregation (Wittmer & Lauer 2013,
// Meinke 2015): lanes of a warp that add to one cell are summed before one of them adds.
package preaggregate

import (
	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/preaggregate/leader"
	"github.com/cubeloom/cubeloom/codegen/cuda/preaggregate/match"
	"github.com/cubeloom/cubeloom/codegen/cuda/preaggregate/none"
	"github.com/cubeloom/cubeloom/codegen/cuda/preaggregate/shuffle"
	"github.com/cubeloom/cubeloom/codegen/cuda/preaggregate/strided"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// strategies are all of them. Of equally cheap ones the first is taken.
var strategies = []cuda.Preaggregation{
	none.Strategy{},
	leader.Strategy,
	shuffle.Strategy,
	strided.Strategy,
	match.Strategy,
}

// Strategies are all of them.
func Strategies() []cuda.Preaggregation { return strategies }

// Names are the names of the strategies.
func Names() []string { return strategy.Names(strategies) }
