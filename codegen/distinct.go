package codegen

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators/distinct"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Split is how an Aggregate with DISTINCT accumulators is done by several kernels.
type Split struct {
	// Finer group by the argument of DISTINCT accumulators too, and by their
	// filter, one kernel for each such argument. The first one has the other
	// accumulators, or where these need all rows of a group, one more.
	Finer []*kernel.Func
	// Seen are the columns that Coarser reads of the relations of Finer, which
	// stand one after the other in its only input.
	Seen [][]PartCol
	// Coarser aggregates the finer groups, in which each value stands once.
	Coarser *kernel.Func
}

// SplitDistinct splits an Aggregate with DISTINCT accumulators; nil where f has none.
func SplitDistinct(f *kernel.Func) *Split {
	s := newSplitter(f)
	if s == nil {
		return nil
	}
	split := &Split{Coarser: s.coarser()}
	for d := range max(len(s.sets), s.others()+1) {
		split.Finer = append(split.Finer, s.finer(d))
		split.Seen = append(split.Seen, s.seen(d))
	}
	return split
}

// MarkDistinct has a device mark, in the pass over the rows, which values of DISTINCT accumulators are new to
// their groups; nil where f has none.
func MarkDistinct(f *kernel.Func) *kernel.Func {
	s := newSplitter(f)
	if s == nil {
		return nil
	}
	sink := *s.agg
	for d := range s.sets {
		groups := s.finerGroups(d)
		if groups == 0 {
			groups = maxFiner
		}
		sink.Marks = max(sink.Marks, groups)
	}
	return withSink(f, &sink)
}

// newSplitter begins to split an Aggregate with DISTINCT accumulators; nil where f has none.
func newSplitter(f *kernel.Func) *splitter {
	agg, ok := f.Sink.(*kernel.Aggregate)
	if !ok {
		return nil
	}
	s := &splitter{f: f, agg: agg, accs: slices.Clone(agg.Accs)}
	for i := range s.accs {
		acc := &s.accs[i]
		acc.Distinct = acc.TakesOnce()
		if acc.Distinct && s.set(acc) < 0 {
			s.sets = append(s.sets, acc)
		}
	}
	if s.sets == nil {
		return nil
	}
	return s
}

// InCells is the split, of one finer kernel, whose coarser one reads the groups where they lie: that is woven with what
// follows.
func (s *Split) InCells() *Split {
	f := s.Finer[0]
	sink := *f.Sink.(*kernel.Aggregate)
	sink.Cells = true
	g := *s.Coarser
	scan := *g.Source.(*kernel.Scan)
	scan.Cols = slices.Clone(scan.Cols)
	if seen := s.Seen[0]; seen != nil {
		for i, c := range scan.Cols {
			scan.Cols[i].Ordinal = seen[c.Ordinal].Ordinal
		}
	}
	g.Source, g.Inputs = &scan, slices.Clone(g.Inputs)
	g.Inputs[scan.Input].Kind = kernel.GroupsInput
	return &Split{Finer: []*kernel.Func{withSink(f, &sink)}, Seen: [][]PartCol{nil}, Coarser: &g}
}

// Kernels are the kernels of the split, in the order in which they run.
func (s *Split) Kernels() []*kernel.Func { return append(slices.Clone(s.Finer), s.Coarser) }

// Groups is how many finer groups are expected, 0 for unknown.
func (s *Split) Groups() float64 {
	n := 0.0
	for _, f := range s.Finer {
		if agg, ok := f.Sink.(*kernel.Aggregate); ok {
			n += agg.Groups
		}
	}
	return n
}

// WithSplits returns the program with steps in several kernels each, by their numbers.
// The numbers of the others change: from[i] is what step i was.
func (p *Program) WithSplits(splits map[int]*Split) (_ *Program, from []int) {
	out := *p
	out.Steps = nil
	out.Shared = nil
	now := make([]int, len(p.Steps))     // the step that makes what a step made
	reads := make([][]int, len(p.Steps)) // the steps that read what a step reads
	for i := range p.Steps {
		step := p.Steps[i]
		step.Inputs = renumbered(step.Inputs, now)
		if s := splits[i]; s != nil {
			var parts []Part
			for d, f := range s.Finer {
				// Several that share a scan are cleaned together: see ShareScan.
				if _, scans := f.Source.(*kernel.Scan); scans && len(s.Finer) == 1 {
					f = cleaned(f)
				}
				reads[i] = append(reads[i], len(out.Steps))
				parts = append(parts, Part{Step: len(out.Steps), Cols: s.Seen[d]})
				out.Steps = append(out.Steps, Step{Func: f, Inputs: step.Inputs, Group: step.Group})
				from = append(from, i)
			}
			step.Func, step.Inputs = s.Coarser, []Binding{{Parts: parts}}
		} else {
			reads[i] = []int{len(out.Steps)}
		}
		now[i] = len(out.Steps)
		out.Steps = append(out.Steps, step)
		from = append(from, i)
	}
	out.Shared = shared(p.Shared, reads)
	out.Result = renumbered([]Binding{p.Result}, now)[0]
	return &out, from
}

