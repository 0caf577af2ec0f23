package accumulator

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// sumFloat is the sum of double precision numbers, in any order. A sum that is not finite
// stays so with whatever is added. Such a sum of finite numbers has overflowed, which is
// an error when it is read.
type sumFloat struct {
	presence
	sums     []float64
	infinite Flags // the groups that have had an infinity or NaN; empty as long as there is none
}

func (a *sumFloat) Reserve(n int) {
	a.sums = exec.Grown(a.mem, a.sums, n)
	if len(a.infinite.Set) > 0 {
		a.infinite.Reserve(len(a.sums))
	}
	a.reservePresence(n)
}

func (a *sumFloat) Add(c *Cells, args []*vector.View) {
	a.note(c)
	vals := args[0].F64[:c.N]
	dst := a.sums[c.Off:]
	var all float64 // the sum of vals, which is not finite where one of them is not
	switch c.Form {
	case vector.FormU8:
		all = addFloats(dst, c.U8[:c.N], vals)
	case vector.FormU16:
		all = addFloats(dst, c.U16[:c.N], vals)
	case vector.FormU32:
		all = addFloats(dst, c.U32[:c.N], vals)
	case vector.FormRuns:
		all = addFloatRuns(dst, c.Ends, vals)
	default:
		all = a.addOne(c, vals)
	}
	if !finite(all) {
		a.noteInfinite(c, vals)
	}
}

// addOne adds vals to one group, and returns their sum.
func (a *sumFloat) addOne(c *Cells, vals []float64) float64 {
	var x, y, sizeX, sizeY float64
	n := len(vals) &^ 1
	for i := 0; i < n; i += 2 {
		x += vals[i]
		y += vals[i+1]
		sizeX += math.Abs(vals[i])
		sizeY += math.Abs(vals[i+1])
	}
	if n < len(vals) {
		x += vals[n]
		sizeX += math.Abs(vals[n])
	}
	if !(sizeX+sizeY < huge) {
		return a.addByOne(c, vals)
	}
	a.sums[c.Off] += x + y
	return x + y
}

// huge is above what numbers add up to that overflow in no order.
const huge = 1e300

// addByOne adds vals to one group in their order, in which alone it is known whether finite
// numbers overflow, and returns their sum.
func (a *sumFloat) addByOne(c *Cells, vals []float64) (all float64) {
	sum := a.sums[c.Off]
	for _, x := range vals {
		sum = sqlstate.Must(value.AddFloat64(sum, x))
		all += x
	}
	a.sums[c.Off] = sum
	return all
}

// finite reports whether x is neither an infinity nor NaN.
func finite(x float64) bool { return x-x == 0 }

// noteInfinite marks the groups of numbers that are not finite.
func (a *sumFloat) noteInfinite(c *Cells, vals []float64) {
	a.infinite.Reserve(len(a.sums))
	for i, k := range c.List() {
		if !finite(vals[i]) {
			a.infinite.Set[k] = 1
		}
	}
}

// addFloats adds vals[i] to dst[ks[i]], and returns the sum of vals.
func addFloats[K vector.GroupInt](dst []float64, ks []K, vals []float64) (all float64) {
	for len(ks) >= 4 && len(vals) >= 4 {
		k, v := (*[4]K)(ks), (*[4]float64)(vals)
		dst[k[0]] += v[0]
		dst[k[1]] += v[1]
		dst[k[2]] += v[2]
		dst[k[3]] += v[3]
		all += (v[0] + v[1]) + (v[2] + v[3])
		ks, vals = ks[4:], vals[4:]
	}
	for i, k := range ks {
		dst[k] += vals[i]
		all += vals[i]
	}
	return all
}

// addFloatRuns adds the values of each run to dst, and returns the sum of vals.
func addFloatRuns(dst []float64, ends []int32, vals []float64) (all float64) {
	at := int32(0)
	for i, end := range ends {
		sum := 0.0
		for _, x := range vals[at:end] {
			sum += x
		}
		dst[i], at = dst[i]+sum, end
		all += sum
	}
	return all
}

func (a *sumFloat) Finalize() {}

func (a *sumFloat) Combine(src Accumulator) {
	if len(src.(*sumFloat).infinite.Set) == 0 {
		return
	}
	a.infinite.Reserve(len(a.sums))
}

func (a *sumFloat) Merge(src Accumulator, from, to []uint32) {
	s := src.(*sumFloat)
	a.mergePresence(&s.presence, from, to)
	for i, f := range from {
		a.sums[to[i]] += s.sums[f]
	}
	if len(s.infinite.Set) > 0 {
		a.infinite.Merge(&s.infinite, from, to)
	}
}

func (a *sumFloat) Chunks(groups []uint32, arrays *spare.Arrays) []*runtime.Chunk {
	c := &runtime.Chunk{Type: kernel.F64, Enc: runtime.EncF64, Rows: len(groups), F64: spare.New[float64](arrays, len(groups))}
	c.Valid, c.Nulls = a.validity(groups)
	for i, g := range groups {
		c.F64[i] = a.sums[g]
		if !finite(a.sums[g]) && (len(a.infinite.Set) == 0 || a.infinite.Set[g] == 0) {
			panic(value.ErrFloatOverflow())
		}
	}
	return []*runtime.Chunk{c}
}

func (a *sumFloat) Reset() {
	clear(a.sums)
	a.resetPresence()
	a.infinite.Reset()
}

func (a *sumFloat) Width() int { return 8 }
