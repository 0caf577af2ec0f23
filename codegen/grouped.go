package codegen

import (
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// groupedBy are the values by which a sink puts rows together: each group or partition has one of each.
func groupedBy(sink kernel.Sink) []kernel.ValueID {
	switch s := sink.(type) {
	case *kernel.Aggregate:
		return s.Keys
	case *kernel.Window:
		return lists.Map(s.Partition, func(k kernel.SortKey) kernel.ValueID { return k.Val })
	}
	return nil
}

// keepsOrder reports whether a sink that puts rows together takes them in their order.
func keepsOrder(sink kernel.Sink) bool {
	switch s := sink.(type) {
	case *kernel.Aggregate:
		return s.Strategy == kernel.Ordered
	case *kernel.Window:
		return s.InOrder
	}
	return false
}

// isApart reports whether no two devices have rows of one group, where no two have the same value of some columns
// of the source.
func isApart(f *kernel.Func, apart []int) bool {
	by := groupedBy(f.Sink)
	return slices.ContainsFunc(f.Source.(*kernel.Scan).Cols, func(c kernel.SourceCol) bool {
		return slices.Contains(apart, c.Ordinal) && slices.Contains(by, c.Dst)
	})
}

// partedBy is the value by which devices may divide what a sink puts together: an integer of the widest range. NoValue:
// there is none, or rows are needed in their order.
func partedBy(f *kernel.Func) kernel.ValueID {
	by := groupedBy(f.Sink)
	if at := widest(f, by); at >= 0 && !keepsOrder(f.Sink) {
		return by[at]
	}
	return kernel.NoValue
}

// widest is the number of the integer of the widest range; below 0: none is one.
func widest(f *kernel.Func, ids []kernel.ValueID) int {
	best, width := -1, 0.0
	for i, id := range ids {
		v := &f.Values[id]
		if v.Type != kernel.I32 && v.Type != kernel.I64 {
			continue
		}
		w := math.Inf(1)
		if v.Range.Known {
			w = float64(v.Range.Hi) - float64(v.Range.Lo) + 1
		}
		if w > width {
			best, width = i, w
		}
	}
	return best
}

// needsAllRows reports whether what an accumulator has of shares cannot be put together.
func needsAllRows(acc kernel.Acc) bool {
	row, _ := acc.Op.Row()
	return row.AllRows || acc.TakesOnce()
}