// splitChosen returns the program with the aggregations split for which that was chosen.
func (p *Program) splitChosen() *Program {
	splits := make(map[int]*Split)
	for i := range p.Steps {
		if slices.ContainsFunc(p.Steps[i].Decisions, func(d strategy.Decision) bool { return d.Of == distinct.Decision && d.Takes(distinct.Split) }) {
			splits[i] = SplitDistinct(p.Steps[i].Func)
		}
	}
	if len(splits) == 0 {
		return p
	}
	out, _ := p.WithSplits(splits)
	return out
}

// renumbered are bindings of steps that have other numbers now.
func renumbered(bindings []Binding, now []int) []Binding {
	out := slices.Clone(bindings)
	for i := range out {
		out[i].Parts = slices.Clone(out[i].Parts)
		for k := range out[i].Parts {
			out[i].Parts[k].Step = now[out[i].Parts[k].Step]
		}
	}
	return out
}

// shared are the sets of steps that read the same: those of sets before, and the kernels of one
// split. Of each step there are those that read what it read.
func shared(sets, reads [][]int) (out [][]int) {
	in := make(map[int]bool)
	for _, set := range sets {
		var all []int
		for _, i := range set {
			in[i] = true
			all = append(all, reads[i]...)
		}
		out = append(out, all)
	}
	for i := range reads {
		if !in[i] && len(reads[i]) > 1 {
			out = append(out, reads[i])
		}
	}
	return out
}

// withSink is a copy of a kernel with another sink.
func withSink(f *kernel.Func, sink kernel.Sink) *kernel.Func {
	g := *f
	g.Sink = sink
	return &g
}

// splitter makes the kernels of a Split.
type splitter struct {
	f     *kernel.Func
	agg   *kernel.Aggregate
	accs  []kernel.Acc
	sets  []*kernel.Acc      // of each argument and filter of DISTINCT accumulators the first
	words [][]kernel.ValueID // by set: its values as bits; nil: rows are grouped by them
}

// set is the number of a DISTINCT accumulator's argument and filter, or below 0.
func (s *splitter) set(acc *kernel.Acc) int {
	return slices.IndexFunc(s.sets, func(x *kernel.Acc) bool {
		return x.Args[0] == acc.Args[0] && x.Filter == acc.Filter
	})
}

// others is which of the finer kernels has the accumulators without DISTINCT: that of the first set, unless
// one of them needs all rows of a group.
func (s *splitter) others() int {
	if s.words == nil && slices.ContainsFunc(s.accs, func(acc kernel.Acc) bool { return !acc.Distinct && needsAllRows(acc) }) {
		return len(s.sets)
	}
	return 0
}

// values are the argument of set d and, where it has one, the filter; or the words of its bits.
func (s *splitter) values(d int) []kernel.ValueID {
	switch {
	case s.words != nil:
		return s.words[d]
	case d == len(s.sets):
		return nil
	}
	ids := slices.Clone(s.sets[d].Args[:1])
	if s.sets[d].Filter != kernel.NoValue {
		ids = append(ids, s.sets[d].Filter)
	}
	return ids
}

// keys are the keys of the finer groups of set d.
func (s *splitter) keys(d int) []kernel.ValueID {
	keys := slices.Clone(s.agg.Keys)
	for _, id := range s.values(d) {
		if !slices.Contains(keys, id) {
			keys = append(keys, id)
		}
	}
	return keys
}

// finer is the kernel that groups by the values of set d too.
func (s *splitter) finer(d int) *kernel.Func {
	sink := &kernel.Aggregate{Keys: s.keys(d), Strategy: kernel.Hash, Rows: s.agg.Rows, Groups: s.finerGroups(d)}
	for i := range s.accs {
		if !s.accs[i].Distinct && d == s.others() {
			sink.Accs = append(sink.Accs, s.accs[i])
		}
	}
	if len(sink.Keys) == 0 {
		sink.Strategy = kernel.Single
	}
	g := withSink(s.f, sink)
	g.Name = fmt.Sprintf("%s_distinct%d", s.f.Name, d)
	return g
}

// maxFiner is how many finer groups are expected at most, and atMost how many of each row that is
// expected: a table that is full is filled anew.
const (
	maxFiner = 1 << 22
	atMost   = 2
)

