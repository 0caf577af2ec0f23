package compile

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// frame is what an operation works on: the operands and the result of one
// batch, all decoded.
type frame struct {
	n    int     // rows in the vectors
	sel  []int32 // rows to compute; nil: all
	dst  *vector.Vector
	args []*vector.Vector

	meter *value.Meter // of what the operation makes
	held  int          // bytes of the result that are charged to it
	texts []byte       // memory of the texts of the result, unless they last
}

// metered runs an operation whose result of the batch before is no longer needed, and returns
// what it panics with.
func (f *frame) metered(run apply) error {
	f.meter.Shrink(f.held)
	used := f.meter.Used()
	err := sqlstate.Run(func() { run(f) })
	f.held = f.meter.Used() - used
	return err
}

// rows lists the rows to compute.
func (f *frame) rows() []int32 {
	if f.sel == nil {
		return vector.Identity(f.n)
	}
	return f.sel
}

// valid calls g for each row to compute whose result is not NULL.
func (f *frame) valid(g func(i int)) {
	null := f.dst.Null
	for _, i := range f.rows() {
		if null != nil && null[i] != 0 {
			continue
		}
		g(int(i))
	}
}

// apply computes the result of one batch.
type apply func(f *frame)

// operation is how a Compute is compiled.
type operation struct {
	make func(c *Compiler, in *kernel.Compute) apply
	// total operations, unless Checked, may be computed for rows that are not
	// active or NULL: they cannot fail, whatever the row holds, and cost next to
	// nothing.
	total bool
}

// opTable holds the operations by name and type of the first operand.
type opTable map[opKey]operation

type opKey struct {
	op  kernel.Op
	typ kernel.Type
}

// add registers an operation whose closure depends on nothing but its name and
// type.
func (t opTable) add(op kernel.Op, typ kernel.Type, run apply) {
	t[opKey{op, typ}] = operation{make: fixed(run)}
}

// addTotal registers such an operation that is total.
func (t opTable) addTotal(op kernel.Op, typ kernel.Type, run apply) {
	t[opKey{op, typ}] = operation{make: fixed(run), total: true}
}

func fixed(run apply) func(*Compiler, *kernel.Compute) apply {
	return func(*Compiler, *kernel.Compute) apply { return run }
}

// nulls makes the result NULL where an operand is. It is false when all of it
// is NULL.
func (f *frame) nulls() bool {
	dst := f.dst
	dst.Null = nil
	for _, a := range f.args {
		switch {
		case a.Null == nil:
		case a.Const:
			if a.Null[0] != 0 {
				dst.Const, dst.Null = true, allNull
				return false
			}
		case dst.Null == nil:
			dst.Null = a.Null
		default:
			dst.Null = unite(f.nullBuffer(), dst.Null, a.Null)
		}
	}
	return true
}

// allNull are the NULL flags of a constant that is NULL.
var allNull = []uint8{1}

// nullBuffer is memory of dst for the flags of all rows.
func (f *frame) nullBuffer() []uint8 {
	buf := f.dst.Buffer()
	if len(buf.Null) < f.n {
		buf.Null = make([]uint8, f.n)
	}
	return buf.Null[:f.n]
}

// unite sets dst where a or b is set.
func unite(dst, a, b []uint8) []uint8 {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] | b[i]
	}
	return dst
}
