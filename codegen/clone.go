package codegen

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// cloned is a copy of a kernel of which everything can be changed.
func cloned(f *kernel.Func) *kernel.Func {
	g := *f
	g.Inputs, g.Params, g.Values = slices.Clone(f.Inputs), slices.Clone(f.Params), slices.Clone(f.Values)
	scan := *f.Source.(*kernel.Scan)
	scan.Cols, scan.Prune = slices.Clone(scan.Cols), slices.Clone(scan.Prune)
	g.Source, g.Body, g.Sink = &scan, kernel.CloneBlock(f.Body), ownSink(f.Sink)
	return &g
}

// cleaned is a copy of a kernel without what it does not need.
func cleaned(f *kernel.Func) *kernel.Func {
	g := cloned(f)
	clean(g)
	return g
}

// ownSink is a copy of a sink whose values can be numbered anew.
func ownSink(sink kernel.Sink) kernel.Sink {
	switch s := sink.(type) {
	case *kernel.Materialize:
		own := *s
		own.Cols = slices.Clone(s.Cols)
		return &own
	case *kernel.Build:
		own := *s
		own.Keys, own.Payload = slices.Clone(s.Keys), slices.Clone(s.Payload)
		return &own
	case *kernel.Sort:
		own := *s
		own.Keys, own.Cols = slices.Clone(s.Keys), slices.Clone(s.Cols)
		return &own
	case *kernel.Aggregate:
		own := *s
		own.Keys, own.Accs = slices.Clone(s.Keys), slices.Clone(s.Accs)
		for i := range own.Accs {
			ownAcc(&own.Accs[i])
		}
		return &own
	case *kernel.Several:
		own := &kernel.Several{Branches: slices.Clone(s.Branches)}
		for i := range own.Branches {
			b := &own.Branches[i]
			b.Body, b.Sink = kernel.CloneBlock(b.Body), ownSink(b.Sink)
		}
		return own
	case *kernel.Window:
		own := *s
		own.Partition, own.Order, own.Cols = slices.Clone(s.Partition), slices.Clone(s.Order), slices.Clone(s.Cols)
		own.Frames, own.Calls = slices.Clone(s.Frames), slices.Clone(s.Calls)
		for i := range own.Calls {
			ownAcc(&own.Calls[i].Acc)
		}
		return &own
	}
	return sink
}

func ownAcc(acc *kernel.Acc) { acc.Args, acc.Dst = slices.Clone(acc.Args), slices.Clone(acc.Dst) }
