package aggregate

import (
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/strategy"
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
func (s *Sink) Key(w *operators.Weave, c algebra.Column) error {
	v, err := w.Column(c)
	if err != nil {
		return err
	}
	s.sink.Keys = append(s.sink.Keys, v)
	s.column(c, v, s.next)
	s.next++
	return nil
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

// choose chooses how groups are found. Without keys there is one, which no setting
// forces otherwise.
func (s *Sink) choose(w *operators.Weave, splits bool) (strategy.Decision, error) {
	ordered, by := orderedOffer(w, &s.sink, splits)
	s.sink.By = by
	offers := append(tableOffers(w, &s.sink), ordered)
	if len(s.sink.Keys) > 0 {
		return w.Aggregates.Choose("aggregate", offers...)
	}
	single := strategy.Offer{Strategy: string(kernel.Single), Detail: "there are no keys", Cost: w.Machine.Host.DenseGroup * w.Rows}
	for i := range offers {
		offers[i].Refusal = "there are no keys"
	}
	return new(strategy.Preference).Choose("aggregate of all rows", append([]strategy.Offer{single}, offers...)...)
}

// The decision on aggregates with DISTINCT, and its strategies.
const (
	Distinct = "distinct"
	Set      = "set"   // each group has a set of the values that it has had
	Split    = "split" // kernels group by the values, too, and another one aggregates their groups
)

// DistinctStrategies are the names of the strategies of aggregates with DISTINCT.
func DistinctStrategies() []string { return []string{Set, Split} }

// chooseDistinct chooses how aggregates with DISTINCT leave out values that a group has
// had, where there are any, and reports whether they are split.
func (s *Sink) chooseDistinct(w *operators.Weave) (splits bool, err error) {
	n := 0.0
	for i := range s.sink.Accs {
		if acc := &s.sink.Accs[i]; acc.Distinct && !acc.Op.IgnoresDuplicates() {
			n++
		}
	}
	if n == 0 {
		return false, nil
	}
	host := &w.Machine.Host
	hashed := host.Hashed * w.Rows
	d, err := w.Distinct.Choose(Distinct,
		strategy.Offer{Strategy: Set, Detail: "one for each group and aggregate", Cost: n * hashed},
		strategy.Offer{Strategy: Split, Detail: "into as many kernels and one more, by groups and values", Cost: n*(2*hashed+host.HashStart) + host.HashStart})
	if err == nil {
		w.Decisions = append(w.Decisions, d)
	}
	return d.Takes(Split), err
}

// End makes the aggregation the sink of the kernel.
func (s *Sink) End(w *operators.Weave) error {
	s.sink.Rows, s.sink.Groups = math.Round(w.Rows), w.Groups
	splits, err := s.chooseDistinct(w)
	if err != nil {
		return err
	}
	d, err := s.choose(w, splits)
	if err != nil {
		return err
	}
	w.Decisions = append(w.Decisions, d)
	taken := d.Taken().Strategy
	if s.sink.Partitioned = taken == Partitioned; s.sink.Partitioned {
		tables := w.TableOffers(s.sink.Keys, w.Rows)
		taken = tables[cheaperTable(tables)].Strategy
	}
	s.sink.Strategy = kernel.Strategy(taken)
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
	return nil
}
