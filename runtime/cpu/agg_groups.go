package cpu

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

// maxGroups is how many groups one table can number.
const maxGroups = math.MaxUint32 - 1

// groups are the accumulators of a set of groups, and how rows find theirs.
type groups struct {
	plan    *grouping
	accs    []accumulator
	n       int      // groups reserved
	table   keyTable // Hash
	seen    *flags   // Dense: the groups that have rows, unless counts says
	rows    *counter // Dense: an accumulator that counts all rows, or nil
	dicts   []*runtime.Dictionary
	cells   cells
	numbers []uint32
	keys    []*view
	batch   keyBatch
	args    []*view
	keep    []int32
	bufs    []viewBuffer
	picked  []view
	some    cellBuffer
}

// newGroups makes a set of n empty groups, to which a table may add others.
func (a *grouping) newGroups(n int) (*groups, error) {
	mem := &a.run.mem
	g := &groups{plan: a, batch: keyBatch{mem: mem}, dicts: make([]*runtime.Dictionary, len(a.keys)), keys: make([]*view, len(a.keys))}
	most := 0
	for i := range a.specs {
		s := &a.specs[i]
		acc, err := newAccumulator(s, mem)
		if err != nil {
			return nil, err
		}
		g.accs = append(g.accs, acc)
		most = max(most, len(s.args))
		if c, ok := acc.(*counter); ok && s.op == kernel.AccCountStar && s.filter < 0 {
			g.rows = c
		}
	}
	g.bufs, g.picked = make([]viewBuffer, most), make([]view, most)
	switch {
	case a.layout != nil:
		g.table = newKeyTable(a.layout.kind, mem)
	case a.dense != nil && g.rows == nil:
		g.seen = &flags{mem: mem}
	}
	return g, g.reserve(n)
}

// reset empties all groups and keeps the memory.
func (g *groups) reset() {
	for _, acc := range g.accs {
		acc.reset()
	}
	if g.seen != nil {
		g.seen.reset()
	}
	if g.table != nil {
		g.table.reset()
	}
}

// reserve makes room for n groups.
func (g *groups) reserve(n int) error {
	if n <= g.n {
		return nil
	}
	g.n = n
	for _, acc := range g.accs {
		if err := acc.reserve(n); err != nil {
			return err
		}
	}
	if g.seen != nil {
		return g.seen.reserve(n)
	}
	return nil
}

// add takes n rows, whose operands are views.
func (g *groups) add(n int, views []view) error {
	g.setKeys(views)
	switch {
	case len(g.keys) == 0:
		g.cells.form, g.cells.n, g.cells.off = formConst, n, 0
	case g.table == nil:
		g.number(n)
		if g.seen != nil {
			g.mark()
		}
	default:
		if err := g.find(n); err != nil {
			return err
		}
	}
	return g.accumulate(n, views)
}

// setKeys notes the views of the keys.
func (g *groups) setKeys(views []view) {
	for i, op := range g.plan.keys {
		g.keys[i] = &views[op]
		g.dicts[i] = longer(g.dicts[i], views[op].dict)
	}
}

// number sets the cells of n rows from dense keys.
func (g *groups) number(n int) { g.plan.dense.number(&g.cells, n, g.keys, &g.numbers) }

// mark marks the cells of the rows.
func (g *groups) mark() {
	d := g.plan.dense
	limit := d.cells
	if k := d.keys[0]; len(d.keys) == 1 && g.keys[0].null == nil {
		limit = k.values
	}
	g.seen.mark(&g.cells, limit)
}

// find sets the cells of n rows from the table.
func (g *groups) find(n int) error {
	if err := g.plan.layout.encode(&g.batch, n, g.keys, false); err != nil {
		return err
	}
	return g.findBatch()
}

