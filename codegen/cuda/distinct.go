package cuda

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// SplitDistinct gives two kernels that do together what an Aggregate with
// DISTINCT accumulators does: the first groups by the argument too, and by the
// filter where there is one, the second aggregates the first one's relation, in
// which each value of a group stands once. second is nil where f needs no
// splitting. A *Refusal is for accumulators over distinct values of different
// arguments.
func SplitDistinct(f *kernel.Func) (first, second *kernel.Func, err error) {
	agg, ok := f.Sink.(*kernel.Aggregate)
	if !ok {
		return f, nil, nil
	}
	accs := slices.Clone(agg.Accs)
	distinct := -1
	for i := range accs {
		if !accs[i].Distinct {
			continue
		}
		if ignoresDuplicates(accs[i].Op) {
			accs[i].Distinct = false
			continue
		}
		if distinct >= 0 && (!slices.Equal(accs[i].Args, accs[distinct].Args) || accs[i].Filter != accs[distinct].Filter) {
			return nil, nil, &Refusal{Reason: "there is no device code for DISTINCT aggregates of different arguments"}
		}
		distinct = i
	}
	first = withSink(f, &kernel.Aggregate{Keys: agg.Keys, Accs: accs, Strategy: agg.Strategy, Groups: agg.Groups})
	if distinct < 0 {
		return first, nil, nil
	}
	s := split{f: f, agg: agg, accs: accs, of: &accs[distinct]}
	return s.finer(), s.coarser(), nil
}

// ignoresDuplicates tells whether an accumulator gives the same with and without
// DISTINCT.
func ignoresDuplicates(op kernel.AccOp) bool {
	switch op {
	case kernel.AccMin, kernel.AccMax, kernel.AccAnd, kernel.AccOr, kernel.AccAny:
		return true
	}
	return false
}

// withSink is a copy of a kernel with another sink.
func withSink(f *kernel.Func, sink kernel.Sink) *kernel.Func {
	g := *f
	g.Sink = sink
	return &g
}

// split makes the two kernels of an aggregation with DISTINCT.
type split struct {
	f    *kernel.Func
	agg  *kernel.Aggregate
	accs []kernel.Acc
	of   *kernel.Acc // one of those with DISTINCT
}

// keys are the keys of the finer groups: after those of the aggregation the
// argument and the filter, unless they are among them.
func (s *split) keys() []kernel.ValueID {
	keys := slices.Clone(s.agg.Keys)
	for _, id := range append(slices.Clone(s.of.Args), s.of.Filter) {
		if id != kernel.NoValue && !slices.Contains(keys, id) {
			keys = append(keys, id)
		}
	}
	return keys
}

// finer is the kernel that groups by the argument too.
func (s *split) finer() *kernel.Func {
	sink := &kernel.Aggregate{Keys: s.keys(), Strategy: kernel.Hash}
	for i := range s.accs {
		if !s.accs[i].Distinct {
			sink.Accs = append(sink.Accs, s.accs[i])
		}
	}
	g := withSink(s.f, sink)
	g.Name += "_distinct"
	return g
}

// coarser is the kernel that aggregates the finer groups.
func (s *split) coarser() *kernel.Func {
	keys := s.keys()
	g := &kernel.Func{
		Name: s.f.Name, Dicts: s.f.Dicts,
		Inputs: []kernel.Input{{Kind: kernel.RelationInput, Name: s.f.Name + "_distinct"}},
	}
	scan := &kernel.Scan{}
	column := func(id kernel.ValueID) kernel.ValueID {
		dst := kernel.ValueID(len(g.Values))
		g.Values = append(g.Values, s.f.Values[id])
		scan.Cols = append(scan.Cols, kernel.SourceCol{Ordinal: len(scan.Cols), Dst: dst})
		return dst
	}
	at := make(map[kernel.ValueID]kernel.ValueID)
	for _, id := range keys {
		at[id] = column(id)
	}
	sink := &kernel.Aggregate{Strategy: s.agg.Strategy, Groups: s.agg.Groups}
	for _, id := range s.agg.Keys {
		sink.Keys = append(sink.Keys, at[id])
	}
	for _, acc := range s.accs {
		merged := kernel.Acc{Op: acc.Op, Filter: kernel.NoValue}
		if acc.Distinct {
			merged.Args = []kernel.ValueID{at[acc.Args[0]]}
			if acc.Filter != kernel.NoValue {
				merged.Filter = at[acc.Filter]
			}
		} else {
			merged.Op = acc.Op.Merge()
			for _, id := range acc.Dst {
				merged.Args = append(merged.Args, column(id))
			}
		}
		sink.Accs = append(sink.Accs, merged)
	}
	for i, acc := range s.accs {
		for _, id := range acc.Dst {
			sink.Accs[i].Dst = append(sink.Accs[i].Dst, kernel.ValueID(len(g.Values)))
			g.Values = append(g.Values, s.f.Values[id])
		}
	}
	g.Source, g.Sink = scan, sink
	return g
}
