package hash

import (
	"context"
	"iter"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/keytable"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/value"
)

// build is the sink that makes a hash table. Workers collect rows; the table is
// made when their number is known.
type build struct {
	run     *exec.Run
	in      *kernel.Build
	ids     []kernel.ValueID // payload and then keys, each once
	keys    []int            // by key: its place in ids
	workers []*builder
}

// NewBuild plans the sink of in.
func NewBuild(r *exec.Run, in *kernel.Build) (exec.Sink, error) {
	s := &build{run: r, in: in, ids: append([]kernel.ValueID(nil), in.Payload...)}
	for _, k := range in.Keys {
		at := -1
		for i, id := range s.ids {
			if id == k.Val {
				at = i
			}
		}
		if at < 0 {
			at = len(s.ids)
			s.ids = append(s.ids, k.Val)
		}
		s.keys = append(s.keys, at)
	}
	return s, nil
}

// builder collects one worker's rows.
type builder struct{ list *exec.RowList }

// Worker implements exec.Sink.
func (s *build) Worker(*exec.Worker) (exec.SinkWorker, error) {
	w := &builder{list: &exec.RowList{Run: s.run, IDs: s.ids}}
	s.workers = append(s.workers, w)
	return w, nil
}

// Consume implements exec.SinkWorker.
func (w *builder) Consume(b *vector.Batch) error { return w.list.Append(b, b.ActiveRows()) }

// Finish implements exec.Sink.
func (s *build) Finish(context.Context) (exec.Result, error) {
	t := &Table{}
	for _, w := range s.workers {
		t.rows += w.list.Rows
	}
	if t.rows > maxBuildRows {
		return exec.Result{}, value.Errorf(value.CodeProgramLimit, "the build side of a join has more than %d rows", int64(maxBuildRows))
	}
	s.plan(t)
	numbers, err := s.number(t)
	if err != nil {
		return exec.Result{}, err
	}
	if t.table != nil {
		if t.filter, err = keytable.FilterOf(t.table, &s.run.Mem); err != nil {
			return exec.Result{}, err
		}
	}
	order, err := t.arrange(s.run, numbers)
	if err != nil {
		return exec.Result{}, err
	}
	if err := s.payload(t, order); err != nil {
		return exec.Result{}, err
	}
	bytes := t.bytes()
	if err := s.run.Mem.Grow(bytes - t.growth()); err != nil {
		return exec.Result{}, err
	}
	t.charge = s.run.Mem.HandOver(bytes)
	return exec.Result{Out: t, Rows: int64(t.rows), Bytes: bytes}, nil
}

// plan chooses how t finds keys.
func (s *build) plan(t *Table) {
	values := make([]kernel.Value, len(s.in.Keys))
	nullSafe := make([]bool, len(s.in.Keys))
	for i, k := range s.in.Keys {
		values[i], nullSafe[i] = s.run.Kernel.Values[k.Val], k.NullSafe
	}
	switch {
	case len(values) == 0:
	case s.in.Dense:
		t.dense = newDenseLookup(values, nullSafe)
	}
	if t.dense == nil && len(values) > 0 {
		t.layout = keytable.NewLayout(values, nullSafe)
		t.table = keytable.New(t.layout.Kind, &s.run.Mem)
	}
}

// number returns the number of each row's key, or nil where there are no keys.
func (s *build) number(t *Table) ([]uint32, error) {
	if len(s.in.Keys) == 0 {
		return nil, nil
	}
	if err := s.run.Mem.Grow(int64(t.rows) * 4); err != nil {
		return nil, err
	}
	numbers := make([]uint32, t.rows)
	t.Ranges = newRanges(s.run.Kernel, s.in.Keys)
	var parts []buildRows
	at := 0
	for buf := range s.buffers() {
		keys := make([]vector.View, len(s.keys))
		for i, col := range s.keys {
			o := vector.NewOperand(s.run.Kernel, s.ids[col])
			keys[i] = o.DecodedView(&buf.Cols[col], buf.Rows)
			t.Ranges[i].widen(&keys[i])
		}
		parts = append(parts, buildRows{numbers[at : at+buf.Rows], keys})
		at += buf.Rows
	}
	if t.dense != nil { // a row's cell depends on its keys only
		return numbers, s.run.Each(len(parts), func(i int) error { return s.numberPart(t, parts[i]) })
	}
	done := 0
	for _, p := range parts {
		if done >= sampledKeys && t.table.Len() == done {
			t.table.Expect(t.rows)
		}
		if err := s.numberPart(t, p); err != nil {
			return nil, err
		}
		done += len(p.numbers)
	}
	return numbers, nil
}

