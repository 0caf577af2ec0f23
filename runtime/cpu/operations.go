package cpu

import (
	"sync"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

// operations is the table of everything that a Compute can do.
var operations = sync.OnceValue(func() opTable {
	t := make(opTable)
	t.addArithmetic()
	t.addComparisons()
	t.addLogic()
	t.addConversions()
	t.addCodes()
	t.addTexts()
	t.addTimes()
	t.addStatistics()
	t.addRoutines()
	t.addIntegers()
	return t
})

// addIntegers registers the operations whose functions stand in the kernels' table.
func (t opTable) addIntegers() {
	for op, known := range kernel.Operations() {
		if known.Integers == nil {
			continue
		}
		t[opKey{op, kernel.I64}] = operation{total: true, make: func(_ *compiler, in *kernel.Compute) (apply, error) {
			compute := known.Integers(in.Aux)
			return func(f *frame) error {
				dst, o := of[int64](f.dst), operandsOf[int64](f)
				for _, i := range f.rows() {
					dst[i] = compute(o.a[int(i)&o.am], o.b[int(i)&o.bm])
				}
				return nil
			}, nil
		}}
	}
}

// compute compiles a Compute.
func (c *compiler) compute(in *kernel.Compute) (step, error) {
	typ := c.f.Values[in.Args[0]].Type
	op, ok := operations()[opKey{in.Op, typ}]
	if !ok {
		return nil, value.ErrorAt(in.Pos, value.CodeFeatureNotSupported,
			"operation %s is not supported for values of type %s", in.Op, typ)
	}
	run, err := op.make(c, in)
	if err != nil {
		return nil, value.At(err, in.Pos)
	}
	dst := c.define(in.Dst)
	total, strict := op.total && !in.Checked, !in.Op.SeesNulls()
	f := frame{dst: dst, args: make([]*Vector, len(in.Args)), meter: c.w.meter}
	return func(b *Batch) error {
		dst.Const = true
		for i, id := range in.Args {
			f.args[i] = b.value(id)
			dst.Const = dst.Const && f.args[i].Const
		}
		b.Vals[in.Dst] = dst
		f.n, f.sel = b.Rows, b.Sel
		if dst.Const {
			f.n, f.sel = 1, nil
		} else if total && len(f.sel)*2 >= f.n {
			f.sel = nil
		}
		if strict && !f.nulls() {
			return nil
		}
		if err := f.metered(run); err != nil {
			return value.At(err, in.Pos)
		}
		return nil
	}, nil
}

// instr compiles one instruction other than a Filter.
func (c *compiler) instr(in kernel.Instr) (s stage, err error) {
	switch in := in.(type) {
	case *kernel.Compute:
		s.step, err = c.compute(in)
	case *kernel.If:
		s.step, err = c.branch(in)
	case *kernel.Map:
		s.step, err = c.mapping(in)
	case *kernel.Repeat:
		s, err = c.repeat(in, c.uses.after(in))
	case *kernel.Probe:
		s, err = c.shared.probes(c, in, c.uses.after(in))
	default:
		err = internalf("kernel %s has an instruction of kind %T", c.f.Name, in)
	}
	return s, err
}
