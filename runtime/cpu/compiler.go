package cpu

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

// compiler turns the instructions of one kernel into closures over the vectors
// of one worker. Closures capture their operands' vectors, so that running one
// costs no look-up by row.
type compiler struct {
	w    *worker
	f    *kernel.Func
	uses uses
	// free is what the Ifs compiled so far read that they do not define.
	free map[*kernel.If][]kernel.ValueID
}

// stage is one compiled instruction of a body: a step that works in place, or,
// for instructions that give new batches, a function that builds the consumer
// of this instruction and all after it.
type stage struct {
	step   step
	expand func(next consumer) consumer
}

// newCompiler makes a compiler and w's vectors for constants.
func newCompiler(w *worker) (*compiler, error) {
	f := w.run.f
	w.vals = make([]*Vector, len(f.Values))
	c := &compiler{w: w, f: f, uses: countUses(f), free: make(map[*kernel.If][]kernel.ValueID)}
	for i := range f.Params {
		v, err := constant(f.Values[f.Params[i].Dst].Type, f.Params[i].Val)
		if err != nil {
			return nil, err
		}
		w.vals[f.Params[i].Dst] = v
	}
	return c, nil
}

// define makes the vector that holds value id for this worker's batches. Its
// slices have room for a batch.
func (c *compiler) define(id kernel.ValueID) *Vector {
	return newVector(c.f.Values[id].Type, c.w.rows)
}

// constant makes the vector of a constant.
func constant(t kernel.Type, val value.Value) (*Vector, error) {
	v := newVector(t, 1)
	v.Const = true
	if val.Kind == value.Null {
		v.Null = []uint8{1}
		return v, nil
	}
	ok := true
	switch t {
	case kernel.Bool:
		of[uint8](v)[0], ok = b2u(val.B), val.Kind == value.Bool
	case kernel.I32:
		of[int32](v)[0], ok = int32(val.I), val.Kind == value.Int
	case kernel.I64:
		of[int64](v)[0], ok = constantInt64(val)
	case kernel.I128:
		of[value.Int128](v)[0], ok = constantInt128(val)
	case kernel.F64:
		of[float64](v)[0], ok = val.F, val.Kind == value.Float
	case kernel.Num:
		c, isNum := constantInt128(val)
		of[value.Num](v)[0], ok = value.Num{Coef: c, Scale: val.Num.Scale}, isNum
	case kernel.Interval:
		of[value.Interval](v)[0], ok = val.Interval, val.Kind == value.Intervals
	case kernel.Str:
		of[string](v)[0], ok = val.S, val.Kind == value.Text
	default:
		ok = false
	}
	if !ok {
		return nil, internalf("a constant of kind %d stands for a value of type %d", val.Kind, t)
	}
	return v, nil
}

// constantInt64 is a constant of type I64: an integer, or a decimal's
// coefficient.
func constantInt64(val value.Value) (int64, bool) {
	if val.Kind == value.Decimal {
		return int64(val.Num.Coef.Lo), val.Num.Coef.Hi == int64(val.Num.Coef.Lo)>>63
	}
	return val.I, val.Kind == value.Int
}

// constantInt128 is a constant of type I128.
func constantInt128(val value.Value) (value.Int128, bool) {
	if val.Kind == value.Decimal {
		return val.Num.Coef, true
	}
	return value.Int128{Lo: uint64(val.I), Hi: val.I >> 63}, val.Kind == value.Int
}
