package group

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate/accumulator"
	"github.com/cubeloom/cubeloom/runtime/cpu/distinct"
	"github.com/cubeloom/cubeloom/runtime/cpu/keytable"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/value"
)

// maxGroups is how many groups one table can number.
const maxGroups = math.MaxUint32 - 1

// Groups are the accumulators of a set of groups, and how rows find theirs.
type Groups struct {
	plan    *Grouping
	accs    []accumulator.Accumulator
	N       int                  // groups reserved
	Table   keytable.Table       // Hash
	Seen    *accumulator.Flags   // Dense: the groups that have rows, unless counts says
	rows    *accumulator.Counter // Dense: an accumulator that counts all rows, or nil
	Dicts   []*runtime.Dictionary
	Cells   accumulator.Cells
	numbers []uint32
	Keys    []*vector.View
	Batch   keytable.Batch
	args    []*vector.View
	keep    []int32
	bufs    []vector.ViewBuffer
	picked  []vector.View
	some    accumulator.CellBuffer
}

// NewGroups makes a set of n empty groups, to which a table may add others.
func (a *Grouping) NewGroups(n int) *Groups {
	mem := &a.Run.Mem
	g := &Groups{plan: a, Batch: keytable.NewBatch(mem), Dicts: make([]*runtime.Dictionary, len(a.Keys)), Keys: make([]*vector.View, len(a.Keys))}
	most := 0
	for i := range a.Specs {
		s := &a.Specs[i]
		acc := distinct.New(s, mem)
		g.accs = append(g.accs, acc)
		most = max(most, len(s.Args))
		if c, ok := acc.(*accumulator.Counter); ok && s.Op == kernel.AccCountStar && s.Filter < 0 {
			g.rows = c
		}
	}
	g.bufs, g.picked = make([]vector.ViewBuffer, most), make([]vector.View, most)
	switch {
	case a.Layout != nil:
		g.Table = keytable.New(a.Layout.Kind, mem)
	case a.Dense != nil && g.rows == nil:
		g.Seen = &accumulator.Flags{Mem: mem}
	}
	g.Reserve(n)
	return g
}

// Reset empties all groups and keeps the memory.
func (g *Groups) Reset() {
	for _, acc := range g.accs {
		acc.Reset()
	}
	if g.Seen != nil {
		g.Seen.Reset()
	}
	if g.Table != nil {
		g.Table.Reset()
	}
}

// Reserve makes room for n groups.
func (g *Groups) Reserve(n int) {
	if n <= g.N {
		return
	}
	if n > maxGroups {
		panic(errTooMany())
	}
	g.N = n
	for _, acc := range g.accs {
		acc.Reserve(n)
	}
	if g.Seen != nil {
		g.Seen.Reserve(n)
	}
}

// Add takes n rows, whose operands are views.
func (g *Groups) Add(n int, views []vector.View) {
	g.SetKeys(views)
	switch {
	case len(g.Keys) == 0:
		g.Cells.Form, g.Cells.N, g.Cells.Off = vector.FormConst, n, 0
	case g.Table == nil:
		g.Number(n)
		if g.Seen != nil {
			g.mark()
		}
	default:
		g.find(n)
	}
	g.accumulate(n, views)
}

// SetKeys notes the views of the keys.
func (g *Groups) SetKeys(views []vector.View) {
	for i, op := range g.plan.Keys {
		g.Keys[i] = &views[op]
		g.Dicts[i] = vector.Longer(g.Dicts[i], views[op].Dict)
	}
}

// Number sets the cells of n rows from dense keys.
func (g *Groups) Number(n int) { g.plan.Dense.Number(&g.Cells, n, g.Keys, &g.numbers) }

// mark marks the cells of the rows.
func (g *Groups) mark() {
	d := g.plan.Dense
	limit := d.Cells
	if k := d.keys[0]; len(d.keys) == 1 && g.Keys[0].Null == nil {
		limit = k.values
	}
	g.Seen.Mark(&g.Cells, limit)
}

// find sets the cells of n rows from the table.
func (g *Groups) find(n int) {
	g.plan.Layout.Encode(&g.Batch, n, g.Keys, false)
	g.findBatch()
}

// findBatch sets the cells of the rows whose keys have been put together.
func (g *Groups) findBatch() {
	n := g.Batch.N
	numbers := vector.Room(&g.numbers, n)
	g.Table.Assign(&g.Batch, numbers)
	g.Cells.Form, g.Cells.N, g.Cells.Off, g.Cells.U32 = vector.FormU32, n, 0, numbers
	if g.Table.Len() > maxGroups {
		panic(errTooMany())
	}
	g.Reserve(g.Table.Len())
}

func errTooMany() error {
	return value.Errorf(value.CodeProgramLimit, "more than %d groups", int64(maxGroups))
}

