package aggregate

import (
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/distinct"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// Sink collects the keys and accumulators that end a kernel. What is
// accumulated twice in the same way is accumulated once: its columns stand in
// the same place of the result.
type Sink struct {
	sink     kernel.Aggregate
	cols     []algebra.Column
	vals     []kernel.ValueID
	ordinals []int
	first    []int // by accumulator: the ordinal of its first column
	next     int
}

// Key adds a group key, a bound column.
func (s *Sink) Key(w *operators.Weave, c algebra.Column) {
	v := w.Column(c)
	s.sink.Keys = append(s.sink.Keys, v)
	s.column(c, v, s.next)
	s.next++
}

func (s *Sink) column(c algebra.Column, v kernel.ValueID, ordinal int) {
	s.cols = append(s.cols, c)
	s.vals = append(s.vals, v)
	s.ordinals = append(s.ordinals, ordinal)
}

// Acc adds an accumulator that gives cols; define makes the values for them.
func (s *Sink) Acc(acc kernel.Acc, cols []algebra.Column, define func() []kernel.ValueID) {
	i := slices.IndexFunc(s.sink.Accs, func(a kernel.Acc) bool {
		return a.Op == acc.Op && a.Distinct == acc.Distinct && a.Filter == acc.Filter && a.Fraction == acc.Fraction && slices.Equal(a.Args, acc.Args)
	})
	if i < 0 {
		i = len(s.sink.Accs)
		acc.Dst = define()
		s.sink.Accs = append(s.sink.Accs, acc)
		s.first = append(s.first, s.next)
		s.next += len(cols)
	}
	for k, c := range cols {
		s.column(c, s.sink.Accs[i].Dst[k], s.first[i]+k)
	}
}

// End makes the aggregation the sink of the kernel.
func (s *Sink) End(w *operators.Weave) {
	s.sink.Rows, s.sink.Groups = math.Round(w.Rows), w.Groups
	g := &grouping{Weave: w, in: &s.sink, table: w.Table(s.sink.Keys, w.Rows)}
	g.splits = distinct.Choose(w, s.sink.Accs, g.divides)
	d := g.choose()
	s.sink.By, s.sink.Combinations = g.by, g.table.Cells
	taken := d.Taken().Strategy
	if s.sink.Partitioned = taken == Partitioned; s.sink.Partitioned {
		taken, _ = g.cheaperTable()
	}
	s.sink.Strategy = kernel.Strategy(taken)
	if s.sink.Strategy == kernel.Hash {
		s.sink.Determinant = g.determinant()
	}
	s.sink.Cells = w.InCells
	w.Func.Sink = &s.sink
	w.Unique = algebra.ColSet{}
	ordered := s.sink.Strategy == kernel.Ordered
	if ordered || len(s.sink.Keys) == 1 {
		w.Unique.Add(s.cols[s.sink.By].ID)
	}
	w.Describe(s.cols, s.vals)
	if ordered {
		w.Fields[s.sink.By].Ascending = true
	}
	w.Ordinals = s.ordinals
}
