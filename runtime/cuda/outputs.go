package cuda

import (
	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// outputs allocates n of the columns that the kernel writes, from the first on, with room for
// rows.
func (r *run) outputs(first, n int, rows int64) ([]column, error) {
	out := make([]column, n)
	for i, shape := range r.module.Outputs[first : first+n] {
		out[i] = column{shape: shape, base: r.module.Bases[first+i], held: r.backend.mem.newBuffers()}
		if shape.Type == kernel.Str {
			out[i].held.keep(r.textsOf(r.module.Results[first+i]))
		}
		if err := out[i].reserve(r.queue, rows); err != nil {
			releaseColumns(r.queue, out)
			return nil, err
		}
	}
	return out, nil
}

// reserve allocates a column's arrays. Bitmaps are zeros, since kernels set
// single bits.
func (c *column) reserve(q *queue, rows int64) (err error) {
	bitmap := (rows + 31) / 32 * 4
	if c.shape.Nullable {
		if c.valid, err = c.held.zeroed(q, max(bitmap, 4)); err != nil {
			return err
		}
	}
	if c.shape.Encoding == cudagen.EncBits {
		c.data, err = c.held.zeroed(q, max(bitmap, 4))
		return err
	}
	c.data, err = c.held.alloc(q, max(padded(int(rows))*int64(c.shape.Encoding.Width()), 1))
	return err
}

// releaseColumns frees columns that do not become a result, with which q may still work.
func releaseColumns(q *queue, cols []column) {
	for i := range cols {
		if cols[i].held != nil {
			cols[i].held.release(q)
		}
	}
}
