package codegen

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// DistinctBits is how an Aggregate that counts DISTINCT integers within small ranges is done by two
// kernels: one keeps a bit for each value that there has been in a group, and goes over the rows once whatever the
// number of sets; another one counts the bits. The string says why it does not apply.
func DistinctBits(f *kernel.Func) (*Split, string) {
	s := newSplitter(f)
	if s == nil {
		return nil, "nothing is DISTINCT"
	}
	words := 0
	for i := range s.accs {
		acc := &s.accs[i]
		if row, _ := acc.Op.Row(); row.State != nil {
			return nil, "an accumulator of double precision has a cell, to which each word would be added"
		}
		if acc.Distinct && acc.Op != kernel.AccCount {
			return nil, "values are not only counted"
		}
	}
	for _, acc := range s.sets {
		n := setWords(&f.Values[acc.Args[0]])
		if words += n; n == 0 || words > maxSetWords {
			return nil, "not all values are integers within a small range"
		}
	}
	s.f = s.withBits()
	return &Split{Finer: []*kernel.Func{s.f}, Seen: [][]PartCol{nil}, Coarser: s.coarser()}, ""
}

// withBits is the kernel that keeps the sets as words of bits, before the other accumulators.
func (s *splitter) withBits() *kernel.Func {
	g := *s.f
	g.Name += "_distinct"
	g.Values, g.Params, g.Body = slices.Clone(g.Values), slices.Clone(g.Params), slices.Clone(g.Body)
	sink := *s.agg
	sink.Cells, sink.Accs = false, nil
	s.words = make([][]kernel.ValueID, len(s.sets))
	for d, acc := range s.sets {
		arg := g.Values[acc.Args[0]]
		x := acc.Args[0]
		if arg.Type != kernel.I64 {
			x = compute(&g, kernel.OpConvert, kernel.Aux{}, arg.Nullable, x)
		}
		base := integer(&g, arg.Range.Lo)
		for word := range setWords(&arg) {
			bit := compute(&g, kernel.OpBit, kernel.Aux{Bits: uint8(word)}, arg.Nullable, x, base)
			set := define(&g, true)
			sink.Accs = append(sink.Accs, kernel.Acc{Op: kernel.AccBitOr, Args: []kernel.ValueID{bit}, Filter: acc.Filter, Dst: []kernel.ValueID{set}})
			s.words[d] = append(s.words[d], set)
		}
	}
	for i := range s.accs {
		if !s.accs[i].Distinct {
			sink.Accs = append(sink.Accs, s.accs[i])
		}
	}
	g.Sink = &sink
	return &g
}
