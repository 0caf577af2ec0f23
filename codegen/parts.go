package codegen

import (
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

// Kept are the columns of what a kernel makes that are some columns of its source as they are.
func Kept(f *kernel.Func, of []int) (kept []int) {
	scan, ok := f.Source.(*kernel.Scan)
	if !ok {
		return nil
	}
	for i, id := range written(f.Sink) {
		if slices.ContainsFunc(scan.Cols, func(c kernel.SourceCol) bool { return c.Dst == id && slices.Contains(of, c.Ordinal) }) {
			kept = append(kept, i)
		}
	}
	return kept
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

// Parted has n devices exchange what shares make by the hash of a key, and each merge those of a part of the keys.
// Nil: there is no such key.
func (s *Shares) Parted(n int) *Shares {
	if s.By < 0 {
		return nil
	}
	p := *s
	p.Parts, p.Exchange, p.Merge = n, ExchangeByKey, cloned(s.Merge)
	if agg, ok := p.Merge.Sink.(*kernel.Aggregate); ok {
		agg.Groups, agg.Rows = agg.Groups/float64(n), agg.Rows/float64(n)
	}
	if rows, ok := s.Local.Sink.(*kernel.Materialize); ok {
		p.Local = divided(cloned(s.Local), rows.Cols[s.By], n)
		return &p
	}
	p.Exchange, p.Divide = ExchangeParts, DivideRows(s.Merge, s.Merge.Source.(*kernel.Scan).Cols[s.By].Dst, n)
	return &p
}

// WriteGroups makes two kernels of one that reads groups from their cells: one that writes as columns what is needed
// of them, which are its only input, and one that reads those.
func WriteGroups(f *kernel.Func) (write, rest *kernel.Func) {
	write, rest = cloned(f), cloned(f)
	cols := needed(rest)
	write.Body, write.Sink, write.Name = nil, &kernel.Materialize{Cols: cols, Limit: -1, Ordered: true}, f.Name+"_groups"
	onlyRead(write)
	clean(write)
	readColumns(rest, cols)
	clean(rest)
	return write, rest
}

// readColumns has a kernel read columns of values in the place of its source.
func readColumns(f *kernel.Func, cols []kernel.ValueID) {
	input := f.Source.(*kernel.Scan).Input
	f.Inputs[input].Kind = kernel.RelationInput
	from := &kernel.Scan{Input: input}
	for i, col := range cols {
		from.Cols = append(from.Cols, kernel.SourceCol{Ordinal: i, Dst: col})
	}
	f.Source = from
}