// finerGroups is a bound of the finer groups of set d, as far as the ranges of its
// values and the rows that are expected tell; 0, for unknown, where rows are made that the source does not have, whose
// number is no bound then.
func (s *splitter) finerGroups(d int) float64 {
	for _, in := range s.f.Body {
		if _, ok := in.(*kernel.Repeat); ok {
			return 0
		}
	}
	groups := max(s.agg.Groups, 1)
	for _, id := range s.values(d) {
		switch v := &s.f.Values[id]; {
		case v.Type == kernel.Bool:
			groups *= 2
		case v.Range.Known && v.Range.Lo <= v.Range.Hi:
			groups *= float64(v.Range.Hi) - float64(v.Range.Lo) + 1
		default:
			groups = maxFiner
		}
	}
	if s.agg.Rows > 0 {
		groups = min(groups, atMost*s.agg.Rows)
	}
	return min(groups, maxFiner)
}

// seen are the columns of the coarser kernel's input as the finer groups of set d
// have them: keys, the values of each set, the accumulators without DISTINCT. What
// they do not have is NULL, or 0 where that counts nothing.
func (s *splitter) seen(d int) []PartCol {
	keys := s.keys(d)
	var cols []PartCol
	column := func(id kernel.ValueID, ordinal int, val value.Value) {
		cols = append(cols, PartCol{Ordinal: ordinal, Type: s.f.Values[id].Type, Const: val})
	}
	for i, id := range s.agg.Keys {
		column(id, i, value.Value{})
	}
	for e := range s.sets {
		for _, id := range s.values(e) {
			if e == d {
				column(id, slices.Index(keys, id), value.Value{})
			} else {
				column(id, -1, value.Value{})
			}
		}
	}
	next := len(keys)
	for i := range s.accs {
		if s.accs[i].Distinct {
			continue
		}
		for _, id := range s.accs[i].Dst {
			if d == s.others() {
				column(id, next, value.Value{})
				next++
			} else {
				column(id, -1, nothing(s.accs[i].Op.Merge()))
			}
		}
	}
	return cols
}

// nothing is what an accumulator of finer groups' results passes over.
func nothing(op kernel.AccOp) value.Value {
	row, _ := op.Row()
	switch {
	case row.Bounds == kernel.BoundedByRows:
		return value.Value{Kind: value.Int}
	case row.State != nil:
		return value.Value{Kind: value.Float}
	}
	return value.Value{}
}

// coarser is the kernel that aggregates the finer groups.
func (s *splitter) coarser() *kernel.Func {
	g := &kernel.Func{
		Name: s.f.Name, Dicts: s.f.Dicts,
		Inputs: []kernel.Input{{Kind: kernel.RelationInput, Name: s.f.Name + "_distinct"}},
	}
	scan := &kernel.Scan{}
	column := func(id kernel.ValueID, null bool) kernel.ValueID {
		dst := kernel.ValueID(len(g.Values))
		v := s.f.Values[id]
		v.Nullable = v.Nullable || null && len(s.sets)+s.others() > 1
		g.Values = append(g.Values, v)
		scan.Cols = append(scan.Cols, kernel.SourceCol{Ordinal: len(scan.Cols), Dst: dst})
		return dst
	}
	sink := &kernel.Aggregate{Strategy: s.agg.Strategy, Determinant: s.agg.Determinant, Cells: s.agg.Cells, Groups: s.agg.Groups}
	for _, id := range s.agg.Keys {
		sink.Keys = append(sink.Keys, column(id, false))
	}
	at := make([][]kernel.ValueID, len(s.sets))
	for d := range s.sets {
		for _, id := range s.values(d) {
			at[d] = append(at[d], column(id, true))
		}
	}
	for i := range s.accs {
		acc := &s.accs[i]
		merged := kernel.Acc{Op: acc.Op, Filter: kernel.NoValue}
		if acc.Distinct {
			s.onceEach(g, &merged, acc, at[s.set(acc)])
		} else {
			merged.Op = acc.Op.Merge()
			for _, id := range acc.Dst {
				merged.Args = append(merged.Args, column(id, nothing(merged.Op).Kind == value.Null))
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

// onceEach has an accumulator of the finer groups take each of their values, or count their bits.
func (s *splitter) onceEach(g *kernel.Func, merged, acc *kernel.Acc, values []kernel.ValueID) {
	if s.words != nil {
		merged.Op, merged.Args = kernel.AccSumCount, []kernel.ValueID{countBits(g, values)}
		return
	}
	merged.Args = values[:1]
	if acc.Filter != kernel.NoValue {
		merged.Filter = values[1]
	}
}
