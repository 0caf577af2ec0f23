package cpu

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/value"
)

// compareCells orders two cells of one type, neither NULL.
func compareCells(a, b any) int {
	switch a := a.(type) {
	case bool:
		return int(vector.B2u(a)) - int(vector.B2u(b.(bool)))
	case int:
		return cmp.Compare(a, b.(int))
	case float64:
		b := b.(float64)
		if math.IsNaN(a) || math.IsNaN(b) {
			return int(vector.B2u(math.IsNaN(a))) - int(vector.B2u(math.IsNaN(b)))
		}
		return cmp.Compare(a+0, b+0)
	case value.Int128:
		return a.Cmp(b.(value.Int128))
	case value.Num:
		return a.Cmp(b.(value.Num))
	}
	return strings.Compare(a.(string), b.(string))
}

// randomCell makes a value of few different ones, or NULL.
func randomCell(rng *rand.Rand, t kernel.Type) any {
	if rng.IntN(6) == 0 {
		return nil
	}
	n := rng.IntN(7) - 3
	switch t {
	case kernel.Bool:
		return n > 0
	case kernel.I32:
		return []int{math.MinInt32, math.MaxInt32, n}[rng.IntN(3)]
	case kernel.I64:
		return []int{math.MinInt64, math.MaxInt64, math.MaxInt64 - 1, n}[rng.IntN(4)]
	case kernel.F64:
		return []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0, float64(n) / 2}[rng.IntN(6)]
	case kernel.I128:
		return []value.Int128{{Hi: 1, Lo: uint64(n)}, {Hi: -2}, i128(int64(n))}[rng.IntN(3)]
	case kernel.Num:
		return []value.Num{dec(int64(n)*10, 1), dec(int64(n), 0), dec(int64(n), 2)}[rng.IntN(3)]
	}
	return []string{"", "a", "longer than eight", "longer than eighty", "b\x00", "b"}[rng.IntN(6)]
}

var sortableTypes = []kernel.Type{kernel.Bool, kernel.I32, kernel.I64, kernel.F64, kernel.I128, kernel.Num, kernel.Str, kernel.Code}

// TestSortRandom sorts by random keys of every type and compares the order of
// the keys with a plain sort. Other columns must stay with their keys: the last
// column is the row's number.
func TestSortRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 120 {
		n := []int{0, 1, 7, 40, 700}[rng.IntN(5)]
		var cols []column
		var keys []kernel.SortKey
		for i := range 1 + rng.IntN(3) {
			c := column{typ: sortableTypes[(round+i*3)%len(sortableTypes)]}
			for range n {
				c.vals = append(c.vals, randomCell(rng, c.typ))
			}
			cols = append(cols, c)
			keys = append(keys, kernel.SortKey{Val: kernel.ValueID(i), Desc: rng.IntN(2) == 0, NullsFirst: rng.IntN(2) == 0})
		}
		id := column{typ: kernel.I32}
		for i := range n {
			id.vals = append(id.vals, i)
		}
		in := table(100, append(cols, id)...)
		sink := &kernel.Sort{Keys: keys, Cols: []kernel.ValueID{kernel.ValueID(len(cols))}, Limit: int64(rng.IntN(60)) - 1, Offset: int64(rng.IntN(3))}
		sink.Top = sink.Limit >= 0 && rng.IntN(2) == 0
		order := referenceOrder(n, cols, keys)
		first := min(int(sink.Offset), n)
		last := n
		if sink.Limit >= 0 {
			last = min(n, first+int(sink.Limit))
		}
		for _, opts := range configs {
			out, err := runKernel(t, funcOf(in.types, len(in.types), nil, sink), opts, in)
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Fields(out)
			if len(got) != last-first {
				t.Fatalf("round %d: %d rows, want %d", round, len(got), last-first)
			}
			seen := map[string]bool{}
			for i, g := range got {
				var row int
				fmt.Sscan(g, &row)
				if seen[g] || compareRows(cols, keys, row, order[first+i]) != 0 {
					t.Fatalf("round %d, %d threads, vectors of %d: row %d of the result is %d, want one equal to %d", round, opts.Threads, opts.VectorRows, i, row, order[first+i])
				}
				seen[g] = true
			}
		}
	}
}

func referenceOrder(n int, cols []column, keys []kernel.SortKey) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return compareRows(cols, keys, a, b) })
	return order
}

func compareRows(cols []column, keys []kernel.SortKey, a, b int) int {
	for i, k := range keys {
		x, y := cols[i].vals[a], cols[i].vals[b]
		c := 0
		switch {
		case x == nil && y == nil:
		case x == nil || y == nil:
			c = 1
			if (x == nil) == k.NullsFirst {
				c = -1
			}
		default:
			c = compareCells(x, y)
			if k.Desc {
				c = -c
			}
		}
		if c != 0 {
			return c
		}
	}
	return 0
}

// TestSortManyRows goes through the radix sort, the ranges and the early cut.
func TestSortManyRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	c := column{typ: kernel.I64}
	for range 200_000 {
		c.vals = append(c.vals, rng.IntN(1<<40))
	}
	in := table(1<<16, c)
	want := make([]int, len(c.vals))
	for i, v := range c.vals {
		want[i] = v.(int)
	}
	slices.Sort(want)
	for _, limit := range []int64{-1, 10, 5000} {
		for _, opts := range configs {
			if opts.VectorRows != 0 {
				continue
			}
			f := funcOf(in.types, 1, nil, &kernel.Sort{Keys: []kernel.SortKey{{Val: 0}}, Cols: []kernel.ValueID{0}, Limit: limit, Top: limit >= 0})
			out, err := runKernel(t, f, opts, in)
			if err != nil {
				t.Fatal(err)
			}
			n := len(want)
			if limit >= 0 {
				n = int(limit)
			}
			if got := strings.Fields(out); fmt.Sprint(got) != fmt.Sprint(want[:n]) {
				t.Errorf("limit %d, %d threads: wrong order", limit, opts.Threads)
			}
		}
	}
}
