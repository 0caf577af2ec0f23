package window

import (
	"fmt"
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// The strategies of windows.
const (
	firstStrategy   = "first"   // only the rows that a condition above lets through are kept while rows are read
	orderedStrategy = "ordered" // rows are taken as they come, in the order that is wanted; a device sorts them
	sortStrategy    = "sort"    // all rows are ordered
)

// ordering is a window of which the strategy is chosen, with the keys of partitions and of the
// order within.
type ordering struct {
	*operators.Weave
	keys  []kernel.SortKey
	first algebra.FirstRows
}

// strategies are all of windows.
var strategies = strategy.Table[*ordering]{
	{Name: firstStrategy, Offer: (*ordering).firstRows},
	{Name: orderedStrategy, Offer: (*ordering).asTheyCome},
	{Name: sortStrategy, Offer: (*ordering).sort},
}

// firstRows is what keeping few rows of each partition would cost: little more than reading
// them.
func (o *ordering) firstRows() strategy.Offer {
	if o.first.Rows == 0 {
		return strategy.Offer{Refusal: "no condition lets through only the first rows of each partition"}
	}
	return strategy.Offer{Detail: fmt.Sprintf("%d rows of each partition", o.first.Rows), Cost: o.Machine.Host.Hashed * o.Rows}
}

func (o *ordering) asTheyCome() strategy.Offer {
	if o.first.Rows > 0 {
		return strategy.Offer{Refusal: "of each partition only the first rows are kept"}
	}
	return strategy.Offer{Cost: o.Machine.Host.Row * o.Rows, Refusal: o.InOrder(o.keys)}
}

func (o *ordering) sort() strategy.Offer {
	return strategy.Offer{Cost: o.Machine.Host.Compared * o.Rows * math.Log2(max(o.Rows, 4))}
}
