package cpu

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

// windowTable is rows of a partition key, an order key, a value, and the row's
// number.
type windowTable struct{ cols []column }

func randomWindowTable(rng *rand.Rand, n, partitions, keys int) *windowTable {
	t := &windowTable{[]column{{typ: kernel.I32}, {typ: kernel.I32}, {typ: kernel.I64}, {typ: kernel.I32}}}
	some := func(limit int) any {
		if rng.IntN(8) == 0 {
			return nil
		}
		return rng.IntN(limit)
	}
	for i := range n {
		for c, v := range []any{some(partitions), some(keys), some(100), i} {
			t.cols[c].vals = append(t.cols[c].vals, v)
		}
	}
	return t
}

// randomFrame makes a frame; ranges have no distances.
func randomFrame(rng *rand.Rand) kernel.Frame {
	kinds := []kernel.BoundKind{kernel.UnboundedPreceding, kernel.Preceding, kernel.CurrentRow, kernel.Following, kernel.UnboundedFollowing}
	f := kernel.Frame{Key: kernel.NoValue}
	f.Unit = []kernel.FrameUnit{kernel.FrameRows, kernel.FrameGroups, kernel.FrameRange}[rng.IntN(3)]
	f.Exclude = []kernel.FrameExclusion{kernel.ExcludeNothing, kernel.ExcludeNothing, kernel.ExcludeCurrent, kernel.ExcludeGroup, kernel.ExcludeTies}[rng.IntN(5)]
	from := rng.IntN(4)
	to := max(from, 1) + rng.IntN(5-max(from, 1))
	bound := func(k int) kernel.FrameBound {
		if f.Unit == kernel.FrameRange && kinds[k] == kernel.Preceding || f.Unit == kernel.FrameRange && kinds[k] == kernel.Following {
			k = 2
		}
		return kernel.FrameBound{Kind: kinds[k], Offset: int64(rng.IntN(4)), Limit: kernel.NoValue}
	}
	f.Start, f.End = bound(from), bound(to)
	return f
}

// inFrame tells, by definition, whether row j is in the frame of row i; both
// are places in the order of one partition, and group gives the peers' number.
func inFrame(f *kernel.Frame, i, j int, group []int) bool {
	at, other := i, j
	if f.Unit != kernel.FrameRows {
		at, other = group[i], group[j]
	}
	switch b := f.Start; {
	case b.Kind == kernel.Preceding && other < at-int(b.Offset), b.Kind == kernel.CurrentRow && other < at,
		b.Kind == kernel.Following && other < at+int(b.Offset):
		return false
	}
	switch b := f.End; {
	case b.Kind == kernel.Preceding && other > at-int(b.Offset), b.Kind == kernel.CurrentRow && other > at,
		b.Kind == kernel.Following && other > at+int(b.Offset):
		return false
	}
	switch f.Exclude {
	case kernel.ExcludeCurrent:
		return i != j
	case kernel.ExcludeGroup:
		return group[i] != group[j]
	case kernel.ExcludeTies:
		return i == j || group[i] != group[j]
	}
	return true
}

// reference computes the calls of windowKernel row by row.
func (t *windowTable) reference(f *kernel.Frame, order []kernel.SortKey) map[int]string {
	n := len(t.cols[0].vals)
	partition := []kernel.SortKey{{Val: 0}}
	all := referenceOrder(n, []column{t.cols[0], t.cols[1], t.cols[3]}, append(partition, order...))
	out := map[int]string{}
	for lo := 0; lo < n; {
		hi := lo + 1
		for hi < n && compareRows(t.cols[:1], partition, all[lo], all[hi]) == 0 {
			hi++
		}
		rows := all[lo:hi]
		group, start := make([]int, len(rows)), make([]int, len(rows))
		for i := 1; i < len(rows); i++ {
			group[i], start[i] = group[i-1], start[i-1]
			if compareRows(t.cols[1:], []kernel.SortKey{order[0]}, rows[i-1], rows[i]) != 0 || len(order) > 1 {
				group[i], start[i] = group[i]+1, i
			}
		}
		for i, row := range rows {
			out[row] = t.values(f, rows, i, start[i]+1, group)
		}
		lo = hi
	}
	return out
}

