package cuda

import (
	"slices"
	"unsafe"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
)

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
func block[P cudagen.AppendParams | cudagen.CopyTextsParams](p *P) []uint64 {
	return slices.Clone(unsafe.Slice((*uint64)(unsafe.Pointer(p)), unsafe.Sizeof(*p)/8))
}
