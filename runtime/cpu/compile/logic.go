package compile

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// addLogic registers three-valued logic and the tests for NULL.
func (t opTable) addLogic() {
	t[opKey{kernel.OpAnd, kernel.Bool}] = operation{make: fixed(and), total: true}
	t[opKey{kernel.OpOr, kernel.Bool}] = operation{make: fixed(or), total: true}
	t.addTotal(kernel.OpNot, kernel.Bool, not)
	for _, typ := range []kernel.Type{kernel.Bool, kernel.I32, kernel.I64, kernel.I128, kernel.F64, kernel.Num, kernel.Interval, kernel.Str, kernel.Code} {
		t[opKey{kernel.OpIsNull, typ}] = operation{make: fixed(isNull), total: true}
	}
	t[opKey{kernel.OpIsTrue, kernel.Bool}] = operation{make: fixed(isTrue), total: true}
	t.add(kernel.OpAtMostOne, kernel.I64, atMostOne)
	t[opKey{kernel.OpIsFalse, kernel.Bool}] = operation{make: fixed(isFalse), total: true}
}

// truth is a boolean operand: whether a row is true and whether it is false, of
// which neither holds for NULL. Values that are NULL may hold anything but 0
// and 1 only.
type truth struct {
	val, null []uint8
	mask      int
}

func truthOf(v *vector.Vector) truth {
	return truth{val: vector.Of[uint8](v), null: v.Null, mask: v.Mask()}
}

// at returns row i as two flags.
func (t *truth) at(i int) (yes, no uint8) {
	i &= t.mask
	x := t.val[i] & 1
	if t.null == nil {
		return x, x ^ 1
	}
	known := t.null[i] ^ 1
	return x & known, (x ^ 1) & known
}

// and is true where all operands are, and false where one is.
func and(f *frame) {
	if f.plain() {
		a, b := vector.Of[uint8](f.args[0])[:f.n], vector.Of[uint8](f.args[1])[:f.n]
		dst := vector.Of[uint8](f.dst)[:f.n]
		for i := range dst {
			dst[i] = a[i] & b[i]
		}
		return
	}
	fold(f, func(y1, n1, y2, n2 uint8) (uint8, uint8) { return y1 & y2, n1 | n2 })
}

// or is true where one operand is, and false where all are.
func or(f *frame) {
	if f.plain() {
		a, b := vector.Of[uint8](f.args[0])[:f.n], vector.Of[uint8](f.args[1])[:f.n]
		dst := vector.Of[uint8](f.dst)[:f.n]
		for i := range dst {
			dst[i] = a[i] | b[i]
		}
		return
	}
	fold(f, func(y1, n1, y2, n2 uint8) (uint8, uint8) { return y1 | y2, n1 & n2 })
}

// plain says that all rows of two varying operands without NULLs are to be
// computed.
func (f *frame) plain() bool {
	a, b := f.args[0], f.args[1]
	if len(f.args) != 2 || f.sel != nil || a.Const || b.Const || a.Null != nil || b.Null != nil {
		return false
	}
	f.dst.Null = nil
	return true
}

// fold combines the operands from left to right.
func fold(f *frame, combine func(y1, n1, y2, n2 uint8) (yes, no uint8)) {
	acc := truthOf(f.args[0])
	null, dst := f.nullBuffer(), vector.Of[uint8](f.dst)
	var any uint8
	for _, arg := range f.args[1:] {
		next := truthOf(arg)
		any = 0
		for _, i := range f.rows() {
			y1, n1 := acc.at(int(i))
			y2, n2 := next.at(int(i))
			yes, no := combine(y1, n1, y2, n2)
			dst[i], null[i] = yes, (yes|no)^1
			any |= null[i]
		}
		acc = truth{val: dst, null: null, mask: f.dst.Mask()}
	}
	f.dst.Null = nil
	if any != 0 {
		f.dst.Null = null
	}
}

func not(f *frame) {
	a, m, dst := vector.Of[uint8](f.args[0]), f.args[0].Mask(), vector.Of[uint8](f.dst)
	for _, i := range f.rows() {
		dst[i] = a[int(i)&m] ^ 1
	}
}

func atMostOne(f *frame) {
	a, m, dst := vector.Of[int64](f.args[0]), f.args[0].Mask(), vector.Of[uint8](f.dst)
	f.valid(func(i int) {
		dst[i] = 1
		sqlstate.Check(value.CheckOneRow(a[i&m]))
	})
}

func isNull(f *frame) {
	a, dst := f.args[0], vector.Of[uint8](f.dst)
	f.dst.Null = nil
	for _, i := range f.rows() {
		dst[i] = vector.B2u(a.IsNull(int(i)))
	}
}

func isTrue(f *frame) {
	a, dst := truthOf(f.args[0]), vector.Of[uint8](f.dst)
	f.dst.Null = nil
	for _, i := range f.rows() {
		dst[i], _ = a.at(int(i))
	}
}

func isFalse(f *frame) {
	a, dst := truthOf(f.args[0]), vector.Of[uint8](f.dst)
	f.dst.Null = nil
	for _, i := range f.rows() {
		_, dst[i] = a.at(int(i))
	}
}
