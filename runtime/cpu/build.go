package cpu

import (
	"context"
	"iter"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

// build is the sink that makes a hash table. Workers collect rows; the table is
// made when their number is known.
type build struct {
	run     *run
	in      *kernel.Build
	ids     []kernel.ValueID // payload and then keys, each once
	keys    []int            // by key: its place in ids
	workers []*builder
}

// newBuild plans the sink of in.
func newBuild(r *run, in *kernel.Build) (sink, error) {
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
type builder struct{ list *rowList }

// worker implements sink.
func (s *build) worker(*worker) (sinkWorker, error) {
	w := &builder{list: &rowList{run: s.run, ids: s.ids}}
	s.workers = append(s.workers, w)
	return w, nil
}

// consume implements sinkWorker.
func (w *builder) consume(b *Batch) error { return w.list.append(b, b.rows()) }

// finish implements sink.
func (s *build) finish(context.Context) (result, error) {
	t := &hashTable{}
	for _, w := range s.workers {
		t.rows += w.list.rows
	}
	if t.rows > maxBuildRows {
		return result{}, value.Errorf(value.CodeProgramLimit, "the build side of a join has more than %d rows", int64(maxBuildRows))
	}
	s.plan(t)
	numbers, err := s.number(t)
	if err != nil {
		return result{}, err
	}
	order, err := t.arrange(s.run, numbers)
	if err != nil {
		return result{}, err
	}
	if err := s.payload(t, order); err != nil {
		return result{}, err
	}
	bytes := t.bytes()
	if err := s.run.mem.grow(bytes - t.growth()); err != nil {
		return result{}, err
	}
	t.charge = s.run.mem.handOver(bytes)
	return result{out: t, rows: int64(t.rows), bytes: bytes}, nil
}

// plan chooses how t finds keys.
func (s *build) plan(t *hashTable) {
	values := make([]kernel.Value, len(s.in.Keys))
	nullSafe := make([]bool, len(s.in.Keys))
	for i, k := range s.in.Keys {
		values[i], nullSafe[i] = s.run.f.Values[k.Val], k.NullSafe
	}
	switch {
	case len(values) == 0:
	case s.in.Dense:
		t.dense = newDenseLookup(values, nullSafe)
	}
	if t.dense == nil && len(values) > 0 {
		t.layout = newKeyLayout(values, nullSafe)
		t.table = newKeyTable(t.layout.kind, &s.run.mem)
	}
}

// number returns the number of each row's key, or nil where there are no keys.
func (s *build) number(t *hashTable) ([]uint32, error) {
	if len(s.in.Keys) == 0 {
		return nil, nil
	}
	if err := s.run.mem.grow(int64(t.rows) * 4); err != nil {
		return nil, err
	}
	numbers := make([]uint32, t.rows)
	t.ranges = newRanges(s.run.f, s.in.Keys)
	var parts []buildRows
	at := 0
	for buf := range s.buffers() {
		keys := make([]view, len(s.keys))
		for i, col := range s.keys {
			o := newOperand(s.run.f, s.ids[col])
			keys[i] = o.decodedView(&buf.cols[col], buf.rows)
			t.ranges[i].widen(&keys[i])
		}
		parts = append(parts, buildRows{numbers[at : at+buf.rows], keys})
		at += buf.rows
	}
	if t.dense != nil { // a row's cell depends on its keys only
		return numbers, s.run.each(len(parts), func(i int) error { return s.numberPart(t, parts[i]) })
	}
	done := 0
	for _, p := range parts {
		if done >= sampledKeys && t.table.len() == done {
			t.table.expect(t.rows)
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
	keys    []view
}

// numberPart numbers the keys of a part.
func (s *build) numberPart(t *hashTable, p buildRows) error {
	if s.run.ctx.Err() != nil {
		return canceled(s.run.ctx)
	}
	k := keyBatch{mem: &s.run.mem}
	refs := make([]*view, len(p.keys))
	some := make([]view, len(p.keys))
	for lo := 0; lo < len(p.numbers); lo += DefaultVectorRows {
		hi := min(lo+DefaultVectorRows, len(p.numbers))
		for i := range p.keys {
			some[i] = p.keys[i].slice(lo, hi)
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
func (t *hashTable) assign(k *keyBatch, numbers []uint32, keys []*view) error {
	if err := t.layout.encode(k, len(numbers), keys, false); err != nil {
		return err
	}
	if k.miss != nil {
		return t.assignSome(k.mem, numbers, keys)
	}
	return t.table.assign(k, numbers)
}

// assignSome is assign where some rows have no key.
func (t *hashTable) assignSome(mem *memory, numbers []uint32, keys []*view) error {
	fill(numbers, noKey)
	var rows []int32
	for i := range numbers {
		has := true
		for j, v := range keys {
			if v.null != nil && v.null[i] != 0 && !t.layout.fields[j].nullSafe {
				has = false
			}
		}
		if has {
			rows = append(rows, int32(i))
		}
	}
	bufs := make([]viewBuffer, len(keys))
	some := make([]*view, len(keys))
	for j, v := range keys {
		p := v.pick(rows, &bufs[j])
		some[j] = &p
	}
	k := keyBatch{mem: mem}
	out := make([]uint32, len(rows))
	if err := t.layout.encode(&k, len(rows), some, false); err != nil {
		return err
	}
	k.miss = nil
	if err := t.table.assign(&k, out); err != nil {
		return err
	}
	for i, r := range rows {
		numbers[r] = out[i]
	}
	return nil
}

// payload makes the payload's columns, in the order of rows that is given (nil:
// as they were collected), and forgets what the workers collected.
func (s *build) payload(t *hashTable, order []int32) error {
	t.cols = make([]*runtime.Chunk, len(s.in.Payload))
	err := s.run.each(len(t.cols), func(i int) (err error) {
		var parts []*Vector
		for buf := range s.buffers() {
			parts = append(parts, &buf.cols[i])
		}
		typ := s.run.f.Values[s.ids[i]].Type
		// Joined, arranged and encoded, while the parts are still there.
		most := 3*(valueBytes(typ)+1)*int64(t.rows) + allTexts(parts)
		if err := s.run.mem.grow(most); err != nil {
			return err
		}
		defer s.run.mem.shrink(most)
		t.cols[i], err = encodeJoined(typ, parts, t.rows, order)
		for _, p := range parts {
			*p = Vector{}
		}
		return err
	})
	for _, w := range s.workers {
		for _, buf := range w.list.bufs {
			buf.release()
		}
		w.list = nil
	}
	return err
}

// buffers goes through what the workers collected.
func (s *build) buffers() iter.Seq[*rowBuffer] {
	return func(yield func(*rowBuffer) bool) {
		for _, w := range s.workers {
			for _, buf := range w.list.bufs {
				if !yield(buf) {
					return
				}
			}
		}
	}
}
