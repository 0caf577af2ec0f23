package cpu

import (
	"sync/atomic"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// unmatched is the source of the rows of a hash table that no probe with Mark
// has matched, or of those that one has.
type unmatched struct {
	run  *run
	t    *hashTable
	in   *kernel.Unmatched
	next atomic.Int64 // row
}

// newUnmatched binds the source to its table.
func newUnmatched(r *run, in *kernel.Unmatched) (source, error) {
	t, ok := r.inputs[in.Input].(*hashTable)
	if !ok {
		return nil, internalf("kernel %s reads the unmatched rows of a %T", r.f.Name, r.inputs[in.Input])
	}
	for _, col := range in.Cols {
		t.provideDictionary(r, col)
	}
	if r.opts.Progress != nil {
		r.opts.Progress.RowsTotal.Add(int64(t.rows))
	}
	return &unmatched{run: r, t: t, in: in}, nil
}

// drive implements source.
func (u *unmatched) drive(w *worker) error {
	b := Batch{Vals: append([]*Vector(nil), w.vals...)}
	vecs := make([]Vector, len(u.in.Cols))
	for i, col := range u.in.Cols {
		vecs[i].Type = u.run.f.Values[col.Dst].Type
		b.Vals[col.Dst] = &vecs[i]
	}
	sel := make([]int32, 0, w.rows)
	for {
		at := int(u.next.Add(int64(w.rows))) - w.rows
		if at >= u.t.rows {
			return nil
		}
		if err := w.poll(); err != nil {
			return err
		}
		b.Rows = min(w.rows, u.t.rows-at)
		sel = sel[:0]
		for i := range b.Rows {
			if u.t.marked(at+i) == u.in.Matched {
				sel = append(sel, int32(i))
			}
		}
		b.Sel = sel
		for i, col := range u.in.Cols {
			v := &vecs[i]
			v.Raw, v.Start, v.At, v.Const, v.Null = u.t.cols[col.Ordinal], at, nil, false, nil
			v.Dict = v.Raw.Dict
		}
		w.morsel = int64(at)
		if len(sel) > 0 {
			if err := w.body(&b); err != nil {
				return err
			}
		}
		w.endMorsel(b.Rows)
	}
}
