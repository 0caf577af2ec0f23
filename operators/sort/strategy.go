package sort

import (
	"fmt"
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// The strategies of sorts; all but Cells are those of either backend.
const (
	Top  = "top"  // only the rows that a limit lets through are kept while rows are read
	Full = "full" // all rows are ordered
	// InOrder is to write the rows as they come, in the order that is wanted.
	InOrder = "ordered"
	// Cells is to read groups from their cells in the order of their keys, on a device.
	Cells = "cells"
)

// sorting is a sort of which the strategy is chosen; limit is -1 for none.
type sorting struct {
	*operators.Weave
	keys          []kernel.SortKey
	limit, offset int64
}

// strategies are all of sorts.
var strategies = strategy.Table[*sorting]{
	{Name: InOrder, Offer: (*sorting).inOrder},
	{Name: Top, Offer: (*sorting).top},
	{Name: Full, Offer: (*sorting).full},
}

// Strategies are the names of the strategies of sorts.
func Strategies() []string { return strategies.Names() }

// end is how many rows are wanted from the first on.
func (s *sorting) end() float64 { return float64(s.limit) + float64(s.offset) }

// inOrder is what writing the rows as they come would cost. With a limit one core reads,
// until it has as many rows.
func (s *sorting) inOrder() strategy.Offer {
	read := s.SourceRows
	if s.limit >= 0 {
		read *= min(s.end()/max(s.Rows, 1), 1)
	}
	o := strategy.Offer{Cost: s.Machine.Host.Row * read, Refusal: s.InOrder(s.keys)}
	if s.Device && s.Multiplies() {
		o.Refusal = "a device keeps no order of rows that a join multiplies"
	}
	return o
}

// maxTop is how many rows a limit lets through at most where only those are kept: they
// are sorted each time as many again have come.
const maxTop = 1 << 20

// top is what keeping the first rows would cost. It never costs more where they are few, and is
// taken for all numbers of rows: the estimate may be wrong.
func (s *sorting) top() strategy.Offer {
	switch {
	case s.limit < 0:
		return strategy.Offer{Refusal: "there is no limit"}
	case s.end() > maxTop:
		return strategy.Offer{Refusal: fmt.Sprintf("the first %.0f rows are wanted, more than %d", s.end(), maxTop)}
	}
	return strategy.Offer{Detail: fmt.Sprintf("the first %.0f rows", s.end()), Cost: s.compared(2 * max(s.end(), 1))}
}

func (s *sorting) full() strategy.Offer { return strategy.Offer{Cost: s.compared(math.Inf(1))} }

// compared is what comparing each row with at most so many costs.
func (s *sorting) compared(most float64) float64 {
	rows := max(s.Rows, 2)
	return s.Machine.Host.Compared * rows * math.Log2(min(rows, most))
}
