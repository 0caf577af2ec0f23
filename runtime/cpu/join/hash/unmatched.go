package hash

import (
	"sync/atomic"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// unmatched is the source of the rows of a hash table that no probe with Mark
// has matched, or of those that one has.
type unmatched struct {
	run  *exec.Run
	t    *Table
	in   *kernel.Unmatched
	next atomic.Int64 // row
}

// NewUnmatched binds the source to its table.
func NewUnmatched(r *exec.Run, in *kernel.Unmatched) (exec.Source, error) {
	t, ok := r.Inputs[in.Input].(*Table)
	if !ok {
		return nil, exec.Internalf("kernel %s reads the unmatched rows of a %T", r.Kernel.Name, r.Inputs[in.Input])
	}
	for _, col := range in.Cols {
		t.provideDictionary(r, col)
	}
	if r.Opts.Progress != nil {
		r.Opts.Progress.RowsTotal.Add(int64(t.rows))
	}
	return &unmatched{run: r, t: t, in: in}, nil
}

// Drive implements exec.Source.
func (u *unmatched) Drive(w *exec.Worker) error {
	b := vector.Batch{Vals: append([]*vector.Vector(nil), w.Vals...)}
	vecs := make([]vector.Vector, len(u.in.Cols))
	for i, col := range u.in.Cols {
		vecs[i].Type = u.run.Kernel.Values[col.Dst].Type
		b.Vals[col.Dst] = &vecs[i]
	}
	sel := make([]int32, 0, w.Rows)
	for {
		at := int(u.next.Add(int64(w.Rows))) - w.Rows
		if at >= u.t.rows {
			return nil
		}
		if err := w.Poll(); err != nil {
			return err
		}
		b.Rows = min(w.Rows, u.t.rows-at)
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
		w.Morsel = int64(at)
		if len(sel) > 0 {
			if err := w.Body(&b); err != nil {
				return err
			}
		}
		w.EndMorsel(b.Rows)
	}
}
