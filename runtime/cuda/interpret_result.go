package cuda

import (
	"math"
	"slices"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/runtime"
)

// result makes the output of what a plan ends with.
func (x *interpreter) result(s launch.Stmt) error {
	switch s := s.(type) {
	case *launch.Rows:
		for i := range s.Texts {
			if err := x.keepTexts(s.Buffer, &s.Texts[i]); err != nil {
				return err
			}
		}
		rel := x.relation(x.takeColumns(s.Buffer), x.eval(s.Rows))
		if err := rel.brought(x.brought); err != nil {
			discard(x.queue, rel)
			return err
		}
		x.out = x.measured(rel)
	case *launch.Relations:
		return x.relations(s.Count)
	case *launch.Table:
		x.out = x.table(s)
	case *launch.Groups:
		x.out = x.groups(s)
	case *launch.Fallback:
		x.fallsBack, x.counted = true, x.eval(s.Room)
	case *launch.Complete:
		x.done = true
		if s.Array != launch.None {
			x.sampled = x.arrays[s.Array]
		}
	}
	return nil
}

// keepTexts has a column of a buffer keep texts that it refers to.
func (x *interpreter) keepTexts(buffer int, s *launch.Texts) error {
	h := &x.held[s.Buffer]
	if err := checkAddress(h.parts[0], h.mem.bytes); err != nil {
		return err
	}
	texts := x.backend.mem.newBuffers()
	texts.length = int(x.eval(s.Longest))
	x.takeInto(texts, s.Buffer)
	x.held[buffer].cols[s.Column].held.keep([]*buffers{texts})
	texts.release(x.queue) // the column has a share
	return nil
}

// takeColumns takes columns out of the plan's buffers.
func (x *interpreter) takeColumns(buffer int) []column {
	cols := x.held[buffer].cols
	x.held[buffer].cols = nil
	return x.withDictionaries(cols, x.plan.Buffers[buffer].First)
}

// withDictionaries notes what the codes of columns mean, of those of the kernel from the first on.
func (x *interpreter) withDictionaries(cols []column, first int) []column {
	for i, id := range x.module.Results[first : first+len(cols)] {
		if v := &x.f.Values[id]; v.Type == kernel.Code {
			cols[i].dict = x.dicts[v.Dict]
		}
	}
	return cols
}

// keep keeps columns as a relation for the end.
func (x *interpreter) keep(s *launch.Keep) {
	number := int(x.eval(s.Number))
	x.keepUpTo(number + 1)
	x.kept[number] = x.relation(x.takeColumns(s.Buffer), x.eval(s.Rows))
	x.written = append(x.written, number)
}

// keepUpTo makes room for so many relations.
func (x *interpreter) keepUpTo(n int) {
	x.kept = append(x.kept, make([]*relation, max(n-len(x.kept), 0))...)
}

// handOver hands over the relations that are complete now that all that was started has ended, but for
// those that one copy brings to the host.
func (x *interpreter) handOver() {
	for _, number := range x.written {
		if rel := x.kept[number]; x.opts.Made != nil && !rel.few() {
			x.opts.Made(number, rel)
		}
	}
	x.written = x.written[:0]
}

// dropKept releases what was kept for a result that there will not be. Who copies some of it to the
// host is waited for.
func (x *interpreter) dropKept() {
	_ = x.settle() // after an error nothing runs any more
	for _, rel := range x.kept {
		if rel != nil {
			discard(x.queue, rel)
		}
	}
}

// relations are those that were kept, with others without rows.
func (x *interpreter) relations(count int) error {
	x.keepUpTo(count)
	for i := range x.kept {
		if x.kept[i] != nil {
			continue
		}
		cols, err := x.outputs(0, len(x.module.Outputs), 0)
		if err != nil {
			return err
		}
		x.kept[i] = x.relation(x.withDictionaries(cols, 0), 0)
	}
	var out runtime.Results
	for _, rel := range x.kept {
		out = append(out, x.measured(rel))
	}
	x.out, x.kept = out, nil
	return nil
}

