package codegen

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

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
	write.Body, write.Sink, write.Name = nil, &kernel.Materialize{Cols: slices.Clone(cols), Limit: -1, Ordered: true}, f.Name+"_groups"
	onlyRead(write)
	clean(write)
	readColumns(rest, cols)
	clean(rest)
	return write, rest
}
