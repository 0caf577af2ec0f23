package cuda

import (
	"math"
	"math/bits"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/value"
	"github.com/cubeloom/cubeloom/runtime"
)

// maxCells is how many cells an aggregation may have: a cell's number has 32
// bits, and some are taken.
const maxCells = 1 << 31

// grouped runs an Aggregate with keys.
func (r *run) grouped(s *kernel.Aggregate) (runtime.Output, error) {
	ids := append([]kernel.ValueID(nil), s.Keys...)
	for i := range s.Accs {
		ids = append(ids, s.Accs[i].Dst...)
	}
	cells, room, err := r.accumulate(s)
	if err != nil {
		return nil, err
	}
	out, rows, err := r.readCells(cells, room)
	if err != nil {
		return nil, err
	}
	return r.relation(out, ids, rows), nil
}

// accumulate runs the entry that goes over the rows and gives the number of cells
// and about how many groups they hold.
func (r *run) accumulate(s *kernel.Aggregate) (cells, groups int64, err error) {
	if r.module.Groups.Dense {
		if cells, err = r.denseCells(s); err != nil {
			return 0, 0, err
		}
		r.newCells()
		if err := r.fillCells(cells, cells); err != nil {
			return 0, 0, err
		}
		return cells, min(cells, firstRoom), r.again()
	}
	r.keyBases(s)
	for slots := r.firstSlots(s); slots <= maxCells; {
		f, err := r.fillTable(slots, s)
		if err != nil {
			return 0, 0, err
		}
		if !f.full {
			return slots, f.groups, r.again()
		}
		slots = r.moreSlots(slots, f)
	}
	return 0, 0, value.Errorf(value.CodeOutOfMemory, "out of device memory: an aggregation has too many groups")
}

// firstRoom is for how many groups there is room at first.
const firstRoom = 1 << 20

// denseCells lays the cells of a dense aggregation out and gives their number.
// The last key varies fastest.
func (r *run) denseCells(s *kernel.Aggregate) (int64, error) {
	cells := uint64(1)
	for i := len(s.Keys) - 1; i >= 0; i-- {
		lo, card, err := r.keyRange(s.Keys[i])
		if err != nil {
			return 0, err
		}
		r.set(cudagen.ArgKeyLo, i, uint64(lo))
		r.set(cudagen.ArgKeyCard, i, card)
		r.set(cudagen.ArgKeyStride, i, cells)
		hi, product := bits.Mul64(cells, card)
		if hi != 0 || product > maxCells {
			return 0, &cudagen.Refusal{Reason: "a dense aggregation has too many cells"}
		}
		cells = product
	}
	return int64(cells), nil
}

// keyRange gives the least value of a key and the number of its values, NULL
// included.
func (r *run) keyRange(id kernel.ValueID) (lo int64, card uint64, err error) {
	v := &r.f.Values[id]
	rng := v.Range
	switch {
	case rng.Known:
	case v.Type == kernel.Bool:
		rng = kernel.Range{Known: true, Hi: 1}
	case v.Type == kernel.Code:
		entries := 0
		if d := r.dicts[v.Dict]; d != nil {
			entries = len(d.Texts)
		}
		rng = kernel.Range{Known: true, Hi: max(int64(entries)-1, 0)}
	}
	if !rng.Known || rng.Lo > rng.Hi || uint64(rng.Hi)-uint64(rng.Lo) >= maxCells {
		return 0, 0, errInternal("key %q of a dense aggregation has no range", v.Name)
	}
	card = uint64(rng.Hi) - uint64(rng.Lo) + 1
	if v.Nullable {
		card++
	}
	return rng.Lo, card, nil
}

// keyBases gives what is subtracted from the keys of a hashed aggregation: the
// least value of their range or of their type.
func (r *run) keyBases(s *kernel.Aggregate) {
	for i, id := range s.Keys {
		v := &r.f.Values[id]
		lo := int64(0)
		switch {
		case v.Range.Known && v.Range.Lo <= v.Range.Hi:
			lo = v.Range.Lo
		case v.Type == kernel.I32:
			lo = math.MinInt32
		}
		r.set(cudagen.ArgKeyLo, i, uint64(lo))
	}
}

