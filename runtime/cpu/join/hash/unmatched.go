package hash

import (
	"sync/atomic"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/join/packed"
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
func NewUnmatched(r *exec.Run, in *kernel.Unmatched) exec.Source {
	t, ok := r.Inputs[in.Input].(*Table)
	if !ok {
		panic(exec.Internalf("kernel %s reads the unmatched rows of a %T", r.Kernel.Name, r.Inputs[in.Input]))
	}
	for _, col := range in.Cols {
		t.provideDictionary(r, col)
	}
	if r.Opts.Progress != nil {
		r.Opts.Progress.RowsTotal.Add(int64(t.rows))
	}
	return &unmatched{run: r, t: t, in: in}
}

// Drive implements exec.Source.
func (u *unmatched) Drive(w *exec.Worker) {
	b := vector.Batch{Vals: append([]*vector.Vector(nil), w.Vals...)}
	vecs := make([]vector.Vector, len(u.in.Cols))
	for i, col := range u.in.Cols {
		vecs[i].Type = u.run.Kernel.Values[col.Dst].Type
		b.Vals[col.Dst] = &vecs[i]
	}
	sel := make([]int32, 0, w.Rows)
	reader := u.reader(w.Rows)
	for {
		at := int(u.next.Add(int64(w.Rows))) - w.Rows
		if at >= u.t.rows {
			return
		}
		w.Poll()
		b.Rows = min(w.Rows, u.t.rows-at)
		sel = sel[:0]
		for i := range b.Rows {
			if u.t.marked(at+i) == u.in.Matched {
				sel = append(sel, int32(i))
			}
		}
		b.Sel = sel
		reader.begin(&b, at)
		for i, col := range u.in.Cols {
			v := &vecs[i]
			v.At, v.Const, v.Null = nil, false, nil
			v.Raw, v.Start = reader.column(&b, col.Ordinal, at)
			v.Dict = v.Raw.Dict
		}
		w.Morsel = int64(at)
		if len(sel) > 0 {
			w.Body(&b)
		}
		w.EndMorsel(b.Rows)
	}
}

// runReader reads rows of the table that follow each other.
type runReader struct {
	t      *Table
	packed *packed.Reader // nil: the columns have the values
	at     []int32        // by row of the batch: where it lies
}

func (u *unmatched) reader(rows int) *runReader {
	r := &runReader{t: u.t}
	if u.t.packed != nil {
		r.packed, r.at = u.t.packed.NewReader(), make([]int32, rows)
	}
	return r
}

// begin is called before the columns of a batch whose first row lies at first.
func (r *runReader) begin(b *vector.Batch, first int) {
	if r.packed == nil {
		return
	}
	for i := range b.Rows {
		r.at[i] = int32(first + i)
	}
	r.packed.Begin(b, r.at)
}

// column is a column, and where in it the first row of the batch lies.
func (r *runReader) column(b *vector.Batch, ordinal, first int) (*runtime.Chunk, int) {
	if r.packed == nil {
		return r.t.cols[ordinal], first
	}
	return r.packed.Column(ordinal, b, r.at), 0
}
