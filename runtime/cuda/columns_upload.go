package cuda

import (
	"context"
	"encoding/binary"
	"unsafe"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/fault"
	"github.com/cubeloom/cubeloom/sql/value"
)

// run uploads the column and returns it, when it is there, with one share of its memory.
func (u *upload) run(ctx context.Context) (column, error) {
	for _, c := range u.chunks {
		u.rows += c.Rows
	}
	u.made.parts = boundsOfBlocks(u.chunks)
	u.made.held = u.queue.mem.newBuffers()
	err := u.fill(ctx)
	if err == nil {
		err = u.queue.settle()
	}
	if err != nil {
		u.made.held.release(u.queue)
		return column{}, err
	}
	return u.made, nil
}

// fill allocates and fills the arrays.
func (u *upload) fill(ctx context.Context) (err error) {
	defer fault.Guard()(&err)
	if u.made.shape.Encoding == cudagen.EncNull {
		return nil
	}
	if u.made.shape.Nullable {
		if u.made.valid, err = u.bitmap(ctx, appendValid); err != nil {
			return err
		}
	}
	switch u.made.shape.Encoding {
	case cudagen.EncBits:
		u.made.data, err = u.bitmap(ctx, appendBits)
		return err
	case cudagen.EncStr:
		return u.offsets(ctx)
	case cudagen.EncTexts:
		return u.references(ctx)
	}
	width := int64(u.made.shape.Encoding.Width())
	if u.made.data, err = u.made.held.alloc(u.queue, width*padded(u.rows)); err != nil {
		return err
	}
	return u.overChunks(ctx, u.made.data, func(c *runtime.Chunk) ([]byte, error) {
		data := make([]byte, width*int64(c.Rows))
		fillData(data, u.made.shape.Encoding, u.made.base, c)
		return data, nil
	})
}

// bitmap uploads a bitmap over all rows, in whole words, that add makes a
// chunk's part of.
func (u *upload) bitmap(ctx context.Context, add func(b *bitWriter, c *runtime.Chunk)) (Ptr, error) {
	w := &bitWriter{bits: make([]byte, (u.rows+31)/32*4)}
	for _, c := range u.chunks {
		if err := canceled(ctx); err != nil {
			return 0, err
		}
		add(w, c)
	}
	p, err := u.made.held.alloc(u.queue, int64(len(w.bits)))
	if err != nil {
		return 0, err
	}
	return p, u.queue.upload(p, w.bits)
}

func appendValid(w *bitWriter, c *runtime.Chunk) {
	switch {
	case allNull(c):
		w.at += c.Rows
	case c.Valid == nil:
		w.ones(c.Rows)
	default:
		w.copy(c.Valid, c.Rows)
	}
}

func appendBits(w *bitWriter, c *runtime.Chunk) {
	if allNull(c) {
		w.at += c.Rows
		return
	}
	w.copy(c.Bits, c.Rows)
}

// bitWriter appends to a bitmap, least significant bit first.
type bitWriter struct {
	bits []byte // zeros from at on
	at   int
}

// copy appends the first n bits of src.
func (w *bitWriter) copy(src []byte, n int) {
	if w.at&7 == 0 {
		copy(w.bits[w.at>>3:], src[:n>>3])
		w.at += n &^ 7
		src, n = src[n>>3:], n&7
	}
	for i := range n {
		w.bits[w.at>>3] |= src[i>>3] >> (i & 7) & 1 << (w.at & 7)
		w.at++
	}
}

// ones appends n ones.
func (w *bitWriter) ones(n int) {
	for ; n > 0 && w.at&7 != 0; n-- {
		w.bits[w.at>>3] |= 1 << (w.at & 7)
		w.at++
	}
	for ; n >= 8; n -= 8 {
		w.bits[w.at>>3] = 0xff
		w.at += 8
	}
	for ; n > 0; n-- {
		w.bits[w.at>>3] |= 1 << (w.at & 7)
		w.at++
	}
}

// fillData encodes a chunk. What stands in rows that are NULL is arbitrary.
func fillData(dst []byte, enc cudagen.Encoding, base int64, c *runtime.Chunk) {
	if c.Rows == 0 || allNull(c) {
		return
	}
	switch enc {
	case cudagen.EncU8:
		fillIntegers(dst, c, base)
	case cudagen.EncU16:
		fillIntegers(words[uint16](dst), c, base)
	case cudagen.EncU32:
		fillIntegers(words[uint32](dst), c, base)
	case cudagen.EncI64:
		fillIntegers(words[uint64](dst), c, 0)
	case cudagen.EncI128:
		fillWide(words[value.Int128](dst), c)
	case cudagen.EncF64:
		copy(words[float64](dst), c.F64)
	case cudagen.EncNum:
		for i, x := range c.Nums[:c.Rows] {
			putWords(dst[24*i:], x.Coef.Lo, uint64(x.Coef.Hi), uint64(x.Scale))
		}
	case cudagen.EncIntervals:
		for i, x := range c.Intervals[:c.Rows] {
			putWords(dst[24*i:], uint64(x.Months), uint64(x.Days), uint64(x.Micros))
		}
	}
}

// words is b as numbers of a fixed size; b is aligned for them, being the start
// of an allocation.
func words[T any](b []byte) []T {
	var x T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(x)))
}

// putWords stores three words.
func putWords(dst []byte, x, y, z uint64) {
	binary.LittleEndian.PutUint64(dst, x)
	binary.LittleEndian.PutUint64(dst[8:], y)
	binary.LittleEndian.PutUint64(dst[16:], z)
}

// unsigned are the elements of integer arrays on a device.
type unsigned interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64
}

// fillIntegers stores the integers of a chunk less base.
func fillIntegers[D unsigned](dst []D, c *runtime.Chunk, base int64) {
	add := D(c.Base - base)
	switch c.Enc {
	case runtime.EncU8:
		rebase(dst, c.U8, add)
	case runtime.EncU16:
		rebase(dst, c.U16, add)
	case runtime.EncU32:
		rebase(dst, c.U32, add)
	case runtime.EncI64:
		sub := D(base)
		for i, x := range c.I64[:c.Rows] {
			dst[i] = D(x) - sub
		}
	default:
		for i := range dst {
			dst[i] = add
		}
	}
}

// rebase stores src plus add, which wrap around as the difference of two bases
// must.
func rebase[D, S unsigned](dst []D, src []S, add D) {
	src = src[:len(dst)]
	if same, ok := any(src).([]D); ok && add == 0 {
		copy(dst, same)
		return
	}
	for i, x := range src {
		dst[i] = D(x) + add
	}
}

// fillWide stores integers in 128 bits.
func fillWide(dst []value.Int128, c *runtime.Chunk) {
	if c.Enc == runtime.EncI128 {
		copy(dst, c.I128)
		return
	}
	for i := range dst {
		dst[i] = value.Int128Of(c.Int(i))
	}
}
