package cuda

import (
	"context"
	"encoding/binary"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/runtime"
)

// offsets uploads texts, and where each of them ends.
func (u *upload) offsets(ctx context.Context) (err error) {
	if u.made.data, err = u.made.held.alloc(u.queue, 4*int64(u.rows+1)); err != nil {
		return err
	}
	if u.made.bytes, err = u.texts(ctx, u.made.held); err != nil {
		return err
	}
	if err := u.queue.upload(u.made.data, make([]byte, 4)); err != nil {
		return err
	}
	before := u.before()
	return u.overChunks(ctx, u.made.data+4, func(c *runtime.Chunk) ([]byte, error) { return textEnds(c, uint32(before[c])), nil })
}

// references uploads texts, which the column keeps, and a word that refers to each of them.
func (u *upload) references(ctx context.Context) (err error) {
	if u.made.data, err = u.made.held.alloc(u.queue, int64(u.made.shape.Encoding.Width())*padded(u.rows)); err != nil {
		return err
	}
	texts := u.queue.mem.newBuffers()
	defer texts.release(u.queue) // the column has a share
	u.made.held.keep([]*buffers{texts})
	first, err := u.texts(ctx, texts)
	if err != nil {
		return err
	}
	before := u.before()
	return u.overChunks(ctx, u.made.data, func(c *runtime.Chunk) ([]byte, error) { return textWords(c, uint64(first)+before[c]), nil })
}

// texts uploads the bytes of texts, one behind the other, to memory that held gets.
func (u *upload) texts(ctx context.Context, held *buffers) (first Ptr, err error) {
	if held.length, err = longestText(ctx, u.chunks); err != nil {
		return 0, err
	}
	total := allTextBytes(u.chunks)
	if first, err = held.alloc(u.queue, total); err != nil {
		return 0, err
	}
	if err := checkAddress(first, total); err != nil {
		return 0, err
	}
	at := first
	for _, c := range u.chunks {
		n := textBytes(c)
		if n == 0 {
			continue
		}
		if err := canceled(ctx); err != nil {
			return 0, err
		}
		if err := u.queue.upload(at, c.Bytes[c.Offsets[0]:c.Offsets[c.Rows]]); err != nil {
			return 0, err
		}
		at += Ptr(n)
	}
	return first, nil
}

// before is how many bytes of texts lie before those of each chunk.
func (u *upload) before() map[*runtime.Chunk]uint64 {
	before := make(map[*runtime.Chunk]uint64, len(u.chunks))
	sum := uint64(0)
	for _, c := range u.chunks {
		before[c] = sum
		sum += uint64(textBytes(c))
	}
	return before
}

// textEnds returns where the texts of a chunk end, base bytes being before it.
func textEnds(c *runtime.Chunk, base uint32) []byte {
	ends := make([]byte, 4*c.Rows)
	for i := range c.Rows {
		end := base
		if c.Enc == runtime.EncStr {
			end += c.Offsets[i+1] - c.Offsets[0]
		}
		binary.LittleEndian.PutUint32(ends[4*i:], end)
	}
	return ends
}

// textWords returns the words that refer to the texts of a chunk, which lie from first on.
func textWords(c *runtime.Chunk, first uint64) []byte {
	refs := make([]byte, 8*c.Rows)
	if c.Enc != runtime.EncStr {
		return refs
	}
	for i := range c.Rows {
		from, end := c.Offsets[i], c.Offsets[i+1]
		binary.LittleEndian.PutUint64(refs[8*i:], cudagen.TextWord(first+uint64(from-c.Offsets[0]), int(end-from)))
	}
	return refs
}
