package vector

import (
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// wordBytes is how much of a text is copied at once, with what comes after a shorter one.
const wordBytes = 16

// TextEnd is what the end of a text takes, in bytes.
const TextEnd = 4

// Texts are texts one after the other, as a chunk has them. The memory has no pointers:
// the garbage collector has nothing to look at.
type Texts struct {
	bytes []byte
	ends  []uint32 // 0, and the end of each text
}

// Room is for how many bytes there is memory.
func (t *Texts) Room() int { return cap(t.bytes) }

// Size is how many bytes there are.
func (t *Texts) Size() int { return len(t.bytes) }

// rows is how many texts there are.
func (t *Texts) rows() int { return max(len(t.ends)-1, 0) }

// Grow makes room for so many rows, and for so many bytes, of which some are there.
func (t *Texts) Grow(rows, bytes int) {
	if t.ends = growTo(t.ends, rows+1); len(t.ends) == 0 {
		t.ends = append(t.ends, 0)
	}
	t.bytes = growTo(t.bytes, bytes)
}

// TextSize is the length of the listed texts of a vector of a batch, NULLs aside. The
// vector is decoded unless append reads the texts where they are stored.
func TextSize(b *Batch, v *Vector, rows []int32) int64 {
	var n int64
	if v.Raw != nil && v.storesTexts(rows) {
		offsets := v.Raw.Offsets
		if first := v.Start; v.At == nil && isIdentity(rows) {
			return int64(offsets[first+int(rows[0])+len(rows)] - offsets[first+int(rows[0])])
		}
		for _, i := range rows {
			p := v.place(i)
			n += int64(offsets[p+1] - offsets[p])
		}
		return n
	}
	if v.Raw != nil {
		v.Decode(b.Rows, b.Sel)
	}
	texts := Of[string](v)
	if v.Const {
		return int64(len(texts[0])) * int64(len(rows))
	}
	for _, i := range rows {
		if v.Null == nil || v.Null[i] == 0 {
			n += int64(len(texts[i]))
		}
	}
	return n
}

// storesTexts reports whether each of the rows of a raw vector has a text that is stored.
func (v *Vector) storesTexts(rows []int32) bool {
	if v.Raw.Enc != runtime.EncStr || v.Raw.Nulls != 0 {
		return false
	}
	var sign int32
	if v.At != nil {
		for _, i := range rows {
			sign |= v.At[i]
		}
	}
	return sign >= 0
}

// place is the row of the chunk where row i of a raw vector lies.
func (v *Vector) place(i int32) int {
	if v.At == nil {
		return v.Start + int(i)
	}
	return int(v.At[i])
}

// append appends the listed texts of a vector of a batch, of which TextSize is the length,
// and for which there is room. A NULL is an empty text.
func (t *Texts) append(v *Vector, rows []int32) {
	if v.Raw == nil {
		texts, mask := Of[string](v), v.Mask()
		for _, i := range rows {
			if !v.IsNull(int(i)) {
				t.bytes = long.AppendText(t.bytes, texts[int(i)&mask])
			}
			t.ends = append(t.ends, uint32(len(t.bytes)))
		}
		return
	}
	v.Read()
	offsets, src := v.Raw.Offsets, v.Raw.Bytes
	if v.At == nil && isIdentity(rows) {
		t.appendRun(src, offsets[v.Start+int(rows[0]):][:len(rows)+1])
		return
	}
	dst, at := t.bytes[:cap(t.bytes)], len(t.bytes)
	for _, i := range rows {
		p := v.place(i)
		lo, hi := int(offsets[p]), int(offsets[p+1])
		if hi-lo <= wordBytes && lo+wordBytes <= len(src) && at+wordBytes <= len(dst) {
			*(*[wordBytes]byte)(dst[at:]) = *(*[wordBytes]byte)(src[lo:])
		} else {
			long.Copy(dst[at:], src[lo:hi])
		}
		at += hi - lo
		t.ends = append(t.ends, uint32(at))
	}
	t.bytes = dst[:at]
}

// appendRun appends the texts between offsets.
func (t *Texts) appendRun(src []byte, offsets []uint32) {
	first, shift := offsets[0], uint32(len(t.bytes))-offsets[0]
	t.bytes = long.AppendBytes(t.bytes, src[first:offsets[len(offsets)-1]])
	for _, end := range offsets[1:] {
		t.ends = append(t.ends, end+shift)
	}
}

// take appends the texts that entries name of decoded vectors. A NULL is an empty text.
func (t *Texts) take(src []*Vector, entries []Entry) {
	for _, e := range entries {
		if v := src[e.Buf]; !v.IsNull(int(e.Row)) {
			t.bytes = long.AppendText(t.bytes, Of[string](v)[e.Row])
		}
		t.ends = append(t.ends, uint32(len(t.bytes)))
	}
}

// encode makes all the texts those of a chunk, and leaves none.
func (t *Texts) encode(c *runtime.Chunk) {
	bytes, shareBytes := fitted(t.bytes)
	ends, shareEnds := fitted(t.ends)
	c.Enc, c.Bytes, c.Offsets = runtime.EncStr, bytes, ends
	t.bytes, t.ends = t.bytes[:0], t.ends[:0]
	if shareBytes {
		t.bytes = nil
	}
	if shareEnds {
		t.ends = nil
	}
}

// fitted returns a slice, shared, where it fills most of its memory, and a copy elsewhere.
func fitted[T any](s []T) (own []T, shared bool) {
	if len(s) >= cap(s)/4*3 {
		return s, true
	}
	own = make([]T, len(s))
	long.Copy(own, s)
	return own, false
}
