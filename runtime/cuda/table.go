package cuda

import (
	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
)

// table is what a Build made: its rows' payload, and where the rows of each key
// are. It is a runtime.Output. It does not change, but for the marks.
type table struct {
	backend *Backend
	shape   cudagen.TableShape
	keys    []tableKey
	cols    []column // payload
	rows    int64
	places  int64    // of the payload: rows, or cells
	held    *buffers // all but the payload
	slots   Ptr
	mask    uint64 // slots less one, of open addressing
	next    Ptr
	words   Ptr // keys by row
	marks   Ptr // a byte a place; 0: no probe has wanted them yet
}

// tableKey is how a key of the table is numbered.
type tableKey struct {
	lo, extent int64
}

// Release implements runtime.Output.
func (t *table) Release() {
	t.backend.mu.Lock()
	defer t.backend.mu.Unlock()
	t.free()
}

// free gives the memory up; whoever calls it holds the device.
func (t *table) free() {
	releaseColumns(t.cols)
	t.cols = nil
	t.held.release()
}

// bytes is the device memory of the table.
func (t *table) bytes() int64 {
	n := t.held.bytes
	for i := range t.cols {
		n += t.cols[i].held.bytes
	}
	return n
}

// bind gives the arguments of the table as input i of a kernel.
func (t *table) bind(r *run, i int) {
	at := func(kind cudagen.ArgKind, index int, word uint64) {
		r.words[cudagen.Arg{Kind: kind, Input: i, Index: index}] = word
	}
	at(cudagen.ArgRows, 0, uint64(t.places))
	at(cudagen.ArgTableSlots, 0, uint64(t.slots))
	at(cudagen.ArgTableMask, 0, t.mask)
	at(cudagen.ArgTableNext, 0, uint64(t.next))
	at(cudagen.ArgTableKeys, 0, uint64(t.words))
	for k := range t.keys {
		at(cudagen.ArgTableLo, k, uint64(t.keys[k].lo))
		at(cudagen.ArgTableExtent, k, uint64(t.keys[k].extent))
	}
	for c := range t.cols {
		at(cudagen.ArgTableData, c, uint64(t.cols[c].data))
		at(cudagen.ArgTableValid, c, uint64(t.cols[c].valid))
		at(cudagen.ArgTableBase, c, uint64(t.cols[c].base))
	}
}

// bindMarks gives the marks of the tables that the kernel sets or reads.
func (r *run) bindMarks() error {
	for _, arg := range r.module.Args {
		if arg.Kind != cudagen.ArgTableMark {
			continue
		}
		t := r.inputs[arg.Input].table
		if t.marks == 0 {
			var err error
			if t.marks, err = t.held.zeroed(max(t.places, 1)); err != nil {
				return err
			}
		}
		r.words[arg] = uint64(t.marks)
	}
	return nil
}