// relation makes a relation of columns.
func (x *interpreter) relation(cols []column, rows int64) *relation {
	return newRelation(x.ctx, x.backend.mem, x.opts.Account, rows, cols)
}

// measured adds what writing a relation has cost.
func (x *interpreter) measured(rel *relation) *relation {
	for i := range rel.cols {
		x.metrics.BytesWritten += rel.cols[i].held.bytes
	}
	x.metrics.RowsOut += int64(rel.rows)
	return rel
}

// table makes a hash table.
func (x *interpreter) table(s *launch.Table) runtime.Output {
	t := &table{
		held: x.backend.mem.newBuffers(), rows: x.eval(s.Rows), places: x.eval(s.Places), mask: uint64(x.eval(s.Mask)),
	}
	t.shares.Store(1)
	t.shape = cudagen.TableShape{Layout: x.module.Layout, Unique: x.eval(s.Unique) != 0, Payload: x.module.Outputs}
	if build, ok := x.f.Sink.(*kernel.Build); ok {
		t.shape.Keys = keyShapes(x.f, build)
		for _, k := range build.Keys {
			var key tableKey
			key.lo, key.extent, _ = cudagen.KeyRange(&x.f.Values[k.Val])
			t.keys = append(t.keys, key)
		}
	}
	if s.Keys != nil {
		t.spread = &cudagen.Spread{Keys: x.eval(s.Keys), Rows: t.rows, Longest: x.eval(s.Longest), Squares: float64(x.eval(s.Squares))}
	}
	t.bounds = make([]keyBounds, len(t.keys))
	for _, b := range s.Bounds {
		lo, hi := ^x.eval(b.Min)^math.MinInt64, x.eval(b.Max)^math.MinInt64
		t.bounds[b.Key] = keyBounds{lo, hi, true}
	}
	t.held.keep(x.texts)
	t.slots, t.ends, t.words = x.takeInto(t.held, s.Slots), x.takeInto(t.held, s.Ends), x.takeInto(t.held, s.Words)
	t.cols = x.takeColumns(s.Buffer)
	x.metrics.RowsOut, x.metrics.BytesWritten = t.rows, t.bytes()
	return t
}

// groups makes the groups that a plan leaves in cells.
func (x *interpreter) groups(s *launch.Groups) runtime.Output {
	g := &groups{backend: x.backend, shape: x.module.Groups, cells: x.eval(s.Cells), held: x.backend.mem.newBuffers()}
	g.shares.Store(1)
	if s.Groups != nil {
		g.filled = x.eval(s.Groups)
	}
	if x.phases != nil {
		x.phases.cells, x.phases.inCells = g.cells, true
	}
	g.held.keep(x.texts)
	for i := range s.Words {
		if word := &s.Words[i]; word.X != nil {
			g.words = append(g.words, uint64(x.eval(word.X)))
		} else {
			g.words = append(g.words, uint64(x.place(&word.Ref)))
		}
	}
	for i := range s.Words {
		if s.Words[i].X == nil {
			g.take(&x.held[s.Words[i].Ref.Buffer])
		}
	}
	agg := x.f.Sink.(*kernel.Aggregate)
	ids := slices.Clone(agg.Keys)
	for i := range agg.Accs {
		ids = append(ids, agg.Accs[i].Dst...)
	}
	for _, id := range ids {
		g.dicts, g.texts = append(g.dicts, x.dictionary(id)), append(g.texts, x.textsOf(id))
	}
	x.metrics.RowsOut = min(g.filled, g.cells) // groups of each replica are counted
	return g
}

// takeInto has a buffer of one part be memory of others, and returns where it is.
func (x *interpreter) takeInto(to *buffers, buffer int) Ptr {
	if buffer == launch.None {
		return 0
	}
	h := &x.held[buffer]
	to.take(h.mem)
	return h.parts[0]
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
