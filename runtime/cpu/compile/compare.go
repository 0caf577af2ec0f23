package compile

import (
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/value"
)

// addComparisons registers eq … ge, distinct and in.
func (t opTable) addComparisons() {
	addOrder(t, kernel.I32, equal[int32], less[int32])
	addOrder(t, kernel.I64, equal[int64], less[int64])
	addOrder(t, kernel.F64, equalFloat, lessFloat)
	addOrder(t, kernel.Bool, equal[uint8], less[uint8])
	addOrder(t, kernel.I128, func(a, b value.Int128) bool { return a == b }, value.Int128.Less)
	addOrder(t, kernel.Num,
		func(a, b value.Num) bool { return a.Cmp(b) == 0 },
		func(a, b value.Num) bool { return a.Cmp(b) < 0 })
	addOrder(t, kernel.Str, equal[string], func(a, b string) bool { return strings.Compare(a, b) < 0 })
	addOrder(t, kernel.Interval,
		func(a, b value.Interval) bool { return a.Cmp(b) == 0 },
		func(a, b value.Interval) bool { return a.Cmp(b) < 0 })
	addEquality(t, kernel.Code, equal[uint32])
	addFast[int32](t, kernel.I32)
	addFast[int64](t, kernel.I64)
	addFast[uint8](t, kernel.Bool)
	addLess(t, kernel.F64, lessFloats)
	addEqualLoop[uint32](t, kernel.Code)
	addSets[int32](t, kernel.I32)
	addSets[int64](t, kernel.I64)
	addSets[uint32](t, kernel.Code)
	addSets[string](t, kernel.Str)
	addShortTexts(t)
	addSets[value.Int128](t, kernel.I128)
}

func equal[T comparable](a, b T) bool           { return a == b }
func less[T int32 | int64 | uint8](a, b T) bool { return a < b }

// equalFloat and lessFloat order double precision as PostgreSQL does: not a
// number equals itself and is greater than all others.
func equalFloat(a, b float64) bool { return a == b || a != a && b != b }
func lessFloat(a, b float64) bool  { return a < b || b != b && a == a }

// addEquality registers what follows from equality.
func addEquality[T any](t opTable, typ kernel.Type, eq test[T]) {
	t.add(kernel.OpEq, typ, comparison(eq))
	t.add(kernel.OpNe, typ, comparison(func(a, b T) bool { return !eq(a, b) }))
	t[opKey{kernel.OpDistinct, typ}] = operation{make: fixed(distinct(eq))}
	t[opKey{kernel.OpIn, typ}] = operation{make: fixed(inList(eq))}
}

// addOrder registers what follows from equality and order.
func addOrder[T any](t opTable, typ kernel.Type, eq, lt test[T]) {
	addEquality(t, typ, eq)
	t.add(kernel.OpLt, typ, comparison(lt))
	t.add(kernel.OpGe, typ, comparison(func(a, b T) bool { return !lt(a, b) }))
	t.add(kernel.OpGt, typ, comparison(func(a, b T) bool { return lt(b, a) }))
	t.add(kernel.OpLe, typ, comparison(func(a, b T) bool { return !lt(b, a) }))
}

// comparison compares row by row.
func comparison[T any](holds test[T]) apply {
	return func(f *frame) {
		o, dst, null := operandsOf[T](f), vector.Of[uint8](f.dst), f.dst.Null
		for _, i := range f.rows() {
			if null == nil || null[i] == 0 {
				dst[i] = vector.B2u(holds(o.a[int(i)&o.am], o.b[int(i)&o.bm]))
			}
		}
	}
}

// distinct compares row by row, NULL being equal to NULL and to nothing else.
func distinct[T any](eq test[T]) apply {
	return func(f *frame) {
		o := operandsOf[T](f)
		a, b, dst := f.args[0], f.args[1], vector.Of[uint8](f.dst)
		f.dst.Null = nil
		for _, i := range f.rows() {
			an, bn := a.IsNull(int(i)), b.IsNull(int(i))
			dst[i] = vector.B2u(an != bn || !an && !eq(o.a[int(i)&o.am], o.b[int(i)&o.bm]))
		}
	}
}