// fillTable aggregates into a table of so many slots.
func (r *run) fillTable(slots int64, s *kernel.Aggregate) (filled, error) {
	g := r.module.Groups
	r.newCells()
	keys, err := r.cells.alloc(8 * int64(g.KeyWords) * slots)
	if err != nil {
		return filled{}, err
	}
	if g.KeyWords == 1 {
		err = r.backend.device.Memory().Fill(keys, 0xff, 8*slots)
	} else {
		var used Ptr
		used, err = r.cells.zeroed(4 * slots)
		r.set(cudagen.ArgGroupState, 0, uint64(used))
	}
	if err != nil {
		return filled{}, err
	}
	r.set(cudagen.ArgGroupKeys, 0, uint64(keys))
	r.set(cudagen.ArgGroupCount, 0, uint64(r.status)+8*statusGroups)
	if err := r.clearStatus(); err != nil {
		return filled{}, err
	}
	if err := r.fillCells(slots, int64(s.Groups)); err != nil {
		return filled{}, err
	}
	status, err := r.readStatus()
	return r.filled(&status), err
}

// newCells makes room for cells, freeing those of an attempt before.
func (r *run) newCells() {
	if r.cells != nil {
		r.cells.release()
	}
	r.cells = r.backend.mem.newBuffers()
}

// fillCells allocates the accumulators of the cells and goes over the rows.
// likely is how many cells are likely to have rows, 0 for unknown.
func (r *run) fillCells(cells, likely int64) error {
	sizes := make([]int64, len(r.module.Groups.State))
	for i, width := range r.module.Groups.State {
		sizes[i] = int64(width) * cells
	}
	arrays, err := r.cells.allZeroed(sizes)
	if err != nil {
		return err
	}
	for i, p := range arrays {
		r.set(cudagen.ArgState, i, uint64(p))
	}
	r.set(cudagen.ArgCells, 0, uint64(cells))
	r.set(cudagen.ArgTurns, 0, 0)
	r.layout = r.layOut(cells, likely)
	h := r.layout.homes
	r.set(cudagen.ArgHomes, 0, uint64(h.homes))
	r.set(cudagen.ArgCopies, 0, uint64(h.copies))
	r.set(cudagen.ArgTagged, 0, uint64(h.tagged))
	r.set(cudagen.ArgSkip, 0, 0)
	r.set(cudagen.ArgCapacity, 0, 0)
	r.setOutputs(make([]column, len(r.module.Outputs)))
	if own := r.ownBytes(cells); own > 0 {
		turns := r.module.Groups.OwnTurns
		if most := r.backend.opts.OwnTurns; most > 0 {
			turns = min(turns, most)
		}
		r.set(cudagen.ArgTurns, 0, uint64(turns))
		r.set(cudagen.ArgFirstCell, 0, 0)
		r.set(cudagen.ArgRangeCells, 0, uint64(cells))
		_, err = r.overRows("own", own)
		return err
	}
	return r.overCells("aggregate")
}

// overCells starts an entry over all rows, once for each range of the cells.
func (r *run) overCells(entry string) error {
	l := &r.layout
	for first := int64(0); first < l.cells; first += l.span {
		r.set(cudagen.ArgFirstCell, 0, uint64(first))
		r.set(cudagen.ArgRangeCells, 0, uint64(min(l.span, l.cells-first)))
		if _, err := r.overRows(entry, int(l.homes.bytes(r.module.Groups))); err != nil {
			return err
		}
	}
	return nil
}

// ownBytes is the shared memory of a block whose threads have all cells of their
// own, or 0 where they are too many, or the module has no code for it.
func (r *run) ownBytes(cells int64) int {
	bytes := cells * int64(r.module.Groups.OwnBytes)
	if bytes > cudagen.MostOwn {
		return 0
	}
	return int(bytes)
}

// again goes over the rows once more where the accumulators ask for it.
func (r *run) again() error {
	if !r.module.Groups.Again {
		return nil
	}
	return r.overCells("again")
}

// readCells writes the groups to columns. There is room for so many at first;
// where there are more, they are counted and the entry runs again.
func (r *run) readCells(cells, room int64) ([]column, int64, error) {
	for {
		out, err := r.outputs(room)
		if err != nil {
			return nil, 0, err
		}
		r.set(cudagen.ArgCapacity, 0, uint64(room))
		r.setOutputs(out)
		status, err := r.finish(cells)
		if err != nil {
			releaseColumns(out)
			return nil, 0, err
		}
		rows := int64(status[statusCount])
		if rows <= room {
			return out, rows, nil
		}
		releaseColumns(out)
		room = rows
	}
}

// finish launches the last entry of an aggregation. An error that the one before
// it has recorded stays.
func (r *run) finish(cells int64) ([statusLength]uint64, error) {
	if err := r.backend.device.Memory().Fill(r.status+8*statusCount, 0, 8); err != nil {
		return [statusLength]uint64{}, err
	}
	if _, err := r.launch("finish", cells); err != nil {
		return [statusLength]uint64{}, err
	}
	return r.readStatus()
}
