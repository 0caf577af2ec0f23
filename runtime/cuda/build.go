package cuda

import (
	"math"
	"math/bits"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/value"
	"github.com/cubeloom/cubeloom/runtime"
)

// build runs a Build. A table whose payload lies at the cells of the keys is
// tried first where the keys are dense; where a key turns out to have several
// rows, or a row no key, the rows are chained.
func (r *run) build(s *kernel.Build) (runtime.Output, error) {
	t := r.newTable(s)
	err := r.buildTable(t, s)
	if err != nil {
		t.free()
		return nil, err
	}
	for i, id := range s.Payload {
		if v := &r.f.Values[id]; v.Type == kernel.Code {
			t.cols[i].dict = r.dicts[v.Dict]
		}
	}
	r.metrics.RowsOut, r.metrics.BytesWritten = t.rows, t.bytes()
	return t, nil
}

// newTable makes a table without memory.
func (r *run) newTable(s *kernel.Build) *table {
	t := &table{backend: r.backend, held: r.backend.mem.newBuffers(), keys: make([]tableKey, len(s.Keys))}
	t.shape.Payload, t.shape.Keys = r.module.Outputs, keyShapes(r.f, s)
	for i, k := range s.Keys {
		v := &r.f.Values[k.Val]
		t.keys[i].lo, t.keys[i].extent, _ = cudagen.KeyRange(v)
		at := func(kind cudagen.ArgKind, word int64) {
			r.words[cudagen.Arg{Kind: kind, Input: tableOutput, Index: i}] = uint64(word)
		}
		at(cudagen.ArgTableLo, t.keys[i].lo)
		at(cudagen.ArgTableExtent, t.keys[i].extent)
	}
	r.set(cudagen.ArgDuplicates, 0, uint64(r.status)+8*statusDups)
	r.set(cudagen.ArgLoose, 0, uint64(r.status)+8*statusLoose)
	r.set(cudagen.ArgSkip, 0, 0)
	return t
}

// keyShapes are the shapes of the keys of a table that is built.
func keyShapes(f *kernel.Func, s *kernel.Build) []cudagen.KeyShape {
	shapes := make([]cudagen.KeyShape, len(s.Keys))
	for i, k := range s.Keys {
		v := &f.Values[k.Val]
		shapes[i] = cudagen.KeyShape{Type: v.Type, Null: k.NullSafe && v.Nullable}
	}
	return shapes
}

// tableOutput stands, in place of an input's number, for the table that is
// built.
const tableOutput = -1

func (r *run) buildTable(t *table, s *kernel.Build) error {
	room := r.likelyRows(s)
	var err error
	switch {
	case r.module.Layout == cudagen.LayoutCells:
		var done bool
		if done, room, err = r.buildCells(t); done || err != nil {
			return err
		}
		if err := r.reload(); err != nil {
			return err
		}
		t.shape.Payload = r.module.Outputs
	case room == 0:
		if room, err = r.countRows(t); err != nil {
			return err
		}
	}
	rows, err := r.chainRows(t, room)
	if rows <= room || err != nil {
		return err
	}
	if err := r.startOver(t); err != nil {
		return err
	}
	_, err = r.chainRows(t, rows)
	return err
}

// likelyRows is for how many rows to make room before they are counted, or 0 to
// count them first.
func (r *run) likelyRows(s *kernel.Build) int64 {
	likely := s.Rows*1.5 + 1024
	if s.Rows <= 0 || r.sourceRows() <= r.backend.opts.FewSourceRows || likely > float64(r.sourceRows()) {
		return 0
	}
	return int64(likely)
}

// startOver undoes an attempt with too little room.
func (r *run) startOver(t *table) error {
	releaseColumns(t.cols)
	t.held.release()
	t.cols, t.held = nil, r.backend.mem.newBuffers()
	t.slots, t.next, t.words = 0, 0, 0
	return r.clearStatus()
}

// reload renders the kernel anew, for a table that is not of cells.
func (r *run) reload() error {
	if err := r.render(renderChain); err != nil {
		return err
	}
	return r.clearStatus()
}

