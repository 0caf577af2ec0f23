package hash

import (
	"context"
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/join/packed"
	"github.com/cubeloom/cubeloom/runtime/cpu/keytable"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
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
func NewBuild(r *exec.Run, in *kernel.Build) exec.Sink {
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
	return s
}

// builder collects one worker's rows in blocks, for which bytes are charged.
type builder struct {
	rows   *exec.BlockBuilder
	blocks []runtime.Block
	bytes  int64
}

// Worker implements exec.Sink.
func (s *build) Worker(*exec.Worker) exec.SinkWorker {
	w := &builder{rows: exec.NewBlockBuilder(s.run, s.ids)}
	s.workers = append(s.workers, w)
	return w
}

// Consume implements exec.SinkWorker.
func (w *builder) Consume(b *vector.Batch) {
	rows := b.ActiveRows()
	if len(rows) == 0 {
		return
	}
	if w.rows.Full(len(rows)) {
		w.lend()
	}
	w.rows.Append(b, rows)
}

// lend makes a block of the last rows, which will be copied.
func (w *builder) lend() {
	block, bytes := w.rows.Lend()
	w.blocks, w.bytes = append(w.blocks, block), w.bytes+bytes
}

// seal makes the only block of all rows.
func (w *builder) seal() {
	block := w.rows.Seal()
	w.blocks, w.bytes = append(w.blocks, block), exec.BlockBytes(&block)
}

// Finish implements exec.Sink.
func (s *build) Finish(context.Context) exec.Result {
	blocks, collected := s.collected()
	t := &Table{}
	for i := range blocks {
		t.rows += blocks[i].Rows
	}
	if t.rows > maxBuildRows {
		panic(value.Errorf(value.CodeProgramLimit, "the build side of a join has more than %d rows", int64(maxBuildRows)))
	}
	s.plan(t)
	numbers := s.number(t, blocks)
	if t.table != nil {
		t.filter = keytable.FilterOf(t.table, &s.run.Mem)
	}
	order := t.arrange(s.run, numbers)
	spare.Release(s.run.Mem.Arrays, numbers)
	s.payload(t, blocks, order)
	s.discard(t, blocks, collected)
	spare.Release(s.run.Mem.Arrays, order)
	s.pack(t)
	bytes := t.bytes()
	sqlstate.Check(s.run.Mem.Grow(bytes - t.growth()))
	t.charge = s.run.Mem.HandOver(bytes, s.run.Mem.Arrays)
	res := exec.Result{Out: t, Rows: int64(t.rows), Bytes: bytes}
	if s.run.Opts.Explain && t.packed != nil {
		res.Taken = "columns of a row side by side"
	}
	return res
}

// collected returns the blocks of all workers, which have them no more, and how many bytes are
// charged for them.
func (s *build) collected() (all []runtime.Block, bytes int64) {
	n := 0
	for _, w := range s.workers {
		n += len(w.blocks) + min(w.rows.Rows, 1)
	}
	for _, w := range s.workers {
		switch {
		case w.rows.Rows == 0:
		case n > 1:
			w.lend()
		default:
			w.seal()
		}
		all, bytes = append(all, w.blocks...), bytes+w.bytes
		w.blocks = nil
	}
	return all, bytes
}

// discard forgets the blocks that were collected, but for columns that are those of t.
func (s *build) discard(t *Table, blocks []runtime.Block, bytes int64) {
	for i := range blocks {
		for _, c := range blocks[i].Cols {
			if !slices.Contains(t.cols, c) {
				vector.Discard(c, s.run.Mem.Arrays)
			}
		}
	}
	s.run.Mem.Shrink(bytes)
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
func (s *build) number(t *Table, blocks []runtime.Block) []uint32 {
	if len(s.in.Keys) == 0 {
		return nil
	}
	sqlstate.Check(s.run.Mem.Grow(int64(t.rows) * 4))
	numbers := spare.New[uint32](s.run.Mem.Arrays, t.rows)
	t.Ranges = newRanges(s.run.Kernel, s.in.Keys)
	var parts []buildRows
	at := 0
	for i := range blocks {
		keys := make([]*runtime.Chunk, len(s.keys))
		for k, col := range s.keys {
			keys[k] = blocks[i].Cols[col]
			t.Ranges[k].widen(keys[k])
		}
		for start := 0; start < blocks[i].Rows; start += sampledKeys {
			n := min(sampledKeys, blocks[i].Rows-start)
			parts = append(parts, buildRows{numbers[at : at+n], keys, start})
			at += n
		}
	}
	if t.dense != nil { // a row's cell depends on its keys only
		s.run.Each(len(parts), func(i int) { s.numberPart(t, parts[i]) })
		return numbers
	}
	done := 0
	for _, p := range parts {
		if done >= sampledKeys && t.table.Len() == done {
			t.table.Expect(t.rows)
		}
		s.numberPart(t, p)
		done += len(p.numbers)
	}
	return numbers
}

// sampledKeys is how many rows have to have different keys for all others to be
// taken to have: of keys that come several times some do so among the first.
const sampledKeys = 1 << 14

// buildRows are some rows of a block, the numbers of whose keys are to be found.
type buildRows struct {
	numbers []uint32
	keys    []*runtime.Chunk
	start   int // the first of them in the block
}

// numberPart numbers the keys of a part.
func (s *build) numberPart(t *Table, p buildRows) {
	if s.run.Ctx.Err() != nil {
		panic(exec.Canceled(s.run.Ctx))
	}
	k := keytable.NewBatch(&s.run.Mem)
	b := vector.Batch{Vals: make([]*vector.Vector, len(s.run.Kernel.Values))}
	keys := make([]vector.Vector, len(p.keys))
	operands := make([]*vector.Operand, len(p.keys))
	views := make([]vector.View, len(p.keys))
	refs := make([]*vector.View, len(p.keys))
	for i, key := range s.in.Keys {
		operands[i] = vector.NewOperand(s.run.Kernel, key.Val)
		refs[i] = &views[i]
	}
	for lo := 0; lo < len(p.numbers); lo += vector.DefaultRows {
		b.Rows = min(vector.DefaultRows, len(p.numbers)-lo)
		for i, chunk := range p.keys {
			keys[i] = vector.Vector{Type: chunk.Type, Raw: chunk, Start: p.start + lo}
			b.Vals[s.in.Keys[i].Val] = &keys[i]
			views[i] = operands[i].Read(&b)
		}
		numbers := p.numbers[lo : lo+b.Rows]
		if t.dense != nil {
			t.dense.cellsOf(numbers, refs)
			continue
		}
		t.assign(&k, numbers, refs)
	}
}

// assign numbers the keys of some rows in the hash table.
func (t *Table) assign(k *keytable.Batch, numbers []uint32, keys []*vector.View) {
	t.layout.Encode(k, len(numbers), keys, false)
	if k.Miss != nil {
		t.assignSome(k.Mem, numbers, keys)
		return
	}
	t.table.Assign(k, numbers)
}

// assignSome is assign where some rows have no key.
func (t *Table) assignSome(mem *exec.Memory, numbers []uint32, keys []*vector.View) {
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
	k := keytable.NewBatch(mem)
	out := make([]uint32, len(rows))
	t.layout.Encode(&k, len(rows), some, false)
	k.Miss = nil
	t.table.Assign(&k, out)
	for i, r := range rows {
		numbers[r] = out[i]
	}
}

// pack puts the payload of rows side by side where that pays and no probe reads runs of them.
func (s *build) pack(t *Table) {
	if !t.unique() {
		return
	}
	if t.packed = packed.Pack(s.run, t.cols, t.rows); t.packed == nil {
		return
	}
	t.cols = t.packed.Headers()
	s.run.Mem.Shrink(t.packed.Bytes()) // charged with the table
}

// payload makes the payload's columns, in the order of rows that is given (nil:
// as they were collected).
func (s *build) payload(t *Table, blocks []runtime.Block, order []int32) {
	t.cols = make([]*runtime.Chunk, len(s.in.Payload))
	s.run.Each(len(t.cols), func(i int) {
		var parts []*runtime.Chunk
		texts := int64(0)
		for j := range blocks {
			parts = append(parts, blocks[j].Cols[i])
			texts += int64(len(blocks[j].Cols[i].Bytes))
		}
		if texts > math.MaxUint32 {
			panic(value.Errorf(value.CodeProgramLimit, "a text column of the build side of a join has more than %d bytes", int64(math.MaxUint32)))
		}
		typ := s.run.Kernel.Values[s.ids[i]].Type
		// Joined and arranged, while the parts are still there.
		most := 2 * ((vector.ValueBytes(typ)+1)*int64(t.rows) + texts)
		sqlstate.Check(s.run.Mem.Grow(most))
		t.cols[i] = vector.Join(typ, parts, order, s.run.Mem.Arrays)
		s.run.Mem.Shrink(most)
	})
}
