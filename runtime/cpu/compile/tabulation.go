package compile

import (
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// tabulation is a value of a kernel that is looked up by its roots. Before, a worker computes it
// for as many rows as the table has entries, so that the table costs at most as much again.
type tabulation struct {
	c     *Compiler
	id    kernel.ValueID
	roots []root
	steps []exec.Step // compute it
	size  int         // entries of the table: 0 of each root is for NULL
	left  int         // rows to be computed before the table is made

	results *vector.Vector // by entry; nil: there is no table
	charged int64          // bytes of the table, or of the one before
	null    []uint8        // by entry: where the result is NULL; nil: nowhere
	entries []uint32       // by row: its entry less one, as LookUp has it
	dst     *vector.Vector
}

// root is one of the values that a tabulation is looked up by.
type root struct {
	id    kernel.ValueID
	lo    int64
	slots int                 // one for NULL and one for each value from lo on
	arg   *vector.Vector      // its values in the batch at hand
	dict  *runtime.Dictionary // of a code: the longest so far, of which the table is made
}

// newTabulation compiles what computes a value of its roots.
func (c *Compiler) newTabulation(id kernel.ValueID, roots []kernel.ValueID, part kernel.Block) *tabulation {
	steps := make([]exec.Step, len(part))
	c.tabulating = true
	for i, in := range part {
		steps[i] = c.instr(in).Step
	}
	c.tabulating = false
	t := &tabulation{c: c, id: id, steps: steps, size: 1, dst: c.define(id)}
	for _, id := range roots {
		r := c.Kernel.Values[id].Range
		t.roots = append(t.roots, root{id: id, lo: r.Lo, slots: int(r.Hi-r.Lo) + 2})
		t.size *= int(r.Hi-r.Lo) + 2
	}
	t.left = t.size
	return t
}

// run defines the value for a batch.
func (t *tabulation) run(b *vector.Batch) {
	constant := true
	for k := range t.roots {
		r := &t.roots[k]
		r.arg = b.Value(r.id)
		constant = constant && r.arg.Const
		if longest := vector.Longer(r.dict, r.arg.Dict); texts(longest) > texts(r.dict) { // the table, if there is one, lacks some
			r.dict, t.left, t.results = longest, max(t.left, t.size), nil
		}
	}
	if constant || t.left > 0 || t.results == nil && !t.build(b) {
		t.left -= min(t.left, b.Active())
		t.compute(b)
		return
	}
	t.lookUp(b)
	b.Vals[t.id] = t.dst
}

// compute computes the value for a batch.
func (t *tabulation) compute(b *vector.Batch) {
	for _, step := range t.steps {
		step(b)
	}
}

// texts is how many texts a dictionary, nil for none, has.
func texts(d *runtime.Dictionary) int {
	if d == nil {
		return 0
	}
	return len(d.Texts)
}

// lookUp looks the value of the active rows up.
func (t *tabulation) lookUp(b *vector.Batch) {
	if len(t.entries) < b.Rows {
		t.entries = make([]uint32, b.Rows)
	}
	rows := b.ActiveRows()
	for k := range t.roots {
		r := &t.roots[k]
		switch r.arg.Type {
		case kernel.I32:
			place(t.entries, vector.Of[int32](r.arg), r, rows, k == 0)
		case kernel.I64:
			place(t.entries, vector.Of[int64](r.arg), r, rows, k == 0)
		case kernel.Code:
			place(t.entries, vector.Of[uint32](r.arg), r, rows, k == 0)
		}
	}
	t.dst.Vals.LookUp(t.results.Vals, t.entries, nil, rows)
	if t.dst.Null = nil; t.null == nil {
		return
	}
	buf := t.dst.Buffer()
	if len(buf.Null) < b.Rows {
		buf.Null = make([]uint8, b.Rows)
	}
	t.dst.Null = buf.Null[:b.Rows]
	for _, i := range rows {
		t.dst.Null[i] = t.null[t.entries[i]+1]
	}
}

// place goes on from the entries of rows by the roots before to those by this one too.
func place[T vector.Integer](entries []uint32, vals []T, r *root, rows []int32, first bool) {
	lo, slots, mask, null := uint32(r.lo), uint32(r.slots), int32(r.arg.Mask()), r.arg.Null
	if first && null == nil && mask != 0 {
		for _, i := range rows {
			entries[i] = uint32(vals[i]) - lo
		}
		return
	}
	for _, i := range rows {
		slot := uint32(vals[i&mask]) - lo + 1
		if null != nil && null[i&mask] != 0 {
			slot = 0
		}
		if !first {
			slot += (entries[i] + 1) * slots
		}
		entries[i] = slot - 1
	}
}

// build makes the table. It is false where there is to be none, since the value of an entry, which
// no row need have, is an error.
func (t *tabulation) build(b *vector.Batch) bool {
	typ, rows := t.c.Kernel.Values[t.id].Type, t.c.Worker.Rows
	t.c.Worker.Run.Mem.Shrink(t.charged)
	t.charged = 0
	t.charge(int64(t.size) * (1 + vector.ValueBytes(typ)))
	t.results, t.null = vector.New(typ, t.size), nil
	part := vector.Batch{Vals: slices.Clone(b.Vals)}
	for first := 0; first < t.size; first += rows {
		part.Rows, part.Sel = min(rows, t.size-first), nil
		t.setRoots(&part, first)
		err := sqlstate.Run(func() { t.compute(&part) })
		if _, user := err.(*value.Error); err != nil && !user {
			panic(err)
		}
		if err != nil {
			t.left, t.results = math.MaxInt, nil
			return false
		}
		t.keep(&part, first)
	}
	if typ == kernel.Str {
		bytes := 0
		for _, text := range vector.Of[string](t.results) {
			bytes += len(text)
		}
		t.charge(int64(bytes))
	}
	return true
}

// charge charges memory of the table.
func (t *tabulation) charge(bytes int64) {
	sqlstate.Check(t.c.Worker.Run.Mem.Grow(bytes))
	t.charged += bytes
}

// setRoots has the rows of a batch be the entries from first on.
func (t *tabulation) setRoots(b *vector.Batch, first int) {
	stride := t.size
	for k := range t.roots {
		r := &t.roots[k]
		stride /= r.slots
		v := vector.New(r.arg.Type, b.Rows)
		v.Null, v.Dict = make([]uint8, b.Rows), r.dict
		for i := range b.Rows {
			x := int64((first+i)/stride%r.slots) - 1
			if x < 0 || v.Type == kernel.Code && x+r.lo >= int64(texts(r.dict)) {
				v.Null[i] = 1
				continue
			}
			setInteger(v, i, x+r.lo)
		}
		b.Vals[r.id] = v
	}
}

// setInteger sets row i of a vector of integers or codes.
func setInteger(v *vector.Vector, i int, x int64) {
	switch v.Type {
	case kernel.I32:
		vector.Of[int32](v)[i] = int32(x)
	case kernel.I64:
		vector.Of[int64](v)[i] = x
	case kernel.Code:
		vector.Of[uint32](v)[i] = uint32(x)
	}
}

// keep copies what was computed of the entries from first on into the table.
func (t *tabulation) keep(b *vector.Batch, first int) {
	v, rows := b.Value(t.id), vector.Identity(b.Rows)
	at := vector.Upwards(make([]uint32, b.Rows), uint32(first))
	vector.PutValues(t.results, v, rows, at)
	for i := range rows {
		if v.IsNull(i) {
			if t.null == nil {
				t.null = make([]uint8, t.size)
			}
			t.null[first+i] = 1
		}
	}
}
