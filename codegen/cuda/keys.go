package cuda

import (
	"fmt"
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// keyValue is a key of a row with the key of the table that it is looked up in.
type keyValue struct {
	id    kernel.ValueID
	shape KeyShape
}

// buildKeys are the keys of a Build.
func (r *renderer) buildKeys(s *kernel.Build) []keyValue {
	keys := make([]keyValue, len(s.Keys))
	for i, k := range s.Keys {
		v := &r.f.Values[k.Val]
		keys[i] = keyValue{id: k.Val, shape: KeyShape{Type: v.Type, Null: k.NullSafe && v.Nullable}}
	}
	return keys
}

// probeKeys are the keys of a Probe, with those of its table.
func (r *renderer) probeKeys(p *kernel.Probe) []keyValue {
	t := r.shapes[p.Input].Table
	keys := make([]keyValue, len(p.Keys))
	for i, k := range p.Keys {
		keys[i] = keyValue{id: k.Val, shape: t.Keys[i]}
		have := r.f.Values[k.Val].Type
		if want := t.Keys[i].Type; words(have) > words(want) || (have == kernel.F64) != (want == kernel.F64) || (have == kernel.Num) != (want == kernel.Num) || (have == kernel.Str) != (want == kernel.Str) {
			r.refuse("there is no device code that looks up keys of type %s among such of type %s", have, t.Keys[i].Type)
		}
	}
	return keys
}

// keyed returns the active rows that have a key: a NULL that is no value of a key is none.
func (e *Entry) keyed(keys []keyValue) string {
	var ids []kernel.ValueID
	for _, k := range keys {
		if !k.shape.Null {
			ids = append(ids, k.id)
		}
	}
	return e.without("active", ids)
}

// keyArg returns an argument of key i of the table that is input.
func (e *arguments) keyArg(kind ArgKind, input, i int, k keyValue) string {
	return e.Arg(Arg{Kind: kind, Input: input, Index: i}, "i64", string(kind)+" of key "+e.name(k.id))
}

// cells declares the cell of each row of the mask rows, which is restricted to
// the rows whose keys lie in the table's ranges. The cell of a key of
// LayoutNarrow is its distance to the smallest one. Cells of keys of 32 bits are
// computed in 32 bits, where a product of the ranges is one of cells: a distance
// that is less than 0 is then beyond every range.
func (e *Entry) cells(input int, keys []keyValue, layout Layout, cell, rows string) {
	word := "u64"
	if layout != LayoutNarrow && !slices.ContainsFunc(keys, func(k keyValue) bool { return !e.isShort(k) }) {
		word = "u32"
	}
	number := fmt.Sprintf("Cell<%s>{bit(%s, r)}", word, rows)
	for i, k := range keys {
		lo, extent := e.keyArg(ArgTableLo, input, i, k), e.keyArg(ArgTableExtent, input, i, k)
		v := fmt.Sprintf("(%s)%s", word, e.At(k.id))
		if !k.shape.Null {
			number += fmt.Sprintf(".key(%s, %s, %s)", v, lo, extent)
			continue
		}
		null := "false"
		if n := e.nulls(k.id); n != "" {
			null = fmt.Sprintf("bit(%s, r)", n)
		}
		number += fmt.Sprintf(".key_or_null(%s, %s, %s, %s)", v, null, lo, extent)
	}
	e.Line("u32 %s[R];", cell)
	e.Line("ROWS %s[r] = %s.among(%s, r);", cell, number, rows)
}

// isShort reports whether a key and the table's key are of 32 bits.
func (r *renderer) isShort(k keyValue) bool {
	t := r.f.Values[k.id].Type
	return (t == kernel.I32 || t == kernel.Bool) && (k.shape.Type == kernel.I32 || k.shape.Type == kernel.Bool)
}

// isNarrow reports whether a table of these keys is of LayoutNarrow: one key whose
// values lie in a range of less than 2^32.
func (r *renderer) isNarrow(keys []keyValue) bool {
	if len(keys) != 1 || keys[0].shape.Null {
		return false
	}
	_, extent, ok := KeyRange(&r.f.Values[keys[0].id])
	return ok && extent <= 1<<32
}

// KeyRange is the minimum of a key and the number of its values, where a
// table can number them.
func KeyRange(v *kernel.Value) (lo, extent int64, ok bool) {
	lo, hi := v.Range.Lo, v.Range.Hi
	switch {
	case v.Type == kernel.Bool:
		lo, hi = 0, 1
	case v.Type == kernel.I32 && !v.Range.Known:
		return math.MinInt32, 1 << 32, true
	case !v.Range.Known || v.Type != kernel.I32 && v.Type != kernel.I64 || lo > hi:
		return 0, 0, false
	}
	width := uint64(hi) - uint64(lo)
	if width >= math.MaxInt64 {
		return 0, 0, false
	}
	return lo, int64(width) + 1, true
}

// keyWords is how many words a key takes in LayoutWide.
func keyWords(keys []keyValue) int {
	n := 0
	for _, k := range keys {
		n += wordsOf(k.shape)
	}
	return n
}

func wordsOf(k KeyShape) int {
	n := 1
	switch k.Type {
	case kernel.I128:
		n = 2
	case kernel.Num:
		n = 3
	}
	if k.Null {
		n++
	}
	return n
}

// wideKey writes the words of a row's key into the array key, and returns the template
// argument that says how they are compared.
func (e *Entry) wideKey(keys []keyValue) (kind string) {
	e.Line("u64 key[%d];", keyWords(keys))
	at := 0
	for _, k := range keys {
		v := e.At(k.id)
		null := ""
		if n := e.nulls(k.id); k.shape.Null {
			if n != "" {
				null = fmt.Sprintf("bit(%s, r)", n)
				e.Line("key[%d] = %s;", at, null)
			} else {
				e.Line("key[%d] = 0;", at)
			}
			at++
		}
		put := func(word string) {
			if null != "" {
				word = fmt.Sprintf("%s ? 0 : %s", null, word)
			}
			e.Line("key[%d] = %s;", at, word)
			at++
		}
		switch {
		case k.shape.Type == kernel.I128:
			put(fmt.Sprintf("(u64)(i128)%s", v))
			put(fmt.Sprintf("(u64)((u128)(i128)%s >> 64)", v))
		case k.shape.Type == kernel.Num:
			n := e.Temp("normal")
			e.Line("const Num %s = normal(%s);", n, v)
			put(fmt.Sprintf("(u64)%s.coef", n))
			put(fmt.Sprintf("(u64)((u128)%s.coef >> 64)", n))
			put(n + ".scale")
		case k.shape.Type == kernel.Str:
			put(v + ".word")
		case k.shape.Type == kernel.F64:
			put(fmt.Sprintf("word_of(%s)", v))
		default:
			put(fmt.Sprintf("(u64)(i64)%s", v))
		}
	}
	return e.wideKind(keys)
}

// wideKind is the template argument that says how the words of keys are compared.
func (r *renderer) wideKind(keys []keyValue) string {
	var texts []int
	at := 0
	for _, k := range keys {
		at += wordsOf(k.shape)
		if k.shape.Type == kernel.Str {
			texts = append(texts, at-1)
		}
	}
	return r.textKey(texts)
}
