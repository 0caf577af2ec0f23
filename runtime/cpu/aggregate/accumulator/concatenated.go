package accumulator

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"unsafe"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// concatenated are the accumulators that put the texts of a group together. Of a text they keep where it
// lies; integers are kept in the place of their texts (see compile.LateTexts) and written where they are put together.
type concatenated[W word] struct {
	gathered[W]
	texts []byte // each behind its length
}

// lengthBytes is what the length of a text takes that is kept.
const lengthBytes = 4

func newConcatenated(s *Spec, mem *exec.Memory) Accumulator {
	switch of := newGathered(s, mem).(type) {
	case *gathered[uint32]:
		return &concatenated[uint32]{gathered: gathered[uint32]{mem: mem, spec: s, least: of.least}}
	default:
		return &concatenated[uint64]{gathered: gathered[uint64]{mem: mem, spec: s, least: math.MinInt64}}
	}
}

// ofTexts reports whether texts are kept, not integers.
func (a *concatenated[W]) ofTexts() bool { return a.spec.ArgType[0] == kernel.Str }

func (a *concatenated[W]) Add(c *Cells, args []*vector.View) {
	if !a.ofTexts() {
		a.gathered.Add(c, args)
		return
	}
	had := a.room(c.N)
	copy(a.cells[had:], c.List())
	for i, s := range args[0].Str[:c.N] {
		a.vals[had+i] = a.keep(s)
	}
}

// keep keeps a text, and returns where.
func (a *concatenated[W]) keep(s string) W {
	at := len(a.texts)
	a.texts = exec.Grown(a.mem, a.texts, at+lengthBytes+len(s))
	binary.LittleEndian.PutUint32(a.texts[at:], uint32(len(s)))
	long.CopyText(a.texts[at+lengthBytes:], s)
	return W(at)
}

// text is a text that is kept, which is not to be changed.
func (a *concatenated[W]) text(at W) string {
	kept := a.texts[at:]
	return unsafe.String(&kept[lengthBytes-1], int(binary.LittleEndian.Uint32(kept))+1)[1:]
}

func (a *concatenated[W]) Merge(src Accumulator, from, to []uint32) {
	s, had := src.(*concatenated[W]), len(a.vals)
	a.gathered.Merge(&s.gathered, from, to)
	if !a.ofTexts() {
		return
	}
	for i := had; i < len(a.vals); i++ {
		a.vals[i] = a.keep(s.text(a.vals[i]))
	}
}

func (a *concatenated[W]) Chunks(groups []uint32, arrays *spare.Arrays) []*runtime.Chunk {
	a.arrange()
	c := &runtime.Chunk{Type: kernel.Str, Enc: runtime.EncStr, Rows: len(groups), Valid: vector.AllValid(len(groups))}
	c.Offsets = append(spare.New[uint32](arrays, len(groups)+1)[:0], 0)
	size := 0
	for i, g := range groups {
		if vals := a.of(g); len(vals) > 0 {
			size += a.length(vals)
		} else {
			c.Valid[i>>3] &^= 1 << (i & 7)
			c.Nulls++
		}
		if size > math.MaxUint32 {
			panic(value.Errorf(value.CodeProgramLimit, "%d rows have more than %d bytes of text", len(groups), uint32(math.MaxUint32)))
		}
		c.Offsets = append(c.Offsets, uint32(size))
	}
	if c.Nulls == 0 {
		c.Valid = nil
	}
	sqlstate.Check(a.mem.Grow(int64(size)))
	defer a.mem.Shrink(int64(size))
	c.Bytes = spare.New[byte](arrays, size)[:0]
	for _, g := range groups {
		c.Bytes = a.append(c.Bytes, a.of(g))
	}
	return []*runtime.Chunk{c}
}

// manyTexts is how many texts are put together before the end of the run is looked for.
const manyTexts = 1 << 14

// length is the length of values put together.
func (a *concatenated[W]) length(vals []W) int {
	n := (len(vals) - 1) * len(a.spec.Separator)
	for some := range slices.Chunk(vals, manyTexts) {
		if len(some) >= manySelected {
			sqlstate.Check(a.mem.Ended())
		}
		for _, x := range some {
			if a.ofTexts() {
				n += len(a.text(x))
			} else {
				n += value.IntegerLength(int64(x) + a.least)
			}
		}
	}
	if n > value.MaxLength {
		panic(value.Errorf(value.CodeProgramLimit, "requested length too large"))
	}
	return n
}

// append appends values put together.
func (a *concatenated[W]) append(dst []byte, vals []W) []byte {
	for some := range slices.Chunk(vals, manyTexts) {
		if len(some) >= manySelected {
			sqlstate.Check(a.mem.Ended())
		}
		for i, x := range some {
			if i > 0 || &some[0] != &vals[0] {
				dst = append(dst, a.spec.Separator...)
			}
			if a.ofTexts() {
				dst = long.AppendText(dst, a.text(x))
			} else {
				dst = strconv.AppendInt(dst, int64(x)+a.least, 10)
			}
		}
	}
	return dst
}

func (a *concatenated[W]) Reset() {
	a.gathered.Reset()
	a.texts = a.texts[:0]
}
