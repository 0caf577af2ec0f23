package compile

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// addRoutines registers OpRoutine for every type that its first operand can have.
func (t opTable) addRoutines() {
	for _, typ := range []kernel.Type{kernel.I32, kernel.I64, kernel.F64, kernel.Num, kernel.Interval, kernel.Str} {
		t[opKey{kernel.OpRoutine, typ}] = operation{make: makeRoutine}
	}
}

// makeRoutine compiles a call of a value.Routine, which works on one row after the
// other.
func makeRoutine(c *Compiler, in *kernel.Compute) apply {
	r, ok := kernel.FindRoutine(in.Aux.Field)
	if !ok {
		panic(exec.Internalf("there is no routine %q", in.Aux.Field))
	}
	if r.Element != nil {
		return makeElement(&r)
	}
	args, load := make([]value.Value, len(in.Args)), make([]func(int), len(in.Args))
	call := r.Func()
	return func(f *frame) {
		for k, v := range f.args {
			load[k] = v.Loader(&args[k])
		}
		f.maybe(func(i int) bool {
			for _, l := range load {
				l(i)
			}
			used := f.meter.Used()
			out, err := call(f.meter, args)
			f.meter.Settle(used, len(out.S))
			sqlstate.Check(err)
			if out.Kind == value.Null {
				return false
			}
			f.dst.Set(i, &out)
			return true
		})
	}
}

// makeElement compiles a routine that takes a text out of an array.
func makeElement(r *value.Routine) apply {
	element := r.Element()
	return func(f *frame) {
		arrays, am := vector.Of[string](f.args[0]), f.args[0].Mask()
		numbers, nm := vector.Of[int32](f.args[1]), f.args[1].Mask()
		dst := vector.Of[string](f.dst)
		f.maybe(func(i int) (ok bool) {
			used := f.meter.Used()
			dst[i], ok = element(f.meter, arrays[i&am], int64(numbers[i&nm]))
			f.meter.Settle(used, len(dst[i]))
			return ok
		})
	}
}
