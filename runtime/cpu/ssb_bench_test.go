package cpu

import (
	"github.com/cubeloom/cubeloom/tests/kerneltext"

	"context"
	"math/rand/v2"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// buildDates is the build side of SSB's Q1.1, and sumRevenue its scan.
const buildDates = `kernel "build" dicts 0
  input 0 relation "date"
  param %0 i32 0..2047 = 1993
  scan 0
    %1 i32 19920101..19981230 = column 0
    %2 i32 1992..1998 = column 1
  body
    %3 bool = eq %2 %0
    filter %3
  build dense rows 0 keys %1 payload
end
`

const sumRevenue = `kernel "sum" dicts 0
  input 0 relation "lineorder"
  input 1 table "by d_datekey"
  param %0 i32 0..1 = 1
  param %1 i32 0..3 = 3
  param %2 i32 0..31 = 25
  scan 0
    %3 i32 19920101..19980802 = column 0
    %4 i32 1..50 = column 1
    %5 i32 90100..10494950 = column 2
    %6 i32 0..10 = column 3
  body
    %7 bool = ge %6 %0
    filter %7
    %8 bool = le %6 %1
    filter %8
    %9 bool = lt %4 %2
    filter %9
    probe inner 1 keys %3
    end
    %10 i32 0..104949500 = mul %5 %6
  aggregate single groups 1 keys
    sum %10 filter none
      gives %11 i64? 0..1609819653829662000
  end
end
`

// filterProduct is the scan of Q1.1 without the join, the date being compared
// directly.
const filterProduct = `kernel "product" dicts 0
  input 0 relation "lineorder"
  param %0 i32 0..1 = 1
  param %1 i32 0..3 = 3
  param %2 i32 0..31 = 25
  param %12 i32 0..31000000 = 19930101
  param %13 i32 0..31000000 = 19931231
  scan 0
    %3 i32 19920101..19980802 = column 0
    %4 i32 1..50 = column 1
    %5 i32 90100..10494950 = column 2
    %6 i32 0..10 = column 3
  body
    %7 bool = ge %6 %0
    filter %7
    %8 bool = le %6 %1
    filter %8
    %9 bool = lt %4 %2
    filter %9
    %14 bool = ge %3 %12
    filter %14
    %15 bool = le %3 %13
    filter %15
    %10 i32 0..104949500 = mul %5 %6
  aggregate single groups 1 keys
    sum %10 filter none
      gives %11 i64? 0..1609819653829662000
  end
end
`

// lineorderRows is the size of SSB's lineorder at scale 1.
const lineorderRows = 6_000_000

// dates are the keys of SSB's date dimension, with their years.
func dates() (keys, years []int32) {
	for y := int32(1992); y <= 1998; y++ {
		for m := range int32(12) {
			for d := range int32(30) {
				keys = append(keys, y*10000+(m+1)*100+d+1)
				years = append(years, y)
			}
		}
	}
	return keys, years
}

// lineorder makes the columns of Q1.1.
func lineorder(rows int) *memoryTable {
	rng := rand.New(rand.NewPCG(1, 2))
	keys, _ := dates()
	rel := &memoryTable{types: []kernel.Type{kernel.I32, kernel.I32, kernel.I32, kernel.I32}}
	for at := 0; at < rows; at += runtime.BlockRows {
		n := min(runtime.BlockRows, rows-at)
		cols := make([][]int32, 4)
		for c := range cols {
			cols[c] = make([]int32, n)
		}
		for i := range n {
			cols[0][i] = keys[rng.IntN(len(keys)-150)]
			cols[1][i] = 1 + rng.Int32N(50)
			cols[2][i] = 90100 + rng.Int32N(10000000)
			cols[3][i] = rng.Int32N(11)
		}
		block := runtime.Block{Rows: n}
		for _, c := range cols {
			block.Cols = append(block.Cols, vector.Encode(ints(c), n))
		}
		rel.blocks = append(rel.blocks, block)
		rel.rows += int64(n)
	}
	return rel
}

// ints makes a vector of integers.
func ints(vals []int32) *vector.Vector {
	v := vector.New(kernel.I32, 0)
	vector.Set(v, vals)
	return v
}

// mustParse reads a kernel.
func mustParse(tb testing.TB, text string) *kernel.Func {
	tb.Helper()
	f, err := kerneltext.Parse(text)
	if err != nil {
		tb.Fatal(err)
	}
	if err := kernel.Verify(f); err != nil {
		tb.Fatal(err)
	}
	return f
}

// benchKernel runs a kernel on one thread and reports the time per row.
func benchKernel(b *testing.B, f *kernel.Func, rows int, inputs ...any) {
	b.Helper()
	for range b.N {
		out, _, err := New().Run(context.Background(), f, inputs, &runtime.RunOptions{Threads: 1, Account: runtime.NewAccount(0)})
		if err != nil {
			b.Fatal(err)
		}
		out.Release()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows), "ns/row")
}

func BenchmarkSSB(b *testing.B) {
	lo := lineorder(lineorderRows)
	keys, years := dates()
	date := &memoryTable{types: []kernel.Type{kernel.I32, kernel.I32}, rows: int64(len(keys)), blocks: []runtime.Block{{
		Rows: len(keys),
		Cols: []*runtime.Chunk{
			vector.Encode(ints(keys), len(keys)),
			vector.Encode(ints(years), len(keys)),
		},
	}}}
	table, _, err := New().Run(context.Background(), mustParse(b, buildDates), []any{date}, &runtime.RunOptions{Threads: 1})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("q1.1", func(b *testing.B) { benchKernel(b, mustParse(b, sumRevenue), lineorderRows, lo, table) })
	b.Run("product", func(b *testing.B) { benchKernel(b, mustParse(b, filterProduct), lineorderRows, lo) })
}

func BenchmarkMaterialize(b *testing.B) {
	lo := lineorder(lineorderRows / 4)
	all := funcOf(lo.types, 4, nil, &kernel.Materialize{Cols: []kernel.ValueID{0, 1, 2, 3}, Limit: -1})
	b.Run("all", func(b *testing.B) { benchKernel(b, all, lineorderRows/4, lo) })
	sort := funcOf(lo.types, 4, nil, &kernel.Sort{Cols: []kernel.ValueID{0, 1, 2, 3}, Keys: []kernel.SortKey{{Val: 0}, {Val: 2, Desc: true}}, Limit: -1})
	b.Run("sort", func(b *testing.B) { benchKernel(b, sort, lineorderRows/4, lo) })
	top := funcOf(lo.types, 4, nil, &kernel.Sort{Cols: []kernel.ValueID{0, 1, 2, 3}, Keys: []kernel.SortKey{{Val: 2, Desc: true}}, Limit: 10, Top: true})
	b.Run("top10", func(b *testing.B) { benchKernel(b, top, lineorderRows/4, lo) })
}