// buildCells tries to build a table of cells; where it is none it gives the
// number of rows.
func (r *run) buildCells(t *table) (done bool, rows int64, err error) {
	cells := t.cells()
	held := r.backend.mem.newBuffers()
	defer func() {
		if !done {
			held.release()
			releaseColumns(t.cols)
			t.cols = nil
		}
	}()
	slots, err := held.zeroed((cells + 31) / 32 * 4)
	if err != nil {
		return false, 0, err
	}
	if t.cols, err = r.outputs(cells); err != nil {
		return false, 0, err
	}
	r.setOutputs(t.cols)
	r.words[cudagen.Arg{Kind: cudagen.ArgTableSlots, Input: tableOutput}] = uint64(slots)
	if _, err := r.overRows("build", 0); err != nil {
		return false, 0, err
	}
	s, err := r.readStatus()
	if err != nil {
		return false, 0, err
	}
	rows = int64(s[statusCount])
	if s[statusDups]+s[statusLoose] > 0 {
		return false, rows, nil
	}
	t.held.release()
	t.held, t.slots, t.rows, t.places = held, slots, rows, cells
	t.shape.Layout, t.shape.Unique = cudagen.LayoutCells, true
	return true, rows, nil
}

// countRows counts the rows that the body leaves.
func (r *run) countRows(t *table) (int64, error) {
	r.set(cudagen.ArgCapacity, 0, 0)
	r.setTable(t)
	r.setOutputs(make([]column, len(r.module.Outputs)))
	if _, err := r.overRows("count", 0); err != nil {
		return 0, err
	}
	s, err := r.readStatus()
	if err != nil {
		return 0, err
	}
	return int64(s[statusCount]), r.clearStatus()
}

// chainRows builds a table with room for so many rows and gives how many there
// are, which may be more.
func (r *run) chainRows(t *table, room int64) (int64, error) {
	if room >= math.MaxInt32 {
		return 0, value.Errorf(value.CodeProgramLimit, "the build side of a join has more than %d rows", int64(math.MaxInt32-1))
	}
	t.rows, t.shape.Layout = room, r.module.Layout
	var err error
	if t.cols, err = r.outputs(room); err != nil {
		return 0, err
	}
	r.setOutputs(t.cols)
	if err := r.reserveIndex(t); err != nil {
		return 0, err
	}
	r.set(cudagen.ArgCapacity, 0, uint64(room))
	r.setTable(t)
	if _, err := r.overRows("build", 0); err != nil {
		return 0, err
	}
	s, err := r.readStatus()
	if err != nil {
		return 0, err
	}
	rows := int64(s[statusCount])
	t.rows, t.places = rows, rows
	t.shape.Unique = s[statusDups] == 0
	if t.shape.Layout == cudagen.LayoutAll {
		t.shape.Unique = rows <= 1
	}
	return rows, nil
}

// setTable gives the arguments of the table that is built.
func (r *run) setTable(t *table) {
	at := func(kind cudagen.ArgKind, word uint64) {
		r.words[cudagen.Arg{Kind: kind, Input: tableOutput}] = word
	}
	at(cudagen.ArgTableSlots, uint64(t.slots))
	at(cudagen.ArgTableMask, t.mask)
	at(cudagen.ArgTableNext, uint64(t.next))
	at(cudagen.ArgTableKeys, uint64(t.words))
}

// reserveIndex allocates what finds the rows of a key.
func (r *run) reserveIndex(t *table) (err error) {
	t.held.keep(r.texts)
	if t.shape.Layout == cudagen.LayoutAll {
		return nil
	}
	if t.next, err = t.held.alloc(max(4*t.rows, 4)); err != nil {
		return err
	}
	width, slots := int64(4), int64(1)<<bits.Len64(uint64(2*max(t.rows, 1)-1))
	switch t.shape.Layout {
	case cudagen.LayoutDense:
		slots = t.cells()
	case cudagen.LayoutNarrow:
		width = 8
	case cudagen.LayoutWide:
		words := int64(cudagen.WideKeyWords(t.shape.Keys))
		if t.words, err = t.held.alloc(max(8*words*t.rows, 8)); err != nil {
			return err
		}
	}
	t.mask = uint64(slots - 1)
	t.slots, err = t.held.zeroed(slots * width)
	return err
}

// cells is the number of cells of a table of dense keys.
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
