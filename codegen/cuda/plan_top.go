package cuda

import (
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
)

const (
	// leastKeys is LEAST of top.cuh, and SELECTED of nth.cuh.
	leastKeys = 4096
	// sampleStride is how many tiles there are for each one that is in the sample, and
	// longStride the same of more rows than those: reading the sample then takes longer than
	// ordering twice as many rows.
	sampleStride = 4
	longStride   = 2 * sampleStride
	longRows     = 1 << 24
	// topShare is how many rows of the source there are at least for each one wanted
	// where a bound is looked for.
	topShare = 16
)

// boundAt is how many of the least keys come before the bound of so many rows: as many as
// the share of them that the sample has, with a margin for chance. Rows before the bound
// are then enough where each of the least keys is that of one row, and more where it is that
// of several, or where most rows are not in the sample. That they are enough is known when
// they have been counted.
func boundAt(first int64) int64 {
	return min(first, first/sampleStride*11/10+16) - 1
}

// enoughRows is how many rows are ordered whole where so many are wanted.
func enoughRows(first int64) int64 { return max(fewSorted, topShare*first) }

// bound finds a bound of the keys of the first rows, where there is to be one.
func (o *sorter) bound(bounded launch.Expr, least, bound int) {
	o.When(bounded, func() {
		o.Note("rows kept within a bound of the first keys", nil)
		o.Number(Arg{Kind: ArgStride}, expr.Select(expr.LessThan(launch.Int(longRows), expr.Rows), launch.Int(longStride), launch.Int(sampleStride)))
		o.Pointer(Arg{Kind: ArgLeast}, launch.InOut, launch.Ref{Buffer: least})
		o.Chunks(func() { o.Launch("least", expr.Chunk) })
		o.start("nth_key", launch.Int(RowsThreads),
			rowsArg{word: "keys", buffer: least}, rowsArg{word: "rows", x: launch.Int(leastKeys)},
			rowsArg{word: "nth", x: launch.Int(boundAt(o.sort.Top))}, rowsArg{word: "out_keys", access: launch.Out, buffer: bound})
	}, func() {})
}

// collectTop writes the rows that may be among the first and their keys: again with more
// room where they were more than expected, and without a bound where they were fewer than
// are wanted.
func (o *sorter) collectTop(make func(capacity launch.Expr) []int) {
	first := o.sort.Top
	bounded := o.Let("bounded", expr.Times(expr.Equal(expr.Streamed, launch.Int(0)), expr.LessThan(launch.Int(enoughRows(first)), expr.Rows)))
	keys := expr.Select(bounded, launch.Int(leastKeys), launch.Int(1))
	least, bound := o.alloc("least", expr.Times(launch.Int(8), keys), launch.Ones), o.alloc("bound", launch.Int(8), launch.Zeros)
	equal := o.alloc("equal", launch.Int(8), launch.Zeros)
	o.bound(bounded, least, bound)
	all := o.firstRoom(o.sort.Words)
	o.capacity = o.Let("space", expr.Select(bounded, expr.Min(expr.Rows, expr.Plus(expr.Div(expr.Rows, launch.Int(topShare)), launch.Int(2*maxTop))), all))
	o.Number(Arg{Kind: ArgBounded}, bounded)
	o.Pointer(Arg{Kind: ArgBound}, launch.In, launch.Ref{Buffer: bound})
	o.Pointer(Arg{Kind: ArgBoundEqual}, launch.InOut, launch.Ref{Buffer: equal})
	o.Loop(func() {
		made := o.collectOnce(make)
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
