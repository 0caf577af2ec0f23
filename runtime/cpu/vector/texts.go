package vector

import (
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
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

	arrays *spare.Arrays
}

// Room is for how many bytes there is memory.
func (t *Texts) Room() int { return cap(t.bytes) }

// Size is how many bytes there are.
func (t *Texts) Size() int { return len(t.bytes) }

// grow implements builderValues: it is Grow that makes room for texts.
func (t *Texts) grow(int) {}

func (t *Texts) capacity() int { return 0 }

// Grow makes room for so many rows, and for so many bytes, of which some are there.
func (t *Texts) Grow(rows, bytes int) {
	if t.ends = spare.Grow(t.arrays, t.ends, rows+1); len(t.ends) == 0 {
		t.ends = append(t.ends, 0)
	}
	t.bytes = spare.Grow(t.arrays, t.bytes, bytes)
}

// storesTexts reports whether each row of a chunk, which has rows, has a text.
func storesTexts(c *runtime.Chunk) bool {
	return c.Enc == runtime.EncStr && c.Nulls == 0 && c.Rows > 0
}

// StoredTexts returns the texts of a vector whose rows lie one after the other as a chunk has them, none of
// them NULL, without decoding them: row i is between ends i and i+1.
func (v *Vector) StoredTexts() (bytes []byte, ends []uint32, ok bool) {
	if v.Raw == nil || v.At != nil || !storesTexts(v.Raw) {
		return nil, nil, false
	}
	v.Read()
	return v.Raw.Bytes, v.Raw.Offsets[v.Start:], true
}

func (t *Texts) size(b *Batch, v *Vector, rows *Rows) int64 {
	if v.Raw == nil || !storesTexts(v.Raw) {
		return TextSize(b, v, rows.List)
	}
	p := rows.of(v)
	offsets := v.Raw.Offsets[p.start:]
	if p.list == nil {
		return int64(offsets[p.n] - offsets[0])
	}
	n := int64(0)
	for i, r := range p.list {
		if p.null == nil || p.null[i] == 0 {
			n += int64(offsets[r+1] - offsets[r])
		}
	}
	return n
}

// TextSize is the length of the listed texts of a vector of a batch, NULLs aside, which it
// decodes.
func TextSize(b *Batch, v *Vector, rows []int32) int64 {
	if v.Raw != nil {
		v.Decode(b.Rows, b.Sel)
	}
	texts, n := Of[string](v), int64(0)
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

// append appends the listed texts, of which size is the length, and for which there is
// room. A NULL is an empty text.
func (t *Texts) append(v *Vector, rows *Rows) {
	switch {
	case v.Raw == nil:
		t.appendDecoded(v, rows.List)
	case rows.of(v).list == nil:
		p := rows.of(v)
		t.appendRun(v.Raw.Bytes, v.Raw.Offsets[p.start:][:p.n+1])
	default:
		t.appendAt(v.Raw.Bytes, v.Raw.Offsets, rows.of(v))
	}
}

// appendDecoded appends the listed texts of a decoded vector.
func (t *Texts) appendDecoded(v *Vector, rows []int32) {
	texts, mask := Of[string](v), v.Mask()
	for _, i := range rows {
		if !v.IsNull(int(i)) {
			t.bytes = long.AppendText(t.bytes, texts[int(i)&mask])
		}
		t.ends = append(t.ends, uint32(len(t.bytes)))
	}
}

// appendAt appends the texts at listed places.
func (t *Texts) appendAt(src []byte, offsets []uint32, p *places) {
	offsets = offsets[p.start:]
	dst, at := t.bytes[:cap(t.bytes)], len(t.bytes)
	had := len(t.ends)
	t.ends = t.ends[:had+p.n]
	ends := t.ends[had:]
	for i, r := range p.list[:len(ends)] {
		lo, hi := int(offsets[r]), int(offsets[r+1])
		switch {
		case p.null != nil && p.null[i] != 0:
			hi = lo
		case hi-lo <= wordBytes && lo+wordBytes <= len(src) && at+wordBytes <= len(dst):
			*(*[wordBytes]byte)(dst[at:]) = *(*[wordBytes]byte)(src[lo:])
		default:
			long.Copy(dst[at:], src[lo:hi])
		}
		at += hi - lo
		ends[i] = uint32(at)
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
func (t *Texts) encode(c *runtime.Chunk, _ []uint8, life Lifetime) {
	bytes, shareBytes := fitted(t.bytes, t.arrays, life)
	ends, shareEnds := fitted(t.ends, t.arrays, life)
	c.Enc, c.Bytes, c.Offsets = runtime.EncStr, bytes, ends
	t.bytes, t.ends = t.bytes[:0], t.ends[:0]
	if shareBytes {
		t.bytes = nil
	}
	if shareEnds {
		t.ends = nil
	}
}
