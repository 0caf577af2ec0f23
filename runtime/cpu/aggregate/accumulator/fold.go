package accumulator

import (
	"cmp"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// folder is an accumulator that keeps one value for each group and folds each
// further value of the group into it: minima and maxima, any_value, and sums of
// the types that have no faster way.
type folder[T any] struct {
	presence // always with has
	typ      kernel.Type
	vals     []T
	dict     *runtime.Dictionary // for codes: the longest snapshot seen

	read  func(*vector.View) []T       // the values of a view
	first func(T) (T, error)           // what a group's first value becomes; nil: itself
	fold  func(old, new T) (T, error)  // what old becomes with a further value
	join  func(old, part T) (T, error) // what old becomes with the folded value of another part
	store func(*vector.Vector, []T)    // sets the slice of a vector
}

// newFolder makes a folder whose values fold the same way as parts do.
func newFolder[T any](mem *exec.Memory, t kernel.Type, read func(*vector.View) []T, store func(*vector.Vector, []T), fold func(old, new T) (T, error)) *folder[T] {
	return &folder[T]{presence: presence{mem: mem, has: &Flags{Mem: mem}}, typ: t, read: read, fold: fold, join: fold, store: store}
}

func (a *folder[T]) Reserve(n int) {
	a.vals = exec.Grown(a.mem, a.vals, n)
	a.reservePresence(n)
}

func (a *folder[T]) Add(c *Cells, args []*vector.View) {
	a.dict = vector.Longer(a.dict, args[0].Dict)
	vals := a.read(args[0])
	for i, k := range c.List() {
		x := vals[i]
		switch {
		case a.has.Set[k] != 0:
			x = sqlstate.Must(a.fold(a.vals[k], x))
		case a.first != nil:
			x = sqlstate.Must(a.first(x))
		}
		a.has.Set[k] = 1
		a.vals[k] = x
	}
}

func (a *folder[T]) Finalize() {}

func (a *folder[T]) Combine(src Accumulator) { a.dict = vector.Longer(a.dict, src.(*folder[T]).dict) }

func (a *folder[T]) Merge(src Accumulator, from, to []uint32) {
	s := src.(*folder[T])
	for i, f := range from {
		if s.has.Set[f] == 0 {
			continue
		}
		k, x := to[i], s.vals[f]
		if a.has.Set[k] != 0 {
			x = sqlstate.Must(a.join(a.vals[k], x))
		}
		a.has.Set[k] = 1
		a.vals[k] = x
	}
}

func (a *folder[T]) Chunks(groups []uint32, _ *spare.Arrays) []*runtime.Chunk {
	vals := make([]T, len(groups))
	v := &vector.Vector{Type: a.typ, Dict: a.dict, Null: make([]uint8, len(groups))}
	for i, g := range groups {
		vals[i] = a.vals[g]
		v.Null[i] = 1 - a.has.Set[g]
	}
	a.store(v, vals)
	return []*runtime.Chunk{exec.Encode(a.mem, v, len(groups))}
}

func (a *folder[T]) Reset() {
	clear(a.vals)
	a.resetPresence()
}

func (a *folder[T]) Width() int { return 1 + int(vector.ValueBytes(a.typ)) }

// newChoice makes an accumulator that replaces a group's value by another where
// better says so of how the other compares with it.
func newChoice(s *Spec, mem *exec.Memory, better func(int) bool) Accumulator {
	switch t := s.ArgType[0]; t {
	case kernel.Bool, kernel.I32, kernel.I64:
		return chooser(mem, t, intReader(), storeInts(t), better, cmp.Compare[int64])
	case kernel.Code:
		a := chooser(mem, t, intReader(), storeInts(t), better, cmp.Compare[int64])
		compare := func(x, y int64) int { return strings.Compare(a.dict.Texts[x], a.dict.Texts[y]) }
		a.fold = choose(better, compare)
		a.join = a.fold
		return a
	case kernel.I128:
		var buf []value.Int128
		read := func(v *vector.View) []value.Int128 { return v.Wide(vector.Room(&buf, v.N)) }
		return chooser(mem, t, read, func(v *vector.Vector, x []value.Int128) { vector.Set(v, x) }, better, value.Int128.Cmp)
	case kernel.F64:
		read := func(v *vector.View) []float64 { return v.F64 }
		return chooser(mem, t, read, func(v *vector.Vector, x []float64) { vector.Set(v, x) }, better, compareFloats)
	case kernel.Num:
		read := func(v *vector.View) []value.Num { return v.Num }
		return chooser(mem, t, read, func(v *vector.Vector, x []value.Num) { vector.Set(v, x) }, better, value.Num.Cmp)
	case kernel.Interval:
		read := func(v *vector.View) []value.Interval { return v.Intervals }
		return chooser(mem, t, read, func(v *vector.Vector, x []value.Interval) { vector.Set(v, x) }, better, vector.CompareIntervals)
	case kernel.Str:
		return newTextChoice(mem, better)
	}
	panic(exec.Internalf("no value of type %d can be chosen from a group", s.ArgType[0]))
}

func chooser[T any](mem *exec.Memory, t kernel.Type, read func(*vector.View) []T, store func(*vector.Vector, []T), better func(int) bool, compare func(x, y T) int) *folder[T] {
	return newFolder(mem, t, read, store, choose(better, compare))
}

func choose[T any](better func(int) bool, compare func(x, y T) int) func(old, new T) (T, error) {
	return func(old, new T) (T, error) {
		if better(compare(new, old)) {
			return new, nil
		}
		return old, nil
	}
}

// newTextChoice is newChoice for text. The chosen texts are copied, since those
// of a batch live in its blocks, and charged.
func newTextChoice(mem *exec.Memory, better func(int) bool) Accumulator {
	keep := func(s string) (string, error) {
		if err := mem.Grow(int64(len(s))); err != nil {
			return "", err
		}
		return long.Clone(s), nil
	}
	a := newFolder(mem, kernel.Str, func(v *vector.View) []string { return v.Str }, func(v *vector.Vector, x []string) { vector.Set(v, x) },
		func(old, new string) (string, error) {
			if !better(strings.Compare(new, old)) {
				return old, nil
			}
			mem.Shrink(int64(len(old)))
			return keep(new)
		})
	a.first = keep
	a.join = choose(better, strings.Compare)
	return a
}

// intReader reads integers and codes of any form.
func intReader() func(*vector.View) []int64 {
	var buf []int64
	return func(v *vector.View) []int64 { return v.Ints(vector.Room(&buf, v.N)) }
}

// storeInts sets the slice of an integer type.
func storeInts(t kernel.Type) func(*vector.Vector, []int64) {
	return func(v *vector.Vector, vals []int64) {
		switch t {
		case kernel.Bool:
			vector.Set(v, convertInts[uint8](vals))
		case kernel.I32:
			vector.Set(v, convertInts[int32](vals))
		case kernel.Code:
			vector.Set(v, convertInts[uint32](vals))
		default:
			vector.Set(v, vals)
		}
	}
}

func convertInts[T uint8 | int32 | uint32](vals []int64) []T {
	dst := make([]T, len(vals))
	for i, x := range vals {
		dst[i] = T(x)
	}
	return dst
}

// compareFloats orders double precision numbers as PostgreSQL does: NaN equals
// itself and is greater than all others.
func compareFloats(x, y float64) int {
	switch {
	case x != x && y != y:
		return 0
	case x != x:
		return 1
	case y != y:
		return -1
	}
	return cmp.Compare(x, y)
}

// newSumNum makes the sum of numerics.
func newSumNum(mem *exec.Memory) Accumulator {
	return newFolder(mem, kernel.Num, func(v *vector.View) []value.Num { return v.Num },
		func(v *vector.Vector, x []value.Num) { vector.Set(v, x) }, value.Num.Add)
}

// newSumSquareNum makes the sum of the squares of numerics.
func newSumSquareNum(mem *exec.Memory) Accumulator {
	a := newFolder(mem, kernel.Num, func(v *vector.View) []value.Num { return v.Num },
		func(v *vector.Vector, x []value.Num) { vector.Set(v, x) }, value.Num.Add)
	a.first = func(x value.Num) (value.Num, error) { return x.Mul(x) }
	a.fold = func(old, new value.Num) (value.Num, error) {
		square, err := new.Mul(new)
		if err != nil {
			return old, err
		}
		return old.Add(square)
	}
	return a
}

// newSumInterval makes the sum of intervals, field by field.
func newSumInterval(mem *exec.Memory) Accumulator {
	return newFolder(mem, kernel.Interval, func(v *vector.View) []value.Interval { return v.Intervals },
		func(v *vector.Vector, x []value.Interval) { vector.Set(v, x) }, addIntervals)
}

func addIntervals(x, y value.Interval) (value.Interval, error) {
	months, days := int64(x.Months)+int64(y.Months), int64(x.Days)+int64(y.Days)
	sum := value.Interval{Months: int32(months), Days: int32(days), Micros: x.Micros + y.Micros}
	if int64(sum.Months) != months || int64(sum.Days) != days || (x.Micros^sum.Micros)&(y.Micros^sum.Micros) < 0 {
		return x, value.Errorf(value.CodeDatetimeOverflow, "interval out of range")
	}
	return sum, nil
}

// newAny makes any_value for every type: the first value stays.
func newAny(s *Spec, mem *exec.Memory) Accumulator {
	return newChoice(s, mem, func(int) bool { return false })
}

// newExtreme makes minima and maxima.
func newExtreme(s *Spec, base presence) Accumulator {
	switch t := s.ArgType[0]; t {
	case kernel.I32, kernel.I64:
		return &extremeInt{presence: base, typ: t, max: s.Op == kernel.AccMax}
	}
	if s.Op == kernel.AccMin {
		return newChoice(s, base.mem, func(c int) bool { return c < 0 })
	}
	return newChoice(s, base.mem, func(c int) bool { return c > 0 })
}
