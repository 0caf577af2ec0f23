package compile

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// LateTexts returns a kernel whose sink puts texts of integers together, with the integers in the place of
// their texts: rows are then kept and ordered with numbers, and no text is made but the one that has all.
func LateTexts(f *kernel.Func) *kernel.Func {
	l := lateTexts{f: f}
	var sink kernel.Sink
	switch s := f.Sink.(type) {
	case *kernel.Window:
		with := *s
		with.Calls = slices.Clone(s.Calls)
		for i := range with.Calls {
			if c := &with.Calls[i]; c.Func == kernel.WindowStringAgg {
				c.Args = l.numbers(c.Args)
			}
		}
		sink = &with
	case *kernel.Aggregate:
		with := *s
		with.Accs = slices.Clone(s.Accs)
		for i := range with.Accs {
			if a := &with.Accs[i]; a.Op == kernel.AccConcatenate {
				a.Args = l.numbers(a.Args)
			}
		}
		sink = &with
	}
	if len(l.late) == 0 {
		return f
	}
	out := *f
	out.Sink = sink
	out.Body = slices.DeleteFunc(slices.Clone(f.Body), func(in kernel.Instr) bool {
		c, ok := in.(*kernel.Compute)
		return ok && slices.Contains(l.late, c.Dst)
	})
	return &out
}

// lateTexts are texts of integers that are not made for each row.
type lateTexts struct {
	f    *kernel.Func
	late []kernel.ValueID
}

// numbers are the operands of what puts texts together, with an integer in the place of its text, which nothing else reads.
func (l *lateTexts) numbers(args []kernel.ValueID) []kernel.ValueID {
	of := formatted(l.f, args[0])
	if of == kernel.NoValue || timesRead(l.f, args[0]) > 1 {
		return args
	}
	l.late = append(l.late, args[0])
	return []kernel.ValueID{of, args[1]}
}

// formatted returns the integer whose text a value is, or NoValue.
func formatted(f *kernel.Func, id kernel.ValueID) kernel.ValueID {
	for _, in := range f.Body {
		c, ok := in.(*kernel.Compute)
		if !ok || c.Dst != id || c.Op != kernel.OpFormat || c.Aux != (kernel.Aux{}) {
			continue
		}
		if typ := f.Values[c.Args[0]].Type; typ == kernel.I32 || typ == kernel.I64 {
			return c.Args[0]
		}
	}
	return kernel.NoValue
}

// timesRead returns how often a kernel reads a value.
func timesRead(f *kernel.Func, id kernel.ValueID) (n int) {
	count := func(read kernel.ValueID) { n += int(vector.B2u(read == id)) }
	kernel.SinkOperands(f.Sink, count)
	for _, in := range f.Body {
		kernel.Operands(in, count, nil)
	}
	return n
}
