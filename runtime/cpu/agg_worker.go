package cpu

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

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

// aggregate is the sink that groups rows. Each worker aggregates its rows on
// its own; the parts are merged at the end.
type aggregate struct {
	*grouping
	workers []*aggregator
}

// newAggregate plans the sink of in.
func newAggregate(r *run, in *kernel.Aggregate) (sink, error) {
	plan, err := newGrouping(r, in)
	return &aggregate{grouping: plan}, err
}

// aggregator is one worker's part of an aggregate.
type aggregator struct {
	agg      *aggregate
	w        *worker
	operands []*operand
	views    []view
	groups   *groups
	rows     int              // that groups have had
	radix    *radixPartitions // nil: rows go to groups
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
	if aw.radix != nil {
		return aw.radix.add(aw.groups, b.Active(), aw.views)
	}
	if err := aw.groups.add(b.Active(), aw.views); err != nil {
		return err
	}
	aw.rows += b.Active()
	if aw.outgrown() {
		aw.radix = newRadixPartitions(aw.agg.grouping)
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
	if d := aw.agg.dense; d != nil && d.partitioned || aw.agg.layout != nil && aw.agg.keepsRows() && aw.agg.partitionable() {
		aw.radix = newRadixPartitions(aw.agg.grouping)
		aw.groups, err = aw.agg.newGroups(0)
		return err
	}
	aw.groups, err = aw.agg.newGroups(aw.agg.arrays())
	return err
}

// arrays is how many groups there are from the start.
func (a *grouping) arrays() int {
	switch {
	case len(a.keys) == 0:
		return 1
	case a.dense != nil:
		return a.dense.cells
	}
	return 0
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
		if err := aw.groups.finalize(); err != nil {
			return nil, err
		}
		parts = append(parts, aw.groups)
	}
	return parts, nil
}

// block makes a block of the result: keys are the key columns, nil for those
// that an accumulator keeps.
func (a *grouping) block(g *groups, list []uint32, keys []*runtime.Chunk) (runtime.Block, error) {
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

// tableBlock makes a block of the groups lo … hi−1 of a table.
func (a *grouping) tableBlock(g *groups, lo, hi int) (runtime.Block, error) {
	list := make([]uint32, hi-lo)
	for i := range list {
		list[i] = uint32(lo + i)
	}
	var k keyBatch
	g.table.get(list, &k)
	return a.block(g, list, a.layout.decode(&k, g.dicts))
}

// mergeTable merges the listed groups of a part into all.
func (a *grouping) mergeTable(all, part *groups, list []uint32) error {
	if err := all.combine(part); err != nil {
		return err
	}
	to := make([]uint32, len(list))
	for lo := 0; lo < len(list); lo += DefaultVectorRows {
		hi := min(lo+DefaultVectorRows, len(list))
		part.table.get(list[lo:hi], &all.batch)
		if err := all.table.assign(&all.batch, to[lo:hi]); err != nil {
			return err
		}
	}
	if err := all.reserve(all.table.len()); err != nil {
		return err
	}
	return all.merge(part, list, to)
}

// partitioned is the keys of a table, brought into the order of their
// partitions.
type keyPartitions struct {
	numbers []uint32
	ends    []int
}

// of lists the keys of partition p.
func (s *keyPartitions) of(p int) []uint32 {
	lo := 0
	if p > 0 {
		lo = s.ends[p-1]
	}
	return s.numbers[lo:s.ends[p]]
}

// partition sorts the keys of a table by their partitions.
func partition(t keyTable, bits uint) keyPartitions {
	at := make([]int, 1<<bits)
	for n := range t.len() {
		at[partitionOf(t.hash(uint32(n)), bits)]++
	}
	sum := 0
	for p, n := range at {
		at[p] = sum
		sum += n
	}
	s := keyPartitions{numbers: make([]uint32, t.len()), ends: at}
	for n := range t.len() {
		p := partitionOf(t.hash(uint32(n)), bits)
		s.numbers[at[p]] = uint32(n)
		at[p]++
	}
	return s
}

// outgrown reports whether the worker's table has so many groups that further rows
// are better partitioned, or is going to have: keys drawn at random from as many
// as it may have are n different ones after −most·ln(1−n/most) rows, and fewer
// rows mean more keys.
func (aw *aggregator) outgrown() bool {
	if aw.groups.table == nil || aw.groups.table.len() <= caches().SparseGroups {
		return false
	}
	n, most := float64(aw.groups.table.len()), float64(aw.agg.groupLimit)
	return (n >= most || float64(aw.rows) < -most*math.Log1p(-n/most)) && aw.agg.partitionable()
}

// partitioned reports whether a worker has divided its rows into partitions.
func (a *aggregate) partitioned() bool {
	for _, aw := range a.workers {
		if aw.radix != nil {
			return true
		}
	}
	return false
}

// takeGroups returns an empty set of groups for a partition.
func (a *grouping) takeGroups(free chan *groups) (*groups, error) {
	select {
	case g := <-free:
		g.reset()
		return g, nil
	default:
	}
	if a.dense != nil {
		return a.newGroups(min(a.dense.cells, 1<<a.dense.shift()))
	}
	return a.newGroups(0)
}

// partitionBlocks writes the groups of partition p.
func (a *grouping) partitionBlocks(g *groups, p int) ([]runtime.Block, error) {
	if a.dense == nil {
		var blocks []runtime.Block
		for lo := 0; lo < g.table.len(); lo += runtime.BlockRows {
			block, err := a.tableBlock(g, lo, min(lo+runtime.BlockRows, g.table.len()))
			if err != nil {
				return nil, err
			}
			blocks = append(blocks, block)
		}
		return blocks, nil
	}
	list := g.present(identityGroups(g.n))
	if len(list) == 0 {
		return nil, nil
	}
	first := uint32(p) << a.dense.shift()
	cells := make([]uint32, len(list))
	for i, c := range list {
		cells[i] = first + c
	}
	block, err := a.block(g, list, a.dense.decode(cells, g.dicts))
	return []runtime.Block{block}, err
}
