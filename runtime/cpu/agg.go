package cpu

import (
	"context"
	"fmt"
	"sync"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// aggregate is the sink that groups rows. Each worker aggregates its rows on
// its own; the parts are merged at the end.
type aggregate struct {
	run     *run
	in      *kernel.Aggregate
	ids     []kernel.ValueID // the operands: keys, arguments and filters, each once
	keys    []int            // operands
	specs   []accSpec        // accumulators to keep
	results []int            // by Acc of the kernel: the spec that it is the result of
	shown   []int            // by key: the spec that keeps what it looks like, or -1
	dense   *denseKeys       // how groups are numbered where the strategy is Dense
	layout  *keyLayout       // how keys are put together where it is Hash
	most    int              // groups of a worker's hash table, before rows are partitioned
	workers []*aggregator
	planned sync.Once
	err     error // of planning
}

// newAggregate plans the sink of in.
func newAggregate(r *run, in *kernel.Aggregate) (sink, error) {
	a := &aggregate{run: r, in: in}
	for _, id := range in.Keys {
		a.keys = append(a.keys, a.operand(id))
		a.shown = append(a.shown, -1)
	}
	for i := range in.Accs {
		spec, err := a.spec(&in.Accs[i])
		if err != nil {
			return nil, err
		}
		a.results = append(a.results, a.share(spec))
	}
	return a, nil
}

// plan decides how groups are found. It is called when the first rows have come,
// since the dictionaries of computed codes are complete only then.
func (a *aggregate) plan() error {
	a.planned.Do(func() {
		if len(a.keys) == 0 {
			return
		}
		if a.in.Strategy == kernel.Dense {
			a.dense, a.err = a.newDenseKeys()
		}
		if a.dense != nil {
			a.dense.spooled = a.spoolable() && a.dense.cells*a.width() > spoolBytes
		}
		if a.err == nil && a.dense == nil {
			a.planHash()
		}
	})
	return a.err
}

// planHash chooses how keys are put together.
func (a *aggregate) planHash() {
	values := make([]kernel.Value, len(a.in.Keys))
	nullSafe := make([]bool, len(a.in.Keys))
	for i, id := range a.in.Keys {
		values[i], nullSafe[i] = a.run.f.Values[id], true
		if t := values[i].Type; t == kernel.Num || t == kernel.Interval {
			any := accSpec{op: kernel.AccAny, args: []int{a.keys[i]}, argType: []kernel.Type{t}, filter: -1, dst: []kernel.Type{t}, sparse: true}
			a.shown[i] = a.share(any)
		}
	}
	a.layout = newKeyLayout(values, nullSafe)
	a.most = max(sparseGroups, tableBytes/(wordGroupBytes+a.width()))
}

// operand gives the index of a value among the operands.
func (a *aggregate) operand(id kernel.ValueID) int {
	for i, have := range a.ids {
		if have == id {
			return i
		}
	}
	a.ids = append(a.ids, id)
	return len(a.ids) - 1
}

// worker implements sink.
func (a *aggregate) worker(w *worker) (sinkWorker, error) {
	aw := &aggregator{agg: a, w: w}
	for _, id := range a.ids {
		aw.operands = append(aw.operands, newOperand(a.run.f, id))
	}
	aw.views = make([]view, len(a.ids))
	a.workers = append(a.workers, aw)
	return aw, nil
}

// aggregator is one worker's part of an aggregate.
type aggregator struct {
	agg      *aggregate
	w        *worker
	operands []*operand
	views    []view
	groups   *groups
	rows     int    // that groups have had
	spool    *spool // nil: rows go to groups
}

// consume implements sinkWorker.
func (aw *aggregator) consume(b *Batch) error {
	if b.Active() == 0 {
		return nil
	}
	if err := aw.prepare(); err != nil {
		return err
	}
	for i, o := range aw.operands {
		aw.views[i] = o.read(b)
	}
	if aw.spool != nil {
		return aw.spool.add(aw.groups, b.Active(), aw.views)
	}
	if err := aw.groups.add(b.Active(), aw.views); err != nil {
		return err
	}
	aw.rows += b.Active()
	if aw.outgrown() {
		aw.spool = newSpool(aw.agg)
	}
	return nil
}

// prepare makes the worker's groups, if that has not been done.
func (aw *aggregator) prepare() (err error) {
	if aw.groups != nil {
		return nil
	}
	if err := aw.agg.plan(); err != nil {
		return err
	}
	if aw.agg.dense != nil && aw.agg.dense.spooled {
		aw.spool = newSpool(aw.agg)
		aw.groups, err = aw.agg.newGroups(0)
		return err
	}
	aw.groups, err = aw.agg.newGroups(aw.agg.arrays())
	return err
}

// arrays is how many groups there are from the start.
func (a *aggregate) arrays() int {
	switch {
	case len(a.keys) == 0:
		return 1
	case a.dense != nil:
		return a.dense.cells
	}
	return 0
}

// finish implements sink.
func (a *aggregate) finish(context.Context) (result, error) {
	parts, err := a.parts()
	if err != nil {
		return result{}, err
	}
	var blocks []runtime.Block
	var taken string
	if a.run.opts.Explain {
		taken = a.taken(parts)
	}
	switch {
	case len(a.keys) == 0:
		blocks, err = a.finishSingle(parts)
	case a.spooled():
		blocks, err = a.finishSpooled(parts)
	case a.dense != nil:
		blocks, err = a.finishDense(parts)
	default:
		blocks, err = a.finishHash(parts)
	}
	if err != nil {
		return result{}, err
	}
	shareDictionaries(blocks)
	res := newRelation(a.run, a.resultTypes(), blocks)
	res.taken = taken
	return res, nil
}

// taken says how the groups were found, and how the workers' parts come together.
func (a *aggregate) taken(parts []*groups) string {
	switch {
	case len(a.keys) == 0:
		return ""
	case a.dense != nil && a.spooled():
		return fmt.Sprintf("rows radix-partitioned, an array of %d groups filled by partition", a.dense.cells)
	case a.dense != nil:
		return fmt.Sprintf("arrays of %d groups for %d workers, merged", a.dense.cells, len(parts))
	case a.spooled():
		return fmt.Sprintf("hash tables until they outgrew the cache at %d groups a worker, then rows radix-partitioned", a.most)
	}
	total := 0
	for _, part := range parts {
		total += part.table.len()
	}
	switch {
	case len(parts) == 1:
		return "one hash table"
	case total > serialGroups:
		return fmt.Sprintf("hash tables of %d workers, merged by partitions", len(parts))
	}
	return fmt.Sprintf("hash tables of %d workers, merged by one", len(parts))
}

// resultTypes are the types of the result's columns.
func (a *aggregate) resultTypes() []kernel.Type {
	types := valueTypes(a.run.f, a.in.Keys)
	for i := range a.in.Accs {
		types = append(types, valueTypes(a.run.f, a.in.Accs[i].Dst)...)
	}
	return types
}

// parts are the groups of the workers that have had rows, at least one, ready
// to be merged.
func (a *aggregate) parts() ([]*groups, error) {
	var parts []*groups
	for i, aw := range a.workers {
		if aw.groups == nil && (i < len(a.workers)-1 || len(parts) > 0) {
			continue
		}
		if err := aw.prepare(); err != nil {
			return nil, err
		}
		if err := aw.groups.settle(); err != nil {
			return nil, err
		}
		parts = append(parts, aw.groups)
	}
	return parts, nil
}

// finishSingle gives the one group.
func (a *aggregate) finishSingle(parts []*groups) ([]runtime.Block, error) {
	all, one := parts[0], []uint32{0}
	for _, part := range parts[1:] {
		if err := all.absorb(part); err != nil {
			return nil, err
		}
		if err := all.merge(part, one, one); err != nil {
			return nil, err
		}
	}
	block, err := a.block(all, one, nil)
	return []runtime.Block{block}, err
}

// block makes a block of the result: keys are the key columns, nil for those
// that an accumulator keeps.
func (a *aggregate) block(g *groups, list []uint32, keys []*runtime.Chunk) (runtime.Block, error) {
	cols := make([][]*runtime.Chunk, len(g.accs))
	for i, acc := range g.accs {
		var err error
		if cols[i], err = acc.chunks(list); err != nil {
			return runtime.Block{}, err
		}
	}
	b := runtime.Block{Rows: len(list)}
	for i, c := range keys {
		if s := a.shown[i]; s >= 0 {
			c = cols[s][0]
		}
		b.Cols = append(b.Cols, c)
	}
	for _, s := range a.results {
		b.Cols = append(b.Cols, cols[s]...)
	}
	return b, a.run.mem.grow(blockBytes(&b))
}