// addFast replaces the comparisons of a type by plain loops, which may run over
// rows that nobody asked for.
func addFast[T int32 | int64 | uint8](t opTable, typ kernel.Type) {
	addEqualLoop[T](t, typ)
	addLess(t, typ, lessLoop[T])
}

// addLess does so for those that follow from a loop which computes a < b, or its opposite where flip
// is 1.
func addLess[T any](t opTable, typ kernel.Type, less func(dst []uint8, o operands[T], sel []int32, flip uint8)) {
	for op, form := range map[kernel.Op]struct{ swap, flip bool }{
		kernel.OpLt: {false, false}, kernel.OpGe: {false, true},
		kernel.OpGt: {true, false}, kernel.OpLe: {true, true},
	} {
		flip := vector.B2u(form.flip)
		t.addTotal(op, typ, func(f *frame) {
			o := operandsOf[T](f)
			if form.swap {
				o = operands[T]{a: o.b, b: o.a, am: o.bm, bm: o.am}
			}
			less(vector.Of[uint8](f.dst)[:f.n], o, f.sel, flip)
		})
	}
}

// addEqualLoop does so for equality.
func addEqualLoop[T int32 | int64 | uint8 | uint32](t opTable, typ kernel.Type) {
	for op, flip := range map[kernel.Op]uint8{kernel.OpEq: 0, kernel.OpNe: 1} {
		t.addTotal(op, typ, func(f *frame) {
			equalLoop(vector.Of[uint8](f.dst)[:f.n], operandsOf[T](f), f.sel, flip)
		})
	}
}

// lessFloats is lessLoop for double precision: see lessFloat.
func lessFloats(dst []uint8, o operands[float64], sel []int32, flip uint8) {
	if sel == nil {
		sel = vector.Identity(len(dst))
	}
	switch {
	case o.bm == 0 && o.b[0] == o.b[0]:
		a, c := o.a, o.b[0]
		for _, i := range sel {
			dst[i] = vector.B2u(a[int(i)&o.am] < c) ^ flip
		}
	case o.am == 0 && o.a[0] == o.a[0]:
		b, c := o.b, o.a[0]
		for _, i := range sel {
			dst[i] = vector.B2u(b[int(i)&o.bm] <= c) ^ 1 ^ flip
		}
	default:
		for _, i := range sel {
			dst[i] = vector.B2u(lessFloat(o.a[int(i)&o.am], o.b[int(i)&o.bm])) ^ flip
		}
	}
}

// lessLoop computes a < b, or its opposite where flip is 1.
func lessLoop[T int32 | int64 | uint8](dst []uint8, o operands[T], sel []int32, flip uint8) {
	switch {
	case sel != nil:
		for _, i := range sel {
			dst[i] = vector.B2u(o.a[int(i)&o.am] < o.b[int(i)&o.bm]) ^ flip
		}
	case o.am == 0:
		b, c := o.b[:len(dst)], o.a[0]
		for i := range dst {
			dst[i] = vector.B2u(c < b[i]) ^ flip
		}
	case o.bm == 0:
		a, c := o.a[:len(dst)], o.b[0]
		for i := range dst {
			dst[i] = vector.B2u(a[i] < c) ^ flip
		}
	default:
		a, b := o.a[:len(dst)], o.b[:len(dst)]
		for i := range dst {
			dst[i] = vector.B2u(a[i] < b[i]) ^ flip
		}
	}
}

// equalLoop computes a = b, or its opposite where flip is 1.
func equalLoop[T comparable](dst []uint8, o operands[T], sel []int32, flip uint8) {
	switch {
	case sel != nil:
		for _, i := range sel {
			dst[i] = vector.B2u(o.a[int(i)&o.am] == o.b[int(i)&o.bm]) ^ flip
		}
	case o.am == 0:
		b, c := o.b[:len(dst)], o.a[0]
		for i := range dst {
			dst[i] = vector.B2u(c == b[i]) ^ flip
		}
	case o.bm == 0:
		a, c := o.a[:len(dst)], o.b[0]
		for i := range dst {
			dst[i] = vector.B2u(a[i] == c) ^ flip
		}
	default:
		a, b := o.a[:len(dst)], o.b[:len(dst)]
		for i := range dst {
			dst[i] = vector.B2u(a[i] == b[i]) ^ flip
		}
	}
}
