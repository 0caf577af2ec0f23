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
func (c *column) append(mem *exec.Memory, of *kernel.Value, v *vector.View, onlyNulls bool) (err error) {
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
		if c.null, err = exec.Grown(mem, c.null, c.rows); err != nil {
			return err
		}
		if v.Null != nil {
			copy(c.null[at:], v.Null[:v.N])
		}
	}
	switch {
	case onlyNulls:
	case t == kernel.F64:
		if c.reals, err = exec.Grown(mem, c.reals, c.rows); err == nil {
			copyReals(c.reals[at:], v)
		}
	case t == kernel.I128:
		if c.wide, err = exec.Grown(mem, c.wide, c.rows); err == nil {
			copy(c.wide[at:], v.Wide(c.wide[at:]))
		}
	case v.Integers() && of.Range.Known && uint64(of.Range.Hi)-uint64(of.Range.Lo) < 1<<16:
		c.base = of.Range.Lo
		err = c.appendNarrow(mem, at, v, uint64(of.Range.Hi)-uint64(of.Range.Lo) < 1<<8)
	case v.Integers():
		if c.ints, err = exec.Grown(mem, c.ints, c.rows); err == nil {
			copy(c.ints[at:], v.Ints(c.ints[at:]))
		}
	default:
		err = exec.Internalf("values of type %s to group by refinement", t)
	}
	return err
}

// appendNarrow adds integers of a small range.
func (c *column) appendNarrow(mem *exec.Memory, at int, v *vector.View, byBytes bool) (err error) {
	ints := v.Ints(vector.Room(&c.room, v.N))
	if byBytes {
		if c.u8, err = exec.Grown(mem, c.u8, c.rows); err == nil {
			offsets(c.u8[at:], ints, c.base)
		}
		return err
	}
	if c.u16, err = exec.Grown(mem, c.u16, c.rows); err == nil {
		offsets(c.u16[at:], ints, c.base)
	}
	return err
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
func joined(mem *exec.Memory, parts []*column) (*column, error) {
	all := &column{base: parts[0].base, lo: parts[0].lo, hi: parts[0].hi}
	nulls := false
	for _, p := range parts {
		all.rows += p.rows
		all.lo, all.hi = min(all.lo, p.lo), max(all.hi, p.hi)
		all.dict = vector.Longer(all.dict, p.dict)
		nulls = nulls || p.null != nil
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	var err error
	if nulls {
		if all.null, err = exec.Grown(mem, all.null, all.rows); err != nil {
			return nil, err
		}
		at := 0
		for _, p := range parts {
			long.Copy(all.null[at:], p.null)
			at += p.rows
			drop(mem, &p.null)
		}
	}
	if all.u8, err = join(mem, parts, func(c *column) *[]uint8 { return &c.u8 }); err != nil {
		return nil, err
	}
	if all.u16, err = join(mem, parts, func(c *column) *[]uint16 { return &c.u16 }); err != nil {
		return nil, err
	}
	if all.ints, err = join(mem, parts, func(c *column) *[]int64 { return &c.ints }); err == nil {
		if all.wide, err = join(mem, parts, func(c *column) *[]value.Int128 { return &c.wide }); err == nil {
			if all.reals, err = join(mem, parts, func(c *column) *[]float64 { return &c.reals }); err == nil {
				all.codes, err = join(mem, parts, func(c *column) *[]uint32 { return &c.codes })
			}
		}
	}
	return all, err
}

// join is the values of all parts, one after the other; nil where they have none.
func join[T any](mem *exec.Memory, parts []*column, of func(*column) *[]T) (all []T, err error) {
	n := 0
	for _, p := range parts {
		n += len(*of(p))
	}
	if n == 0 {
		return nil, nil
	}
	if all, err = exec.Grown(mem, all, n); err != nil {
		return nil, err
	}
	at := 0
	for _, p := range parts {
		s := of(p)
		long.Copy(all[at:], *s)
		at += len(*s)
		drop(mem, s)
	}
	return all, nil
}
