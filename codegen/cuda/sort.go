package cuda

import (
	"fmt"
	"math"
	"math/bits"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// layoutOf counts the words of keys.
func layoutOf(words [][]sortField) (l sortLayout) {
	for _, fields := range words {
		if isTextKey(fields) {
			l.Texts++
		} else {
			l.Words++
		}
	}
	return l
}

// sortKeys writes the words of the key of row r to place to of the array keys.
func (e *Entry) sortKeys(keys string, words [][]sortField) {
	before := 0 // texts before
	for w, fields := range words {
		at := fmt.Sprint(w - before)
		if before > 0 {
			at = fmt.Sprintf("(%s + %d * %s)", at, before, e.textWords())
		}
		if !isTextKey(fields) {
			e.Line("%s[%s * capacity + to] = %s;", keys, at, e.sortWord(fields))
			continue
		}
		e.Begin("for (u64 w = 0; w < %s; w++)", e.textWords())
		e.Line("%s[(%s + w) * capacity + to] = %s;", keys, at, e.sortWord(fields))
		e.End()
		before++
	}
}

// storeKeys writes the words of the key of row r to place to.
func (e *Entry) storeKeys(words [][]sortField) {
	e.sortKeys(e.Arg(Arg{Kind: ArgSortKeys}, "u64*", "words of the keys"), words)
}

// textWords is the number of words that a text takes in a key.
func (e *arguments) textWords() string {
	return e.Arg(Arg{Kind: ArgTextWords}, "u64", "words of a text in a key")
}

// isTextKey reports whether a word of a key stands for those of a text.
func isTextKey(fields []sortField) bool { return len(fields) == 1 && fields[0].text }

// sortField is a part of a word of a sort key: size bits.
type sortField struct {
	key  kernel.SortKey
	size int
	half half // which part of a value of more than 64 bits
	null bool // whether the key is NULL, rather than its value
	text bool // a word of a text, in a loop over them
	at   int  // number of the key
}

// half is a part of an I128, of the length of an interval, or of a Num's digits, or its exponent.
type half int

const (
	halfHigh half = 1 + iota
	halfLow
	halfExponent
	halfSaturated // the nearest 64-bit integer in place of the high word
)

// sortWords lays the keys out, most significant fields first. No field is split.
func (r *renderer) sortWords(keys []kernel.SortKey) [][]sortField {
	var words [][]sortField
	used := 64
	add := func(f sortField) {
		if used+f.size > 64 {
			words, used = append(words, nil), 0
		}
		words[len(words)-1] = append(words[len(words)-1], f)
		used += f.size
	}
	for i, k := range keys {
		v := &r.f.Values[k.Val]
		if v.Nullable {
			add(sortField{key: k, size: 1, null: true, at: i})
		}
		if v.Type == kernel.Str {
			words, used = append(words, []sortField{{key: k, size: 64, text: true, at: i}}), 64
			continue
		}
		size := r.sortBits(v)
		if v.Type == kernel.Num {
			add(sortField{key: k, size: 10, half: halfExponent, at: i})
		}
		switch {
		case size > 64:
			add(sortField{key: k, size: 64, half: halfHigh, at: i})
			add(sortField{key: k, size: 64, half: halfLow, at: i})
		case size > 0:
			add(sortField{key: k, size: size, at: i})
		}
	}
	if len(words) == 0 {
		words = append(words, nil)
	}
	return words
}

// sortBits is how many bits hold the order of a value.
func (r *renderer) sortBits(v *kernel.Value) int {
	switch {
	case v.Type == kernel.Bool:
		return 1
	case v.Type.IsInteger() && knownRange(v):
		return bits.Len64(uint64(v.Range.Hi) - uint64(v.Range.Lo))
	case v.Type == kernel.I32, v.Type == kernel.Code: // codes are told apart only
		return 32
	case v.Type == kernel.I64, v.Type == kernel.F64:
		return 64
	case v.Type == kernel.I128, v.Type == kernel.Num, v.Type == kernel.Interval:
		return 128
	}
	r.refuse("there is no device code for ORDER BY values of type %s", v.Type)
	return 0
}

// knownRange reports whether the bounds of a value are known.
func knownRange(v *kernel.Value) bool { return v.Range.Known && v.Range.Lo <= v.Range.Hi }

// sortWord is the expression of a word of the key of row r.
func (e *computing) sortWord(fields []sortField) string {
	if len(fields) == 0 {
		return "0"
	}
	var parts []string
	shift := 0
	for i := len(fields) - 1; i >= 0; i-- {
		parts = append(parts, fmt.Sprintf("%s << %d", e.sortBitsOf(fields[i]), shift))
		shift += fields[i].size
	}
	return strings.Join(parts, " | ")
}

// sortBitsOf is the expression of a field.
func (e *computing) sortBitsOf(f sortField) string {
	nulls := e.nulls(f.key.Val)
	if f.null {
		if f.key.NullsFirst {
			return fmt.Sprintf("(u64)!bit(%s, r)", nulls)
		}
		return fmt.Sprintf("(u64)bit(%s, r)", nulls)
	}
	v := e.sortOrder(f)
	if f.key.Desc {
		v = fmt.Sprintf("(~(%s) & %#xull)", v, uint64(math.MaxUint64)>>(64-f.size))
	}
	if nulls != "" {
		v = fmt.Sprintf("(bit(%s, r) ? 0ull : %s)", nulls, v)
	}
	return "(u64)" + v
}

// sortOrder is the expression of a number whose unsigned order is that of the
// key's value.
func (e *computing) sortOrder(f sortField) string {
	x, v := e.At(f.key.Val), &e.f.Values[f.key.Val]
	if v.Type == kernel.Interval {
		x = "length(" + x + ")"
	}
	switch {
	case f.text:
		return "word_of_text(" + x + ", w)"
	case v.Type == kernel.Bool:
		return "(u64)" + x
	case v.Type.IsInteger() && knownRange(v):
		lo := e.Arg(Arg{Kind: ArgKeyLo, Index: f.at}, "i64", "minimum of "+e.name(f.key.Val))
		return fmt.Sprintf("((u64)%s - (u64)%s)", x, lo)
	case v.Type == kernel.F64:
		return fmt.Sprintf("rank(%s == 0 ? 0.0 : %s)", x, x)
	case v.Type == kernel.Num && f.half == halfExponent:
		return "(u64)order_of(" + x + ").exponent"
	case v.Type == kernel.Num && f.half == halfHigh:
		return "(u64)(order_of(" + x + ").digits >> 64)"
	case v.Type == kernel.Num:
		return "(u64)order_of(" + x + ").digits"
	case f.half == halfSaturated:
		return fmt.Sprintf("rank(saturated(%s))", x)
	case f.half == halfHigh:
		return fmt.Sprintf("rank((i64)(%s >> 64))", x)
	case f.half == halfLow:
		return "(u64)" + x
	}
	return "rank(" + x + ")"
}
