// Package aggregate lists the strategies of aggregations on a device.
package aggregate

import (
	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate/block"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate/independent"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate/ordered"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate/radix"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate/ranges"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate/shared"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate/thread"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate/wide"
	"github.com/cubeloom/cubeloom/codegen/cuda/expand"
	"github.com/cubeloom/cubeloom/codegen/cuda/preaggregate"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// strategies are all of them. Of equally cheap ones the first is taken.
var strategies = []cuda.Strategy{
	thread.Strategy{},
	wide.Strategy{},
	ranges.Strategy{},
	block.Strategy{},
	shared.Strategy{},
	radix.Strategy{},
	independent.Strategy{},
	ordered.Strategy{},
}

// Names are the names of the strategies.
func Names() []string { return strategy.Names(strategies) }

// Target returns what kernels are rendered for on a device.
func Target(device machine.Device) *cuda.Target {
	return &cuda.Target{Aggregates: strategies, Preaggregates: preaggregate.Strategies(), Expanders: expand.Forms(), Device: device}
}
