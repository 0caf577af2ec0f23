package cpu

import (
	"cmp"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
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

	read  func(*view) []T              // the values of a view
	first func(T) (T, error)           // what a group's first value becomes; nil: itself
	fold  func(old, new T) (T, error)  // what old becomes with a further value
	join  func(old, part T) (T, error) // what old becomes with the folded value of another part
	store func(*Vector, []T)           // sets the slice of a vector
}

// newFolder makes a folder whose values fold the same way as parts do.
func newFolder[T any](mem *memory, t kernel.Type, read func(*view) []T, store func(*Vector, []T), fold func(old, new T) (T, error)) *folder[T] {
	return &folder[T]{presence: presence{mem: mem, has: &flags{mem: mem}}, typ: t, read: read, fold: fold, join: fold, store: store}
}

func (a *folder[T]) reserve(n int) (err error) {
	if a.vals, err = grown(a.mem, a.vals, n); err != nil {
		return err
	}
	return a.reservePresence(n)
}

func (a *folder[T]) add(c *cells, args []*view) (err error) {
	a.dict = longer(a.dict, args[0].dict)
	vals := a.read(args[0])
	for i, k := range c.list() {
		x := vals[i]
		switch {
		case a.has.set[k] != 0:
			x, err = a.fold(a.vals[k], x)
		case a.first != nil:
			x, err = a.first(x)
		}
		if err != nil {
			return err
		}
		a.has.set[k] = 1
		a.vals[k] = x
	}
	return nil
}

func (a *folder[T]) finalize() error { return nil }

func (a *folder[T]) combine(src accumulator) error {
	a.dict = longer(a.dict, src.(*folder[T]).dict)
	return nil
}

func (a *folder[T]) merge(src accumulator, from, to []uint32) (err error) {
	s := src.(*folder[T])
	for i, f := range from {
		if s.has.set[f] == 0 {
			continue
		}
		k, x := to[i], s.vals[f]
		if a.has.set[k] != 0 {
			if x, err = a.join(a.vals[k], x); err != nil {
				return err
			}
		}
		a.has.set[k] = 1
		a.vals[k] = x
	}
	return nil
}

func (a *folder[T]) chunks(groups []uint32) ([]*runtime.Chunk, error) {
	vals := make([]T, len(groups))
	v := &Vector{Type: a.typ, Dict: a.dict, Null: make([]uint8, len(groups))}
	for i, g := range groups {
		vals[i] = a.vals[g]
		v.Null[i] = 1 - a.has.set[g]
	}
	a.store(v, vals)
	return []*runtime.Chunk{encode(v, len(groups))}, nil
}

func (a *folder[T]) reset() {
	clear(a.vals)
	a.resetPresence()
}

func (a *folder[T]) width() int { return 1 + int(valueBytes(a.typ)) }

// newChoice makes an accumulator that replaces a group's value by another where
// better says so of how the other compares with it.
func newChoice(s *accSpec, mem *memory, better func(int) bool) (accumulator, error) {
	switch t := s.argType[0]; t {
	case kernel.Bool, kernel.I32, kernel.I64:
		return chooser(mem, t, intReader(), storeInts(t), better, cmp.Compare[int64]), nil
	case kernel.Code:
		a := chooser(mem, t, intReader(), storeInts(t), better, cmp.Compare[int64])
		compare := func(x, y int64) int { return strings.Compare(a.dict.Texts[x], a.dict.Texts[y]) }
		a.fold = choose(better, compare)
		a.join = a.fold
		return a, nil
	case kernel.I128:
		var buf []value.Int128
		read := func(v *view) []value.Int128 { return v.wide(room(&buf, v.n)) }
		return chooser(mem, t, read, func(v *Vector, x []value.Int128) { set(v, x) }, better, value.Int128.Cmp), nil
	case kernel.F64:
		read := func(v *view) []float64 { return v.f64 }
		return chooser(mem, t, read, func(v *Vector, x []float64) { set(v, x) }, better, compareFloats), nil
	case kernel.Num:
		read := func(v *view) []value.Num { return v.num }
		return chooser(mem, t, read, func(v *Vector, x []value.Num) { set(v, x) }, better, value.Num.Cmp), nil
	case kernel.Interval:
		read := func(v *view) []value.Interval { return v.intervals }
		return chooser(mem, t, read, func(v *Vector, x []value.Interval) { set(v, x) }, better, compareIntervals), nil
	case kernel.Str:
		return newTextChoice(mem, better), nil
	}
	return nil, internalf("no value of type %d can be chosen from a group", s.argType[0])
}

func chooser[T any](mem *memory, t kernel.Type, read func(*view) []T, store func(*Vector, []T), better func(int) bool, compare func(x, y T) int) *folder[T] {
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
func newTextChoice(mem *memory, better func(int) bool) accumulator {
	keep := func(s string) (string, error) {
		if err := mem.grow(int64(len(s))); err != nil {
			return "", err
		}
		return long.Clone(s), nil
	}
	a := newFolder(mem, kernel.Str, func(v *view) []string { return v.str }, func(v *Vector, x []string) { set(v, x) },
		func(old, new string) (string, error) {
			if !better(strings.Compare(new, old)) {
				return old, nil
			}
			mem.shrink(int64(len(old)))
			return keep(new)
		})
	a.first = keep
	a.join = choose(better, strings.Compare)
	return a
}

// intReader reads integers and codes of any form.
func intReader() func(*view) []int64 {
	var buf []int64
	return func(v *view) []int64 { return v.ints(room(&buf, v.n)) }
}

// storeInts sets the slice of an integer type.
func storeInts(t kernel.Type) func(*Vector, []int64) {
	return func(v *Vector, vals []int64) {
		switch t {
		case kernel.Bool:
			set(v, convertInts[uint8](vals))
		case kernel.I32:
			set(v, convertInts[int32](vals))
		case kernel.Code:
			set(v, convertInts[uint32](vals))
		default:
			set(v, vals)
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
func newSumNum(mem *memory) accumulator {
	return newFolder(mem, kernel.Num, func(v *view) []value.Num { return v.num },
		func(v *Vector, x []value.Num) { set(v, x) }, value.Num.Add)
}

// newSumSquareNum makes the sum of the squares of numerics.
func newSumSquareNum(mem *memory) accumulator {
	a := newFolder(mem, kernel.Num, func(v *view) []value.Num { return v.num },
		func(v *Vector, x []value.Num) { set(v, x) }, value.Num.Add)
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
func newSumInterval(mem *memory) accumulator {
	return newFolder(mem, kernel.Interval, func(v *view) []value.Interval { return v.intervals },
		func(v *Vector, x []value.Interval) { set(v, x) }, addIntervals)
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
func newAny(s *accSpec, mem *memory) (accumulator, error) {
	return newChoice(s, mem, func(int) bool { return false })
}

// newExtreme makes minima and maxima.
func newExtreme(s *accSpec, base presence) (accumulator, error) {
	switch t := s.argType[0]; t {
	case kernel.I32, kernel.I64:
		return &extremeInt{presence: base, typ: t, max: s.op == kernel.AccMax}, nil
	}
	if s.op == kernel.AccMin {
		return newChoice(s, base.mem, func(c int) bool { return c < 0 })
	}
	return newChoice(s, base.mem, func(c int) bool { return c > 0 })
}
