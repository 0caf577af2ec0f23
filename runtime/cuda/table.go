package cuda

import (
	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/runtime"
)

// Release implements runtime.Output.
func (t *table) Release() { t.free(nil) }

// free releases a share, with the last of which the memory is freed, with which q may still work; nil: no
// stream does.
func (t *table) free(q *queue) {
	if t.shares.Add(-1) > 0 {
		return
	}
	releaseColumns(q, t.cols)
	t.cols = nil
	t.held.release(q)
}

// bytes is the device memory of the table.
func (t *table) bytes() int64 {
	n := t.held.bytes
	for i := range t.cols {
		n += t.cols[i].held.bytes
	}
	return n
}

// word is an argument of a kernel that reads the table.
func (t *table) word(arg cudagen.Arg) uint64 {
	switch arg.Kind {
	case cudagen.ArgRows:
		return uint64(t.places)
	case cudagen.ArgTableSlots:
		return uint64(t.slots)
	case cudagen.ArgTableMask:
		return t.mask
	case cudagen.ArgTableEnds:
		return uint64(t.ends)
	case cudagen.ArgTableKeys:
		return uint64(t.words)
	case cudagen.ArgTableLo:
		return uint64(t.keys[arg.Index].lo)
	case cudagen.ArgTableExtent:
		return uint64(t.keys[arg.Index].extent)
	case cudagen.ArgTableData:
		return uint64(t.cols[arg.Index].data)
	case cudagen.ArgTableValid:
		return uint64(t.cols[arg.Index].valid)
	case cudagen.ArgTableBase:
		return uint64(t.cols[arg.Index].base)
	}
	return 0
}

// bindMarks allocates the marks of the tables that the kernel sets or reads, where
// there are none yet, and sets the arguments that name them.
func (r *run) bindMarks() error {
	for i, arg := range r.module.Args {
		if arg.Kind != cudagen.ArgTableMark {
			continue
		}
		t := r.inputs[arg.Input].table
		if t.marks == 0 {
			var err error
			if t.marks, err = t.held.zeroed(r.queue, max(t.places, 1)); err != nil {
				return err
			}
		}
		r.words[i] = uint64(t.marks)
	}
	return nil
}

// filterSlots is how many slots a filter of the table's keys is made of.
func (t *table) filterSlots() int64 {
	if t.shape.Layout == cudagen.LayoutCells {
		return t.cells()
	}
	return int64(t.mask) + 1
}

// cells is how many cells the keys of a dense table may have.
func (t *table) cells() int64 {
	cells := int64(1)
	for i, k := range t.keys {
		extent := k.extent
		if t.shape.Keys[i].Null {
			extent++
		}
		cells *= extent
	}
	return cells
}

// hasExact reports whether a table has an exact filter of so many words.
func (t *table) hasExact(words int64) bool {
	switch t.shape.Layout {
	case cudagen.LayoutCells, cudagen.LayoutDense:
		return (t.cells()+31)/32 == words
	}
	return false
}

// discard frees what a run has made that has failed afterwards: kernels may still write it.
func discard(q *queue, out runtime.Output) {
	switch out := out.(type) {
	case *table:
		out.free(q)
	case *groups:
		out.free(q)
	case *relation:
		out.leave(q)
		out.Release()
	case runtime.Results:
		for _, one := range out {
			discard(q, one.(*relation))
		}
	}
}
