// Package keytable puts the keys of a row together and numbers distinct keys by hash tables.
package keytable

import (
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// kind is how the keys of a row are brought together.
type kind uint8

// The kinds. Keys are packed into one or two words where their ranges or types
// allow, so that a table can hold and compare them in place.
const (
	Word kind = iota
	TwoWords
	Bytes
)

// Pair is a key of two words.
type Pair struct{ a, b uint64 }

// keyField is how one key is put into the packed form: as value − lo in bits
// bits, NULL as the code null.
type keyField struct {
	typ      kernel.Type
	NullSafe bool // NULL is a key; else a row with NULL has no key
	lo       int64
	card     uint64 // values in range; 0: 2^64
	null     uint64 // code of NULL
	bits     uint
	word     int // 0 or 1
	shift    uint
	packed   bool
}

// Layout is how the keys of a table are put together.
type Layout struct {
	Kind   kind
	Fields []keyField
}

// NewLayout chooses a layout for keys of the given kernel values.
func NewLayout(values []kernel.Value, nullSafe []bool) *Layout {
	l := &Layout{Fields: make([]keyField, len(values))}
	for i := range values {
		l.Fields[i] = newKeyField(&values[i], nullSafe[i])
	}
	l.place()
	return l
}

// newKeyField finds how many bits a key needs.
func newKeyField(v *kernel.Value, nullSafe bool) keyField {
	f := keyField{typ: v.Type, NullSafe: nullSafe}
	f.lo, f.card, _ = v.KeyValues()
	if f.bits, f.packed = v.KeyBits(nullSafe); !f.packed {
		return f
	}
	if nullSafe && v.Nullable {
		f.null = f.card
	}
	if f.bits == 64 && f.null == 0 {
		f.lo, f.card = 0, 0 // the range saves nothing: a stored column is the word as it is
	}
	return f
}

// place finds a place for each field in one or two words, wide ones first, or
// leaves it at bytes.
func (l *Layout) place() {
	order := make([]int, len(l.Fields))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return int(l.Fields[j].bits) - int(l.Fields[i].bits) })
	var used [2]uint
	total := uint(0)
	for i := range l.Fields {
		total += l.Fields[i].bits
	}
	for _, i := range order {
		f := &l.Fields[i]
		word := 0
		if used[0]+f.bits > 64 {
			word = 1
		}
		if !f.packed || used[word]+f.bits > 64 {
			l.Kind = Bytes
			return
		}
		f.word, f.shift = word, used[word]
		used[word] += f.bits
	}
	if total > 64 || used[1] > 0 {
		l.Kind = TwoWords
	}
}

// Batch is the keys of some rows, put together; which slices are in use is
// told by the layout's kind.
type Batch struct {
	Mem    *exec.Memory  // charged for keys of bytes; nil: nothing is
	Arrays *spare.Arrays // that have its buffers; nil: these are ordinary memory
	N      int
	Words  []uint64
	Pairs  []Pair
	bytes  []byte
	ends   []uint32 // of each row's part of bytes
	// Miss is 1 for rows that have no key, or one that lies outside of the
	// layout's ranges and so is in no table of it; nil: no row.
	Miss []uint8

	wordBuf, highBuf []uint64
	pairBuf          []Pair
	byteBuf          []byte
	missBuf          []uint8
	endBuf           []uint32
	others           []int32
	touched          byte // of keys that were read ahead; it means nothing

	passed []int32  // rows that passed a filter
	part   *Batch   // their keys
	found  []uint32 // what they found
}

// NewBatch returns a batch that is charged to the memory of a run, and whose buffers lie in its arrays.
func NewBatch(mem *exec.Memory) Batch { return Batch{Mem: mem, Arrays: mem.Arrays} }

// Free releases the buffers of the keys, which are not to be read afterwards.
func (k *Batch) Free() {
	spare.Release(k.Arrays, k.wordBuf)
	spare.Release(k.Arrays, k.highBuf)
	spare.Release(k.Arrays, k.pairBuf)
	spare.Release(k.Arrays, k.endBuf)
	*k = Batch{Mem: k.Mem, Arrays: k.Arrays}
}

// row is the encoded key of row i.
func (k *Batch) row(i int) []byte {
	lo := uint32(0)
	if i > 0 {
		lo = k.ends[i-1]
	}
	return k.bytes[lo:k.ends[i]]
}

// code is the 64 bits that stand for row i, which is not NULL: equal values
// have equal codes.
func (f *keyField) code(v *vector.View, i int) uint64 {
	switch v.Form {
	case vector.FormF64:
		return floatCode(v.F64[i])
	case vector.FormI128:
		return v.I128[i].Lo
	}
	return uint64(v.IntAt(i))
}

// floatCode is the bits of a double precision number, those of zero and of NaN
// made one.
func floatCode(x float64) uint64 {
	switch {
	case x == 0:
		return 0
	case x != x:
		return math.Float64bits(math.NaN())
	}
	return math.Float64bits(x)
}
