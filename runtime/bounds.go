package runtime

import (
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Bounds are the least and the greatest value of column Ordinal of a relation in rows that
// matter to a kernel. Where Lo is above Hi, no row does.
type Bounds struct {
	Ordinal int
	Lo, Hi  int64
}

// Skip reports whether no row matters of those whose values lie between two others.
func (b *Bounds) Skip(lo, hi int64) bool { return hi < b.Lo || lo > b.Hi }

// ScanBounds returns the bounds of columns of the source of f: the constants that its
// filters compare them with, and the keys that a probe finds, where a row that finds
// nothing is dropped. Table returns the least and the greatest key of a hash table that is
// an input; ok is false where they are not known.
func ScanBounds(f *kernel.Func, s *kernel.Scan, table func(input, key int) (lo, hi int64, ok bool)) []Bounds {
	var list []Bounds
	for _, p := range s.Prune {
		if b, ok := pruneBounds(f, p); ok {
			list = append(list, b)
		}
	}
	for _, in := range f.Body {
		p, ok := in.(*kernel.Probe)
		if !ok || p.Sorted != nil || p.Kind != kernel.ProbeInner && p.Kind != kernel.ProbeSemi {
			continue
		}
		for i, k := range p.Keys {
			col := slices.IndexFunc(s.Cols, func(c kernel.SourceCol) bool { return c.Dst == k.Val })
			if col < 0 {
				continue
			}
			if lo, hi, ok := table(p.Input, i); ok {
				list = append(list, Bounds{s.Cols[col].Ordinal, lo, hi})
			}
		}
	}
	return list
}

// pruneBounds returns the constants of a Prune; ok is false where one is NULL or
// too wide, and no block is to be skipped.
func pruneBounds(f *kernel.Func, p kernel.Prune) (b Bounds, ok bool) {
	b = Bounds{p.Ordinal, math.MinInt64, math.MaxInt64}
	set := func(dst *int64, id kernel.ValueID) bool {
		if id == kernel.NoValue {
			return true
		}
		for i := range f.Params {
			if f.Params[i].Dst == id && f.Params[i].Val.Kind != value.Null {
				x, fits := ConstantInt64(f.Params[i].Val)
				*dst = x
				return fits
			}
		}
		return false
	}
	return b, set(&b.Lo, p.Lo) && set(&b.Hi, p.Hi)
}

// ConstantInt64 is a constant of type I64: an integer, or a decimal's coefficient.
func ConstantInt64(val value.Value) (int64, bool) {
	if val.Kind == value.Decimal {
		return int64(val.Num.Coef.Lo), val.Num.Coef.Hi == int64(val.Num.Coef.Lo)>>63
	}
	return val.I, val.Kind == value.Int
}