// findBatch sets the cells of the rows whose keys have been put together.
func (g *groups) findBatch() error {
	n := g.batch.n
	numbers := room(&g.numbers, n)
	if err := g.table.assign(&g.batch, numbers); err != nil {
		return err
	}
	g.cells.form, g.cells.n, g.cells.off, g.cells.u32 = formU32, n, 0, numbers
	if g.table.len() > maxGroups {
		return value.Errorf(value.CodeProgramLimit, "more than %d groups", int64(maxGroups))
	}
	return g.reserve(g.table.len())
}

// addCells takes rows whose groups are numbered.
func (g *groups) addCells(numbers []uint16, views []view) error {
	g.cells.form, g.cells.n, g.cells.off, g.cells.u16 = formU16, len(numbers), 0, numbers
	if g.seen != nil {
		g.seen.mark(&g.cells, len(g.seen.set))
	}
	return g.accumulate(len(numbers), views)
}

// addKeys takes n rows whose keys have been put together, as words or as pairs.
func (g *groups) addKeys(n int, words []uint64, pairs []pair, views []view) error {
	g.batch.n, g.batch.miss, g.batch.words, g.batch.pairs = n, nil, words, pairs
	if err := g.findBatch(); err != nil {
		return err
	}
	return g.accumulate(n, views)
}

// accumulate adds the rows to the accumulators.
func (g *groups) accumulate(n int, views []view) error {
	for i, acc := range g.accs {
		s := &g.plan.specs[i]
		args := g.args[:0]
		nulls := false
		for _, op := range s.args {
			args = append(args, &views[op])
			nulls = nulls || views[op].null != nil
		}
		g.args = args
		cells := &g.cells
		if nulls || s.filter >= 0 {
			keep := g.counted(n, s, views)
			if len(keep) < n {
				cells = cells.pick(keep, &g.some)
				for j, arg := range args {
					g.picked[j] = arg.pick(keep, &g.bufs[j])
					args[j] = &g.picked[j]
				}
			}
		}
		if cells.n == 0 {
			continue
		}
		if err := acc.add(cells, args); err != nil {
			return err
		}
	}
	return nil
}

// counted lists the rows that count for an accumulator: those for which its
// filter is true and no argument is NULL.
func (g *groups) counted(n int, s *accSpec, views []view) []int32 {
	keep := room(&g.keep, n)
	for i := range keep {
		keep[i] = int32(i)
	}
	for _, op := range s.args {
		if null := views[op].null; null != nil {
			keep = keepWhere(keep, func(i int32) bool { return null[i] == 0 })
		}
	}
	if s.filter >= 0 {
		f := &views[s.filter]
		keep = keepWhere(keep, func(i int32) bool { return f.intAt(int(i)) != 0 && (f.null == nil || f.null[i] == 0) })
	}
	return keep
}

func keepWhere(rows []int32, is func(int32) bool) []int32 {
	kept := rows[:0]
	for _, i := range rows {
		if is(i) {
			kept = append(kept, i)
		}
	}
	return kept
}

// finalize ends the adding of rows.
func (g *groups) finalize() error {
	for _, acc := range g.accs {
		if err := acc.finalize(); err != nil {
			return err
		}
	}
	return nil
}

// combine prepares for merging all groups of src.
func (g *groups) combine(src *groups) error {
	for i := range g.dicts {
		g.dicts[i] = longer(g.dicts[i], src.dicts[i])
	}
	for i, acc := range g.accs {
		if err := acc.combine(src.accs[i]); err != nil {
			return err
		}
	}
	return nil
}

// merge combines groups from[i] of src into groups to[i].
func (g *groups) merge(src *groups, from, to []uint32) error {
	for i, acc := range g.accs {
		if err := acc.merge(src.accs[i], from, to); err != nil {
			return err
		}
	}
	return nil
}

// present returns those of the listed cells that have rows.
func (g *groups) present(list []uint32) []uint32 {
	kept := make([]uint32, 0, len(list))
	if g.seen != nil {
		for _, c := range list {
			if g.seen.set[c] != 0 {
				kept = append(kept, c)
			}
		}
		return kept
	}
	for _, c := range list {
		if g.rows.sums[c] != 0 {
			kept = append(kept, c)
		}
	}
	return kept
}
