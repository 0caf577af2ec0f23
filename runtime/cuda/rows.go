package cuda

import (
	"slices"
	"unsafe"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
)

// gather copies n rows of columns, which order names, to columns of the same
// shapes.
func (r *run) gather(order Ptr, n int64, from, to []column) error {
	for len(from) > 0 && n > 0 {
		count := min(len(from), cudagen.RowsColumns)
		p := cudagen.GatherParams{Order: uint64(order), Rows: uint64(n), Columns: uint64(count)}
		for i := range count {
			p.Column[i] = cudagen.GatherColumn{
				From: uint64(from[i].data), FromValid: uint64(from[i].valid),
				To: uint64(to[i].data), ToValid: uint64(to[i].valid), Width: uint64(from[i].shape.Encoding.Width()),
			}
		}
		if err := r.launchRows("gather", n, block(&p)); err != nil {
			return err
		}
		from, to = from[count:], to[count:]
	}
	return nil
}

// rowsBlocks is how many blocks go over n rows: no more than the device runs at
// one time.
func (r *run) rowsBlocks(n int64) int {
	return int(max(min((n+cudagen.RowsThreads-1)/cudagen.RowsThreads, mostRowsBlocks(r.backend.device)), 1))
}

// mostRowsBlocks is how many blocks of the rows' module the device runs at one time.
func mostRowsBlocks(device Device) int64 {
	const perSM = 2048 / cudagen.RowsThreads
	return int64(max(device.Info().SMs, 1) * perSM)
}

// launchRows starts an entry of the rows' module over n rows.
func (r *run) launchRows(name string, n int64, params []uint64) error {
	if err := canceled(r.ctx); err != nil || n == 0 {
		return err
	}
	code, err := r.load(r.backend.modules.rows)
	if err != nil {
		return err
	}
	k, err := code.Kernel(name)
	if err != nil {
		return err
	}
	l := Launch{Kernel: k, Grid: r.rowsBlocks(n), Threads: cudagen.RowsThreads, Params: params}
	l.Timer = r.observe(name, &l)
	return r.backend.device.Launch(l)
}

// block is a parameter of one of the entries as words.
func block[P cudagen.OrderParams | cudagen.GatherParams | cudagen.AppendParams | cudagen.CopyTextsParams](p *P) []uint64 {
	return slices.Clone(unsafe.Slice((*uint64)(unsafe.Pointer(p)), unsafe.Sizeof(*p)/8))
}
