package cubing

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// column is one operand of many rows: integers, codes of keys, wide integers or floating
// point numbers.
type column struct {
	rows   int
	lo, hi int64   // of integers
	u8     []uint8 // integers, less base
	u16    []uint16
	ints   []int64
	wide   []value.Int128
	reals  []float64
	codes  []uint32
	base   int64
	room   []int64
	null   []uint8 // nil: no row so far is NULL
	dict   *runtime.Dictionary
}

// append adds the rows of a view of values like of.
func (c *column) append(mem *exec.Memory, of *kernel.Value, v *vector.View, onlyNulls bool) {
	t, at := of.Type, c.rows
	if c.rows += v.N; v.Integers() && !onlyNulls {
		lo, hi := v.Bounds()
		if at > 0 {
			lo, hi = min(lo, c.lo), max(hi, c.hi)
		}
		c.lo, c.hi = lo, hi
	}
	c.dict = vector.Longer(c.dict, v.Dict)
	if v.Null != nil || c.null != nil {
		c.null = exec.Grown(mem, c.null, c.rows)
		if v.Null != nil {
			copy(c.null[at:], v.Null[:v.N])
		}
	}
	switch {
	case onlyNulls:
	case t == kernel.F64:
		c.reals = exec.Grown(mem, c.reals, c.rows)
		copyReals(c.reals[at:], v)
	case t == kernel.I128:
		c.wide = exec.Grown(mem, c.wide, c.rows)
		copy(c.wide[at:], v.Wide(c.wide[at:]))
	case v.Integers() && of.Range.Known && uint64(of.Range.Hi)-uint64(of.Range.Lo) < 1<<16:
		c.base = of.Range.Lo
		c.appendNarrow(mem, at, v, uint64(of.Range.Hi)-uint64(of.Range.Lo) < 1<<8)
	case v.Integers():
		c.ints = exec.Grown(mem, c.ints, c.rows)
		copy(c.ints[at:], v.Ints(c.ints[at:]))
	default:
		panic(exec.Internalf("values of type %s to group by refinement", t))
	}
}

// appendNarrow adds integers of a small range.
func (c *column) appendNarrow(mem *exec.Memory, at int, v *vector.View, byBytes bool) {
	ints := v.Ints(vector.Room(&c.room, v.N))
	if byBytes {
		c.u8 = exec.Grown(mem, c.u8, c.rows)
		offsets(c.u8[at:], ints, c.base)
		return
	}
	c.u16 = exec.Grown(mem, c.u16, c.rows)
	offsets(c.u16[at:], ints, c.base)
}

// offsets sets dst to the integers less base.
func offsets[T uint8 | uint16](dst []T, ints []int64, base int64) {
	ints = ints[:len(dst)]
	for i, x := range ints {
		dst[i] = T(x - base)
	}
}

// copyReals copies the numbers of a view; where all rows are NULL it has none.
func copyReals(dst []float64, v *vector.View) {
	if v.Form == vector.FormF64 {
		copy(dst, v.F64[:v.N])
	}
}

// view is the column as operand of accumulators.
func (c *column) view() vector.View {
	v := vector.View{N: c.rows, Null: c.null, Dict: c.dict, Form: vector.FormConst}
	switch {
	case c.u8 != nil:
		v.Form, v.U8, v.Base = vector.FormU8, c.u8, c.base
	case c.u16 != nil:
		v.Form, v.U16, v.Base = vector.FormU16, c.u16, c.base
	case c.ints != nil:
		v.Form, v.I64 = vector.FormI64, c.ints
	case c.wide != nil:
		v.Form, v.I128 = vector.FormI128, c.wide
	case c.reals != nil:
		v.Form, v.F64 = vector.FormF64, c.reals
	}
	if v.Integers() {
		v.Bounded, v.Lo, v.Hi = true, c.lo, c.hi
	}
	return v
}

// joined is the column of all rows of parts, whose memory it takes or gives back.
func joined(mem *exec.Memory, parts []*column) *column {
	all := &column{base: parts[0].base, lo: parts[0].lo, hi: parts[0].hi}
	nulls := false
	for _, p := range parts {
		all.rows += p.rows
		all.lo, all.hi = min(all.lo, p.lo), max(all.hi, p.hi)
		all.dict = vector.Longer(all.dict, p.dict)
		nulls = nulls || p.null != nil
	}
	if len(parts) == 1 {
		return parts[0]
	}
	if nulls {
		all.null = exec.Grown(mem, all.null, all.rows)
		at := 0
		for _, p := range parts {
			long.Copy(all.null[at:], p.null)
			at += p.rows
			drop(mem, &p.null)
		}
	}
	all.u8 = join(mem, parts, func(c *column) *[]uint8 { return &c.u8 })
	all.u16 = join(mem, parts, func(c *column) *[]uint16 { return &c.u16 })
	all.ints = join(mem, parts, func(c *column) *[]int64 { return &c.ints })
	all.wide = join(mem, parts, func(c *column) *[]value.Int128 { return &c.wide })
	all.reals = join(mem, parts, func(c *column) *[]float64 { return &c.reals })
	all.codes = join(mem, parts, func(c *column) *[]uint32 { return &c.codes })
	return all
}

// join is the values of all parts, one after the other; nil where they have none.
func join[T any](mem *exec.Memory, parts []*column, of func(*column) *[]T) (all []T) {
	n := 0
	for _, p := range parts {
		n += len(*of(p))
	}
	if n == 0 {
		return nil
	}
	all = exec.Grown(mem, all, n)
	at := 0
	for _, p := range parts {
		s := of(p)
		long.Copy(all[at:], *s)
		at += len(*s)
		drop(mem, s)
	}
	return all
}