// sampledKeys is how many rows have to have different keys for all others to be
// taken to have: of keys that come several times some do so among the first.
const sampledKeys = 1 << 14

// buildRows are some rows, the numbers of whose keys are to be found.
type buildRows struct {
	numbers []uint32
	keys    []vector.View
}

// numberPart numbers the keys of a part.
func (s *build) numberPart(t *Table, p buildRows) error {
	if s.run.Ctx.Err() != nil {
		return exec.Canceled(s.run.Ctx)
	}
	k := keytable.Batch{Mem: &s.run.Mem}
	refs := make([]*vector.View, len(p.keys))
	some := make([]vector.View, len(p.keys))
	for lo := 0; lo < len(p.numbers); lo += vector.DefaultRows {
		hi := min(lo+vector.DefaultRows, len(p.numbers))
		for i := range p.keys {
			some[i] = p.keys[i].Slice(lo, hi)
			refs[i] = &some[i]
		}
		if t.dense != nil {
			t.dense.cellsOf(p.numbers[lo:hi], refs)
			continue
		}
		if err := t.assign(&k, p.numbers[lo:hi], refs); err != nil {
			return err
		}
	}
	return nil
}

// assign numbers the keys of some rows in the hash table.
func (t *Table) assign(k *keytable.Batch, numbers []uint32, keys []*vector.View) error {
	if err := t.layout.Encode(k, len(numbers), keys, false); err != nil {
		return err
	}
	if k.Miss != nil {
		return t.assignSome(k.Mem, numbers, keys)
	}
	return t.table.Assign(k, numbers)
}

// assignSome is assign where some rows have no key.
func (t *Table) assignSome(mem *exec.Memory, numbers []uint32, keys []*vector.View) error {
	vector.Fill(numbers, noKey)
	var rows []int32
	for i := range numbers {
		has := true
		for j, v := range keys {
			if v.Null != nil && v.Null[i] != 0 && !t.layout.Fields[j].NullSafe {
				has = false
			}
		}
		if has {
			rows = append(rows, int32(i))
		}
	}
	bufs := make([]vector.ViewBuffer, len(keys))
	some := make([]*vector.View, len(keys))
	for j, v := range keys {
		p := v.Pick(rows, &bufs[j])
		some[j] = &p
	}
	k := keytable.Batch{Mem: mem}
	out := make([]uint32, len(rows))
	if err := t.layout.Encode(&k, len(rows), some, false); err != nil {
		return err
	}
	k.Miss = nil
	if err := t.table.Assign(&k, out); err != nil {
		return err
	}
	for i, r := range rows {
		numbers[r] = out[i]
	}
	return nil
}

// payload makes the payload's columns, in the order of rows that is given (nil:
// as they were collected), and forgets what the workers collected.
func (s *build) payload(t *Table, order []int32) error {
	t.cols = make([]*runtime.Chunk, len(s.in.Payload))
	err := s.run.Each(len(t.cols), func(i int) (err error) {
		var parts []*vector.Vector
		for buf := range s.buffers() {
			parts = append(parts, &buf.Cols[i])
		}
		typ := s.run.Kernel.Values[s.ids[i]].Type
		// Joined, arranged and encoded, while the parts are still there.
		most := 3*(vector.ValueBytes(typ)+1)*int64(t.rows) + exec.AllTexts(parts)
		if err := s.run.Mem.Grow(most); err != nil {
			return err
		}
		defer s.run.Mem.Shrink(most)
		t.cols[i], err = exec.EncodeJoined(typ, parts, t.rows, order)
		for _, p := range parts {
			*p = vector.Vector{}
		}
		return err
	})
	for _, w := range s.workers {
		for _, buf := range w.list.Bufs {
			buf.Release()
		}
		w.list = nil
	}
	return err
}

// buffers goes through what the workers collected.
func (s *build) buffers() iter.Seq[*exec.RowBuffer] {
	return func(yield func(*exec.RowBuffer) bool) {
		for _, w := range s.workers {
			for _, buf := range w.list.Bufs {
				if !yield(buf) {
					return
				}
			}
		}
	}
}
