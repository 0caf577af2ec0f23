package accumulator

import (
	"math"
	"math/bits"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/value"
)

// sumInt is the sum, or the sum of squares, of integers and of decimals of one
// scale. It adds in 64 bits as long as bound, the most that any sum can have
// reached, shows that none overflows, and in 128 bits from then on.
type sumInt struct {
	presence
	counters         // the low halves
	hi       []int64 // the high halves; nil while 64 bits are enough
	bound    uint64
	wide     bool
	sq       bool        // squares
	dst      kernel.Type // I64 or I128

	square []int64
	long   []int64
	values []value.Int128
}

// newSum makes the accumulator of AccSum.
func newSum(s *Spec, base presence) Accumulator {
	switch s.Dst[0] {
	case kernel.I32, kernel.I64, kernel.I128:
		return &sumInt{presence: base, counters: counters{mem: base.mem}, dst: s.Dst[0]}
	case kernel.F64:
		return &sumFloat{presence: base, infinite: Flags{Mem: base.mem}}
	case kernel.Num:
		return newSumNum(base.mem)
	case kernel.Interval:
		return newSumInterval(base.mem)
	}
	panic(exec.Internalf("there is no sum of type %d", s.Dst[0]))
}

func (a *sumInt) Reserve(n int) {
	a.counters.Reserve(n)
	if a.wide {
		hi := exec.Grown(a.counters.mem, a.hi, len(a.Sums))
		a.hi = hi
	}
	a.reservePresence(n)
}

func (a *sumInt) Add(c *Cells, args []*vector.View) {
	if c.N == 0 {
		return
	}
	v := args[0]
	a.note(c)
	if !a.wide {
		if a.fits(v) {
			a.counters.add(c, a.narrow(v))
			return
		}
		a.widen()
	}
	a.addWide(c, v)
}

// fits raises the bound by the rows of v, and reports whether it still shows that
// no sum overflows.
func (a *sumInt) fits(v *vector.View) bool {
	if !v.Integers() {
		return false
	}
	most := v.Magnitude()
	if a.sq {
		hi, lo := bits.Mul64(most, most)
		if hi != 0 {
			return false
		}
		most = lo
	}
	hi, lo := bits.Mul64(most, uint64(v.N))
	sum, carry := bits.Add64(a.bound, lo, 0)
	if hi != 0 || carry != 0 || sum > math.MaxInt64 {
		return false
	}
	a.bound = sum
	return true
}

// narrow returns what is to be added up: v or the squares of it, which fit.
func (a *sumInt) narrow(v *vector.View) *vector.View {
	if !a.sq {
		return v
	}
	dst := vector.Room(&a.square, v.N)
	for i, x := range v.Ints(dst) {
		dst[i] = x * x
	}
	return &vector.View{Form: vector.FormI64, N: v.N, I64: dst}
}

// widen goes over to 128 bits.
func (a *sumInt) widen() {
	a.fold()
	hi := exec.Grown(a.counters.mem, a.hi, len(a.Sums))
	a.hi, a.wide = hi, true
	for i, lo := range a.Sums {
		a.hi[i] = lo >> 63
	}
}

// addWide adds in 128 bits.
func (a *sumInt) addWide(c *Cells, v *vector.View) {
	if v.Integers() && !a.sq {
		a.addLong(c, v.Ints(vector.Room(&a.long, v.N)))
		return
	}
	vals := v.Wide(vector.Room(&a.values, v.N))
	for i, k := range c.List() {
		x := vals[i]
		if a.sq {
			var ok bool
			if x, ok = x.Mul(x); !ok {
				panic(errSumRange())
			}
		}
		if !a.addOne(k, x) {
			panic(errSumRange())
		}
	}
}

// addLong adds integers of 64 bits, whose sums cannot leave 128.
func (a *sumInt) addLong(c *Cells, vals []int64) {
	if c.Form == vector.FormConst {
		a.addOne(uint32(c.Off), sumLong(vals))
		return
	}
	for i, k := range c.List() {
		a.addOne(k, value.Int128{Lo: uint64(vals[i]), Hi: vals[i] >> 63})
	}
}

// sumLong adds up the halves of fewer than 2^31 integers, which need no carry.
func sumLong(vals []int64) value.Int128 {
	var lo uint64
	var hi int64
	for _, x := range vals {
		lo += uint64(uint32(x))
		hi += x >> 32
	}
	sum, carry := bits.Add64(uint64(hi)<<32, lo, 0)
	return value.Int128{Lo: sum, Hi: hi>>32 + int64(carry)}
}

// addOne adds x to the sum of group k and reports whether the result fits.
func (a *sumInt) addOne(k uint32, x value.Int128) bool {
	lo, carry := bits.Add64(uint64(a.Sums[k]), x.Lo, 0)
	hi := a.hi[k] + x.Hi + int64(carry)
	overflow := (a.hi[k] ^ hi) & (x.Hi ^ hi)
	a.Sums[k], a.hi[k] = int64(lo), hi
	return overflow >= 0
}

func errSumRange() error {
	return value.Errorf(value.CodeNumericOutOfRange, "numeric field overflow: a sum needs more than 38 digits")
}

func (a *sumInt) Finalize() { a.fold() }

func (a *sumInt) Combine(src Accumulator) {
	s := src.(*sumInt)
	sum, carry := bits.Add64(a.bound, s.bound, 0)
	if !a.wide && (s.wide || carry != 0 || sum > math.MaxInt64) {
		a.widen()
	}
	a.bound = sum
}

func (a *sumInt) Merge(src Accumulator, from, to []uint32) {
	s := src.(*sumInt)
	a.mergePresence(&s.presence, from, to)
	if !a.wide {
		a.counters.merge(&s.counters, from, to)
		return
	}
	for i, f := range from {
		x := value.Int128{Lo: uint64(s.Sums[f]), Hi: s.Sums[f] >> 63}
		if s.wide {
			x.Hi = s.hi[f]
		}
		if !a.addOne(to[i], x) {
			panic(errSumRange())
		}
	}
}

func (a *sumInt) Chunks(groups []uint32, arrays *spare.Arrays) []*runtime.Chunk {
	valid, nulls := a.validity(groups)
	if !a.wide {
		return []*runtime.Chunk{vector.NarrowGather(a.dst, a.Sums, groups, valid, nulls, arrays)}
	}
	for _, g := range groups {
		if !a.resultFits(value.Int128{Lo: uint64(a.Sums[g]), Hi: a.hi[g]}) {
			panic(a.errRange())
		}
	}
	return []*runtime.Chunk{vector.Int128Gather(a.dst, a.Sums, a.hi, groups, valid, nulls, arrays)}
}

// resultFits reports whether x fits the type of the result: a decimal has at most
// 38 digits.
func (a *sumInt) resultFits(x value.Int128) bool {
	if a.dst != kernel.I128 {
		return x.IsInt64()
	}
	limit := value.Pow10(38)
	low, _ := limit.Neg()
	return x.Less(limit) && low.Less(x)
}

func (a *sumInt) errRange() error {
	if a.dst != kernel.I128 {
		return value.Errorf(value.CodeNumericOutOfRange, "bigint out of range")
	}
	return errSumRange()
}

func (a *sumInt) Reset() {
	a.counters.Reset()
	clear(a.hi)
	a.resetPresence()
	a.bound, a.wide, a.hi = 0, false, a.hi[:0]
}

func (a *sumInt) Width() int { return 8 }
