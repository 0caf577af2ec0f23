package cuda

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
)

const (
	// leastKeys is LEAST of top.cuh.
	leastKeys = 4096
	// sampling is how many blocks read the sample at most: offers of more get in each other's way.
	sampling = 256
	// topShare is how many rows of the source there are at least for each one wanted
	// where a bound is looked for.
	topShare = 16
	// lastRows is up to how many rows the last block orders: FEW of few.cuh.
	lastRows = 8 * threads
)

// enoughRows is how many rows are ordered whole where so many are wanted.
func enoughRows(first int64) int64 { return max(fewSorted, topShare*first) }

// first plans the rest of a Sort of which the first rows are wanted: rows that may be among them are written, and
// ordered by the last block, or where they are more by entries of their own.
func (o *sorter) first(s *kernel.Sort, make func(capacity launch.Expr) []int, rows, out int) {
	most := limited(expr.Rows, s.Limit)
	o.add(&launch.Columns{Buffer: out, Rows: most})
	for i := range o.outputs {
		o.Pointer(Arg{Kind: ArgFirstData, Index: i}, launch.Out, launch.Data(out, i))
		o.Pointer(Arg{Kind: ArgFirstValid, Index: i}, launch.InOut, launch.Validity(out, i))
	}
	o.collectTop(make, out, most)
	wanted := o.wanted(s)
	others := func() {
		o.sortRows()
		o.gather(s, wanted, rows, out)
		o.readResult(out, wanted)
		o.release(o.order)
	}
	if o.lastOrders() {
		o.When(expr.LessOrEqual(o.n, launch.Int(lastRows)), func() { o.Note("rows ordered by the last block", o.n) }, others)
	} else {
		others()
	}
	o.add(&launch.Rows{Buffer: out, Rows: wanted})
}

// bound finds a bound of the keys of the first rows, where there is to be one.
func (o *sorter) bound(bounded launch.Expr) {
	o.When(bounded, func() {
		o.Note("rows kept within a bound of the first keys", nil)
		o.endLast(launch.Int(1))
		o.Chunks(func() { o.Launch("least", expr.Min(expr.Chunk, launch.Int(int64(sampling*o.rows*o.threads)))) })
	}, func() {})
}

// collectTop writes the rows that may be among the first and their keys: again with more
// room where they were more than expected, and without a bound where they were fewer than
// are wanted.
func (o *sorter) collectTop(make func(capacity launch.Expr) []int, out int, most launch.Expr) {
	first := o.sort.Top
	bounded := o.Let("bounded", expr.Times(expr.Equal(expr.Streamed, launch.Int(0)), expr.LessThan(launch.Int(enoughRows(first)), expr.Rows)))
	keys := expr.Select(bounded, launch.Int(leastKeys), launch.Int(1))
	least, bound := o.alloc("least", expr.Times(launch.Int(8), keys), launch.Ones), o.alloc("bound", launch.Int(8), launch.Zeros)
	equal := o.alloc("equal", launch.Int(8), launch.Zeros)
	o.Pointer(Arg{Kind: ArgLeast}, launch.InOut, launch.Ref{Buffer: least})
	o.Pointer(Arg{Kind: ArgBound}, launch.InOut, launch.Ref{Buffer: bound})
	o.bound(bounded)
	all := o.firstRoom(o.sort.Words)
	o.capacity = o.Let("space", expr.Select(bounded, expr.Min(expr.Rows, expr.Plus(expr.Div(expr.Rows, launch.Int(topShare)), launch.Int(2*maxTop))), all))
	o.Number(Arg{Kind: ArgBounded}, bounded)
	o.Pointer(Arg{Kind: ArgBoundEqual}, launch.InOut, launch.Ref{Buffer: equal})
	o.endLast(launch.Int(lastRows))
	o.Loop(func() {
		made := o.collectOnce(make, func(count launch.Into) { o.readResult(out, most, count) })
		few := o.Let("too_few", expr.Times(bounded, expr.LessThan(o.n, launch.Int(first))))
		o.Until(expr.Times(expr.LessOrEqual(o.n, o.capacity), expr.Equal(few, launch.Int(0))))
		o.release(made...)
		o.clearStatus()
		o.add(&launch.Clear{At: launch.Ref{Buffer: equal}, Bytes: launch.Int(8)})
		o.Set(bounded, expr.Minus(bounded, few))
		o.Set(o.capacity, expr.Select(few, all, o.n))
	})
	o.release(least, bound, equal)
}
