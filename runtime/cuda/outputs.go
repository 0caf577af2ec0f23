package cuda

import (
	"encoding/binary"
	"time"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// outputs allocates the columns that the kernel writes, with room for rows.
func (r *run) outputs(rows int64) ([]column, error) {
	out := make([]column, len(r.module.Outputs))
	for i, shape := range r.module.Outputs {
		out[i] = column{shape: shape, base: r.module.Bases[i], held: r.backend.mem.newBuffers()}
		if shape.Type == kernel.Str {
			out[i].held.keep(r.texts)
		}
		if err := out[i].reserve(rows); err != nil {
			releaseColumns(out)
			return nil, err
		}
	}
	return out, nil
}

// reserve allocates a column's arrays. Bitmaps are zeros, since kernels set
// single bits.
func (c *column) reserve(rows int64) (err error) {
	bitmap := (rows + 31) / 32 * 4
	if c.shape.Nullable {
		if c.valid, err = c.held.zeroed(max(bitmap, 4)); err != nil {
			return err
		}
	}
	if c.shape.Encoding == cudagen.EncBits {
		c.data, err = c.held.zeroed(max(bitmap, 4))
		return err
	}
	c.data, err = c.held.alloc(max(padded(int(rows))*int64(c.shape.Encoding.Width()), 1))
	return err
}

// setOutputs gives the arguments of the columns that the kernel writes.
func (r *run) setOutputs(out []column) {
	for i := range out {
		r.set(cudagen.ArgOutData, i, uint64(out[i].data))
		r.set(cudagen.ArgOutValid, i, uint64(out[i].valid))
		r.set(cudagen.ArgOutBase, i, uint64(r.module.Bases[i]))
	}
}

// relation makes the result of columns that hold the values ids.
func (r *run) relation(out []column, ids []kernel.ValueID, rows int64) runtime.Output {
	for i, id := range ids {
		if v := &r.f.Values[id]; v.Type == kernel.Code {
			out[i].dict = r.dicts[v.Dict]
		}
		r.metrics.BytesWritten += out[i].held.bytes
	}
	r.metrics.RowsOut = rows
	return newRelation(r.backend.mem, &r.backend.mu, r.opts.Account, rows, out)
}

// releaseColumns frees columns that do not become a result.
func releaseColumns(cols []column) {
	for i := range cols {
		if cols[i].held != nil {
			cols[i].held.release()
		}
	}
}

// downloadWords reads n words of device memory, after all that was started.
func (r *run) downloadWords(p Ptr, n int) ([]uint64, error) {
	raw := make([]byte, 8*n)
	defer r.lap(&r.metrics.Host.Wait, time.Now())
	if err := r.backend.device.Memory().Download(raw, p); err != nil {
		return nil, err
	}
	words := make([]uint64, n)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(raw[8*i:])
	}
	return words, nil
}
