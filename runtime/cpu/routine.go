package cpu

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
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
func makeRoutine(c *compiler, in *kernel.Compute) (apply, error) {
	r, ok := kernel.FindRoutine(in.Aux.Field)
	if !ok {
		return nil, internalf("there is no routine %q", in.Aux.Field)
	}
	args := make([]value.Value, len(in.Args))
	call := r.Func()
	return func(f *frame) error {
		return f.maybe(func(i int) (bool, error) {
			for k, v := range f.args {
				args[k] = v.valueAt(i & v.mask())
			}
			used := f.meter.Used()
			out, err := call(f.meter, args)
			f.meter.Settle(used, len(out.S))
			if err != nil || out.Kind == value.Null {
				return false, err
			}
			f.dst.set(i, out)
			return true, nil
		})
	}, nil
}

// valueAt is a row that is not NULL as a value.
func (v *Vector) valueAt(i int) value.Value {
	switch v.Type {
	case kernel.Bool:
		return value.Value{Kind: value.Bool, B: of[uint8](v)[i] != 0}
	case kernel.I32:
		return value.Value{Kind: value.Int, I: int64(of[int32](v)[i])}
	case kernel.I64:
		return value.Value{Kind: value.Int, I: of[int64](v)[i]}
	case kernel.F64:
		return value.Value{Kind: value.Float, F: of[float64](v)[i]}
	case kernel.Num:
		return value.Value{Kind: value.Decimal, Num: of[value.Num](v)[i]}
	case kernel.Interval:
		return value.Value{Kind: value.Intervals, Interval: of[value.Interval](v)[i]}
	}
	return value.Value{Kind: value.Text, S: of[string](v)[i]}
}

// set makes a row a value that is not NULL.
func (v *Vector) set(i int, x value.Value) {
	switch v.Type {
	case kernel.Bool:
		of[uint8](v)[i] = b2u(x.B)
	case kernel.I32:
		of[int32](v)[i] = int32(x.I)
	case kernel.I64:
		of[int64](v)[i] = x.I
	case kernel.F64:
		of[float64](v)[i] = x.F
	case kernel.Num:
		of[value.Num](v)[i] = x.Num
	case kernel.Interval:
		of[value.Interval](v)[i] = x.Interval
	default:
		of[string](v)[i] = x.S
	}
}