// values are what the calls give for the row at place i of a partition.
func (t *windowTable) values(f *kernel.Frame, rows []int, i, rank int, group []int) string {
	sum, count := any(nil), 0
	first, last, lag := any(nil), any(nil), any(nil)
	var least any
	for j, other := range rows {
		if !inFrame(f, i, j, group) {
			continue
		}
		count++
		x := t.cols[2].vals[other]
		if count == 1 {
			first = x
		}
		last = x
		if x != nil {
			if sum == nil {
				sum, least = 0, x
			}
			sum, least = sum.(int)+x.(int), min(least.(int), x.(int))
		}
	}
	if i > 0 {
		lag = t.cols[2].vals[rows[i-1]]
	}
	return fmt.Sprint(sum, count, least, first, last, lag, rank)
}

// windowKernel computes sum, count, minimum, first and last value over a frame,
// the value of the row before, and the rank.
func windowKernel(f kernel.Frame, order []kernel.SortKey) *kernel.Func {
	acc := func(op kernel.AccOp, dst kernel.ValueID, args ...kernel.ValueID) kernel.WindowCall {
		return kernel.WindowCall{Func: kernel.WindowAggregate, Acc: kernel.Acc{Op: op, Args: args, Filter: kernel.NoValue, Dst: []kernel.ValueID{dst}}}
	}
	call := func(w kernel.WindowFunc, dst kernel.ValueID, args ...kernel.ValueID) kernel.WindowCall {
		return kernel.WindowCall{Func: w, Acc: kernel.Acc{Args: args, Filter: kernel.NoValue, Dst: []kernel.ValueID{dst}}}
	}
	types := []kernel.Type{kernel.I32, kernel.I32, kernel.I64, kernel.I32, kernel.I32}
	fn := funcOf(types, 4, nil, &kernel.Window{
		Partition: []kernel.SortKey{{Val: 0}}, Order: order, Cols: []kernel.ValueID{3}, Frames: []kernel.Frame{f},
		Calls: []kernel.WindowCall{
			acc(kernel.AccSum, 5, 2), acc(kernel.AccCountStar, 6), acc(kernel.AccMin, 7, 2),
			call(kernel.WindowFirstValue, 8, 2), call(kernel.WindowLastValue, 9, 2),
			call(kernel.WindowLag, 10, 2, 4), call(kernel.WindowRank, 11),
		},
	})
	fn.Params = []kernel.Param{{Dst: 4, Val: value.Value{Kind: value.Int, I: 1}}}
	for range 7 {
		fn.Values = append(fn.Values, kernel.Value{Type: kernel.I64, Nullable: true})
	}
	return fn
}

// checkWindow runs a kernel under all settings and compares with reference.
func checkWindow(t *testing.T, table *windowTable, in *memoryTable, f kernel.Frame, order []kernel.SortKey) {
	t.Helper()
	fn := windowKernel(f, order)
	if err := kernel.Verify(fn); err != nil {
		t.Fatal(err)
	}
	want := table.reference(&f, order)
	for _, opts := range configs {
		if len(want) > 1000 && opts.VectorRows != 0 {
			continue
		}
		out, err := runKernel(t, fn, opts, in)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
		if len(want) > 0 && len(lines) != len(want) {
			t.Fatalf("%d rows of %d", len(lines), len(want))
		}
		for _, line := range lines {
			number, got, _ := strings.Cut(line, " ")
			var row int
			fmt.Sscan(number, &row)
			if got != want[row] {
				t.Fatalf("frame %+v, %d threads, vectors of %d: row %d has %s, want %s", f, opts.Threads, opts.VectorRows, row, got, want[row])
			}
		}
	}
}

func TestWindowRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	// With the row's number behind the key no two rows tie.
	total := []kernel.SortKey{{Val: 1, Desc: true, NullsFirst: true}, {Val: 3}}
	for range 150 {
		table := randomWindowTable(rng, []int{1, 5, 30, 60}[rng.IntN(4)], 1+rng.IntN(4), 1+rng.IntN(6))
		checkWindow(t, table, tableOf(table), randomFrame(rng), total)
	}
}

func tableOf(t *windowTable) *memoryTable { return table(16, t.cols...) }

// TestWindowManyRows has partitions that fill several tasks and ranges of the
// sort.
func TestWindowManyRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	tab := randomWindowTable(rng, 50_000, 4000, 50)
	in := table(1<<14, tab.cols...)
	near := kernel.Frame{
		Unit: kernel.FrameRows, Exclude: kernel.ExcludeCurrent, Key: kernel.NoValue,
		Start: kernel.FrameBound{Kind: kernel.Preceding, Offset: 3, Limit: kernel.NoValue},
		End:   kernel.FrameBound{Kind: kernel.Following, Offset: 2, Limit: kernel.NoValue},
	}
	checkWindow(t, tab, in, near, []kernel.SortKey{{Val: 1}, {Val: 3}})
}
