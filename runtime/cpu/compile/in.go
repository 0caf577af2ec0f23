package compile

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// longList is from how many elements on an IN list is a hash set.
const longList = 9

// inList is x IN (a, b, …): true where x equals an element, else NULL where x or
// an element is NULL.
func inList[T any](eq test[T]) apply {
	return func(f *frame) {
		xs, m := vector.Of[T](f.args[0]), f.args[0].Mask()
		nulls := slices.DeleteFunc(slices.Clone(f.args[1:]), func(e *vector.Vector) bool { return e.Null == nil })
		f.membership(nulls, func(i int) bool {
			x := xs[i&m]
			for _, e := range f.args[1:] {
				if !e.IsNull(i) && eq(x, vector.Of[T](e)[i&e.Mask()]) {
					return true
				}
			}
			return false
		})
	}
}

// membership sets the result of an IN by what contains reports of the rows whose
// first operand is not NULL. nulls are the elements that may be NULL.
func (f *frame) membership(nulls []*vector.Vector, contains func(i int) bool) {
	x, null, dst := f.args[0], f.nullBuffer(), vector.Of[uint8](f.dst)
	var any uint8
	for _, i := range f.rows() {
		switch {
		case x.IsNull(int(i)):
			dst[i], null[i] = 0, 1
		case contains(int(i)):
			dst[i], null[i] = 1, 0
		default:
			dst[i], null[i] = 0, 0
			for _, e := range nulls {
				null[i] |= vector.B2u(e.IsNull(int(i)))
			}
		}
		any |= null[i]
	}
	f.dst.Null = nil
	if any != 0 {
		f.dst.Null = null
	}
}

// addShortTexts replaces IN, for short lists of short constants, by comparisons of words.
func addShortTexts(t opTable) {
	general := t[opKey{kernel.OpIn, kernel.Str}]
	t[opKey{kernel.OpIn, kernel.Str}] = operation{make: func(c *Compiler, in *kernel.Compute) apply {
		var words []uint64
		var nulls []*vector.Vector
		for _, id := range in.Args[1:] {
			e := c.Worker.Vals[id]
			if e == nil || len(in.Args) >= longList {
				return general.make(c, in)
			}
			if e.IsNull(0) {
				nulls = []*vector.Vector{e}
				continue
			}
			word, ok := textWord(vector.Of[string](e)[0])
			if !ok {
				return general.make(c, in)
			}
			words = append(words, word)
		}
		return func(f *frame) {
			xs, m := vector.Of[string](f.args[0]), f.args[0].Mask()
			f.membership(nulls, func(i int) bool {
				x, ok := textWord(xs[i&m])
				return ok && slices.Contains(words, x)
			})
		}
	}}
}

// textWord is a text of up to seven bytes and its length as one word; ok is false where
// it is longer.
func textWord(s string) (word uint64, ok bool) {
	if len(s) > 7 {
		return 0, false
	}
	word = uint64(len(s))
	for i := range len(s) {
		word = word<<8 | uint64(s[i])
	}
	return word, true
}

// addSets replaces IN, for long lists of constants of a hashable type, by a
// look-up.
func addSets[T comparable](t opTable, typ kernel.Type) {
	general := t[opKey{kernel.OpIn, typ}]
	t[opKey{kernel.OpIn, typ}] = operation{make: func(c *Compiler, in *kernel.Compute) apply {
		set := make(map[T]struct{}, len(in.Args))
		var nulls []*vector.Vector
		for _, id := range in.Args[1:] {
			e := c.Worker.Vals[id]
			if e == nil || len(in.Args) < longList {
				return general.make(c, in)
			}
			if e.IsNull(0) {
				nulls = []*vector.Vector{e}
			} else {
				set[vector.Of[T](e)[0]] = struct{}{}
			}
		}
		return func(f *frame) {
			x, m := vector.Of[T](f.args[0]), f.args[0].Mask()
			f.membership(nulls, func(i int) bool {
				_, found := set[x[i&m]]
				return found
			})
		}
	}}
}
