package compile

import (
	"sync"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
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
		t[opKey{op, kernel.I64}] = operation{total: true, make: func(_ *Compiler, in *kernel.Compute) apply {
			compute := known.Integers(in.Aux)
			return func(f *frame) {
				dst, o := vector.Of[int64](f.dst), operandsOf[int64](f)
				for _, i := range f.rows() {
					dst[i] = compute(o.a[int(i)&o.am], o.b[int(i)&o.bm])
				}
			}
		}}
	}
}

// compute compiles a Compute.
func (c *Compiler) compute(in *kernel.Compute) exec.Step {
	typ := c.Kernel.Values[in.Args[0]].Type
	op, ok := operations()[opKey{in.Op, typ}]
	if !ok {
		panic(value.ErrorAt(in.Pos, value.CodeFeatureNotSupported,
			"operation %s is not supported for values of type %s", in.Op, typ))
	}
	run, err := sqlstate.Try(func() apply { return op.make(c, in) })
	sqlstate.Check(value.At(err, in.Pos))
	dst := c.define(in.Dst)
	total, strict, isText := op.total && !in.Checked, !in.Op.SeesNulls(), dst.Type == kernel.Str
	f := frame{dst: dst, args: make([]*vector.Vector, len(in.Args)), meter: c.Worker.Meter}
	var varying []int // operands that are no constants of the kernel, of which there can be very many
	for i, id := range in.Args {
		if f.args[i] = c.Worker.Vals[id]; f.args[i] == nil {
			varying = append(varying, i)
		}
	}
	return func(b *vector.Batch) {
		dst.Const, dst.Fleeting = true, false
		for _, i := range varying {
			f.args[i] = b.Value(in.Args[i])
			dst.Const = dst.Const && f.args[i].Const
			dst.Fleeting = dst.Fleeting || isText && f.args[i].Fleeting // a part of it is no copy
		}
		b.Vals[in.Dst] = dst
		f.n, f.sel = b.Rows, b.Sel
		if dst.Const {
			f.n, f.sel = 1, nil
		} else if total && len(f.sel)*2 >= f.n {
			f.sel = nil
		}
		if strict && !f.nulls() {
			return
		}
		if err := f.metered(run); err != nil {
			sqlstate.Check(value.At(err, in.Pos))
		}
	}
}

// instr compiles one instruction other than a Filter.
func (c *Compiler) instr(in kernel.Instr) (s Stage) {
	switch in := in.(type) {
	case *kernel.Compute:
		s.Step = c.compute(in)
	case *kernel.If:
		s.Step = c.branch(in)
	case *kernel.Map:
		s.Step = c.mapping(in)
	case *kernel.Repeat:
		s = c.repeat(in, c.shared.uses.after(in))
	case *kernel.Probe:
		s = c.shared.probes(c, in, c.shared.uses.after(in))
	default:
		panic(exec.Internalf("kernel %s has an instruction of kind %T", c.Kernel.Name, in))
	}
	return s
}
