package cpu

import (
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

// addComparisons registers eq … ge, distinct and in.
func (t opTable) addComparisons() {
	addOrder(t, kernel.I32, int32s, equal[int32], less[int32])
	addOrder(t, kernel.I64, int64s, equal[int64], less[int64])
	addOrder(t, kernel.F64, floats, equalFloat, lessFloat)
	addOrder(t, kernel.Bool, bools, equal[uint8], less[uint8])
	addOrder(t, kernel.I128, int128s, func(a, b value.Int128) bool { return a == b }, value.Int128.Less)
	addOrder(t, kernel.Num, nums,
		func(a, b value.Num) bool { return a.Cmp(b) == 0 },
		func(a, b value.Num) bool { return a.Cmp(b) < 0 })
	addOrder(t, kernel.Str, texts, equal[string], func(a, b string) bool { return strings.Compare(a, b) < 0 })
	addOrder(t, kernel.Interval, intervals,
		func(a, b value.Interval) bool { return a.Cmp(b) == 0 },
		func(a, b value.Interval) bool { return a.Cmp(b) < 0 })
	addEquality(t, kernel.Code, codes, equal[uint32])
	addFast(t, kernel.I32, int32s)
	addFast(t, kernel.I64, int64s)
	addFast(t, kernel.Bool, bools)
	addEqualLoop(t, kernel.Code, codes)
	addSets(t, kernel.I32, int32s)
	addSets(t, kernel.I64, int64s)
	addSets(t, kernel.Code, codes)
	addSets(t, kernel.Str, texts)
	addSets(t, kernel.I128, int128s)
}

func equal[T comparable](a, b T) bool           { return a == b }
func less[T int32 | int64 | uint8](a, b T) bool { return a < b }

// equalFloat and lessFloat order double precision as PostgreSQL does: not a
// number equals itself and is greater than all others.
func equalFloat(a, b float64) bool { return a == b || a != a && b != b }
func lessFloat(a, b float64) bool  { return a < b || b != b && a == a }

// addEquality registers what follows from equality.
func addEquality[T any](t opTable, typ kernel.Type, get access[T], eq test[T]) {
	t.add(kernel.OpEq, typ, comparison(get, eq))
	t.add(kernel.OpNe, typ, comparison(get, func(a, b T) bool { return !eq(a, b) }))
	t[opKey{kernel.OpDistinct, typ}] = operation{make: fixed(distinct(get, eq))}
	t[opKey{kernel.OpIn, typ}] = operation{make: fixed(inList(get, eq))}
}

// addOrder registers what follows from equality and order.
func addOrder[T any](t opTable, typ kernel.Type, get access[T], eq, lt test[T]) {
	addEquality(t, typ, get, eq)
	t.add(kernel.OpLt, typ, comparison(get, lt))
	t.add(kernel.OpGe, typ, comparison(get, func(a, b T) bool { return !lt(a, b) }))
	t.add(kernel.OpGt, typ, comparison(get, func(a, b T) bool { return lt(b, a) }))
	t.add(kernel.OpLe, typ, comparison(get, func(a, b T) bool { return !lt(b, a) }))
}

// comparison compares row by row.
func comparison[T any](get access[T], holds test[T]) apply {
	return zip(get, get, bools, func(a, b T) (uint8, error) { return b2u(holds(a, b)), nil })
}

// distinct compares row by row, NULL being equal to NULL and to nothing else.
func distinct[T any](get access[T], eq test[T]) apply {
	return func(f *frame) error {
		o := operandsOf(f, get)
		a, b := f.args[0], f.args[1]
		f.dst.Null = nil
		for _, i := range f.rows() {
			an, bn := a.isNull(int(i)), b.isNull(int(i))
			f.dst.Bool[i] = b2u(an != bn || !an && !eq(o.a[int(i)&o.am], o.b[int(i)&o.bm]))
		}
		return nil
	}
}

// addFast replaces the comparisons of a type by plain loops, which may run over
// rows that nobody asked for.
func addFast[T int32 | int64 | uint8](t opTable, typ kernel.Type, get access[T]) {
	addEqualLoop(t, typ, get)
	for op, form := range map[kernel.Op]struct{ swap, flip bool }{
		kernel.OpLt: {false, false}, kernel.OpGe: {false, true},
		kernel.OpGt: {true, false}, kernel.OpLe: {true, true},
	} {
		flip := b2u(form.flip)
		t.addTotal(op, typ, func(f *frame) error {
			o := operandsOf(f, get)
			if form.swap {
				o = operands[T]{a: o.b, b: o.a, am: o.bm, bm: o.am}
			}
			lessLoop(f.dst.Bool[:f.n], o, f.sel, flip)
			return nil
		})
	}
}

// addEqualLoop does so for equality.
func addEqualLoop[T int32 | int64 | uint8 | uint32](t opTable, typ kernel.Type, get access[T]) {
	for op, flip := range map[kernel.Op]uint8{kernel.OpEq: 0, kernel.OpNe: 1} {
		t.addTotal(op, typ, func(f *frame) error {
			equalLoop(f.dst.Bool[:f.n], operandsOf(f, get), f.sel, flip)
			return nil
		})
	}
}

// lessLoop computes a < b, or its opposite where flip is 1.
func lessLoop[T int32 | int64 | uint8](dst []uint8, o operands[T], sel []int32, flip uint8) {
	switch {
	case sel != nil:
		for _, i := range sel {
			dst[i] = b2u(o.a[int(i)&o.am] < o.b[int(i)&o.bm]) ^ flip
		}
	case o.am == 0:
		b, c := o.b[:len(dst)], o.a[0]
		for i := range dst {
			dst[i] = b2u(c < b[i]) ^ flip
		}
	case o.bm == 0:
		a, c := o.a[:len(dst)], o.b[0]
		for i := range dst {
			dst[i] = b2u(a[i] < c) ^ flip
		}
	default:
		a, b := o.a[:len(dst)], o.b[:len(dst)]
		for i := range dst {
			dst[i] = b2u(a[i] < b[i]) ^ flip
		}
	}
}

// equalLoop computes a = b, or its opposite where flip is 1.
func equalLoop[T comparable](dst []uint8, o operands[T], sel []int32, flip uint8) {
	switch {
	case sel != nil:
		for _, i := range sel {
			dst[i] = b2u(o.a[int(i)&o.am] == o.b[int(i)&o.bm]) ^ flip
		}
	case o.am == 0:
		b, c := o.b[:len(dst)], o.a[0]
		for i := range dst {
			dst[i] = b2u(c == b[i]) ^ flip
		}
	case o.bm == 0:
		a, c := o.a[:len(dst)], o.b[0]
		for i := range dst {
			dst[i] = b2u(a[i] == c) ^ flip
		}
	default:
		a, b := o.a[:len(dst)], o.b[:len(dst)]
		for i := range dst {
			dst[i] = b2u(a[i] == b[i]) ^ flip
		}
	}
}