// AddCells takes rows whose groups are numbered.
func (g *Groups) AddCells(numbers []uint16, views []vector.View) {
	g.Cells.Form, g.Cells.N, g.Cells.Off, g.Cells.U16 = vector.FormU16, len(numbers), 0, numbers
	if g.Seen != nil {
		g.Seen.Mark(&g.Cells, len(g.Seen.Set))
	}
	g.accumulate(len(numbers), views)
}

// AddNumbered takes rows whose groups, which have been reserved, are numbered.
func (g *Groups) AddNumbered(numbers []uint32, views []vector.View) {
	g.Cells.Form, g.Cells.N, g.Cells.Off, g.Cells.U32 = vector.FormU32, len(numbers), 0, numbers
	g.accumulate(len(numbers), views)
}

// AddKeys takes n rows whose keys have been put together, as words or as pairs.
func (g *Groups) AddKeys(n int, words []uint64, pairs []keytable.Pair, views []vector.View) {
	g.Batch.N, g.Batch.Miss, g.Batch.Words, g.Batch.Pairs = n, nil, words, pairs
	g.findBatch()
	g.accumulate(n, views)
}

// AddRuns takes n rows that are runs of groups, numbered from first on, with their ends.
func (g *Groups) AddRuns(first int, ends []int32, n int, views []vector.View) {
	g.Cells.Form, g.Cells.N, g.Cells.Off, g.Cells.Ends = vector.FormRuns, n, first, ends
	g.accumulate(n, views)
}

// AddTo adds a value, which is not NULL, to one accumulator of each of some groups.
func (g *Groups) AddTo(spec int, numbers []uint32, values *vector.View) {
	g.accs[spec].Add(&accumulator.Cells{Form: vector.FormU32, N: len(numbers), U32: numbers}, []*vector.View{values})
}

// accumulate adds the rows to the accumulators.
func (g *Groups) accumulate(n int, views []vector.View) {
	for i, acc := range g.accs[:len(g.accs)-g.plan.ofRuns] {
		s := &g.plan.Specs[i]
		args := g.args[:0]
		nulls := false
		for _, op := range s.Args {
			args = append(args, &views[op])
			nulls = nulls || views[op].Null != nil
		}
		g.args = args
		cells := &g.Cells
		if nulls || s.Filter >= 0 {
			keep := g.counted(n, s, views)
			if len(keep) < n {
				cells = cells.Pick(keep, &g.some)
				for j, arg := range args {
					g.picked[j] = arg.Pick(keep, &g.bufs[j])
					args[j] = &g.picked[j]
				}
			}
		}
		if cells.N == 0 {
			continue
		}
		acc.Add(cells, args)
	}
}

// counted lists the rows that count for an accumulator: those for which its
// filter is true and no argument is NULL.
func (g *Groups) counted(n int, s *accumulator.Spec, views []vector.View) []int32 {
	keep := vector.Upwards(vector.Room(&g.keep, n), 0)
	for _, op := range s.Args {
		if null := views[op].Null; null != nil {
			keep = KeepWhere(keep, func(i int32) bool { return null[i] == 0 })
		}
	}
	if s.Filter >= 0 {
		f := &views[s.Filter]
		keep = KeepWhere(keep, func(i int32) bool { return f.IntAt(int(i)) != 0 && (f.Null == nil || f.Null[i] == 0) })
	}
	return keep
}

func KeepWhere(rows []int32, is func(int32) bool) []int32 {
	kept := rows[:0]
	for _, i := range rows {
		if is(i) {
			kept = append(kept, i)
		}
	}
	return kept
}

// Finalize ends the adding of rows.
func (g *Groups) Finalize() {
	for _, acc := range g.accs {
		acc.Finalize()
	}
}

// Combine prepares for merging all groups of src.
func (g *Groups) Combine(src *Groups) {
	for i := range g.Dicts {
		g.Dicts[i] = vector.Longer(g.Dicts[i], src.Dicts[i])
	}
	for i, acc := range g.accs {
		acc.Combine(src.accs[i])
	}
}

// Merge combines groups from[i] of src into groups to[i].
func (g *Groups) Merge(src *Groups, from, to []uint32) {
	for i, acc := range g.accs {
		acc.Merge(src.accs[i], from, to)
	}
}

// Present appends those of the listed cells that have rows to kept, which has room for them all and
// may begin where list does.
func (g *Groups) Present(list, kept []uint32) []uint32 {
	if g.Seen != nil {
		for _, c := range list {
			if g.Seen.Set[c] != 0 {
				kept = append(kept, c)
			}
		}
		return kept
	}
	for _, c := range list {
		if g.rows.Sums[c] != 0 {
			kept = append(kept, c)
		}
	}
	return kept
}
