package cpu

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// benchRows is the number of rows of the benchmarks. What counts is the least
// processor time of a row, which depends little on what else runs.
var benchRows = flag.Int("rows", 4<<20, "rows of the benchmarks of aggregation")

// storedInts makes a relation of one block for each BlockRows rows, whose
// columns hold what the functions give, at the width that their limits need.
func storedInts(rows int, cols ...storedInt) *memoryTable {
	rel := &memoryTable{rows: int64(rows)}
	for range cols {
		rel.types = append(rel.types, kernel.I64)
	}
	for at := 0; at < rows; at += runtime.BlockRows {
		b := runtime.Block{Rows: min(runtime.BlockRows, rows-at)}
		for _, col := range cols {
			c := &runtime.Chunk{Type: kernel.I64, Rows: b.Rows, HasRange: true, Max: int64(col.limit) - 1}
			switch n := bits.Len64(col.limit - 1); {
			case n <= 8:
				c.Enc, c.U8 = runtime.EncU8, fillInts[uint8](b.Rows, col.next)
			case n <= 16:
				c.Enc, c.U16 = runtime.EncU16, fillInts[uint16](b.Rows, col.next)
			case n <= 32:
				c.Enc, c.U32 = runtime.EncU32, fillInts[uint32](b.Rows, col.next)
			default:
				c.Enc, c.I64, c.HasRange = runtime.EncI64, fillInts[int64](b.Rows, col.next), false
			}
			b.Cols = append(b.Cols, c)
		}
		rel.blocks = append(rel.blocks, b)
	}
	return rel
}

type storedInt struct {
	limit uint64 // values are below; 0: 2^64
	next  func() uint64
}

func fillInts[T uint8 | uint16 | uint32 | int64](n int, next func() uint64) []T {
	dst := make([]T, n)
	for i := range dst {
		dst[i] = T(next())
	}
	return dst
}

// uniform returns values below n.
func uniform(n uint64) storedInt {
	r := rand.New(rand.NewPCG(1, n))
	return storedInt{limit: n, next: func() uint64 { return r.Uint64N(n) }}
}

// scattered returns n values all over 64 bits.
func scattered(n uint64) storedInt {
	r := rand.New(rand.NewPCG(2, n))
	return storedInt{next: func() uint64 { return (r.Uint64N(n) + 1) * 0x9e3779b97f4a7c15 }}
}

// sumBy is SELECT g, sum(v) GROUP BY g.
func sumBy(strategy kernel.Strategy, partitioned bool, g kernel.Range) *kernel.Func {
	types := []kernel.Type{kernel.I64, kernel.I64, kernel.I128}
	f := funcOf(types, 2, nil, &kernel.Aggregate{Strategy: strategy, Partitioned: partitioned, Keys: []kernel.ValueID{0},
		Accs: []kernel.Acc{{Op: kernel.AccSum, Args: []kernel.ValueID{1}, Filter: kernel.NoValue, Dst: []kernel.ValueID{2}}}})
	f.Values[0].Nullable, f.Values[1].Nullable = false, false
	f.Values[0].Range = g
	return f
}

func runBench(b *testing.B, f *kernel.Func, rows int, inputs ...any) {
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			best := time.Duration(math.MaxInt64)
			for b.Loop() {
				started := processorTime(b)
				out, _, err := New().Run(context.Background(), f, inputs, &runtime.RunOptions{Threads: threads, Account: runtime.NewAccount(0)})
				if err != nil {
					b.Fatal(err)
				}
				out.Release()
				best = min(best, processorTime(b)-started)
			}
			b.ReportMetric(float64(best.Nanoseconds())/float64(rows), "cpu-ns/row")
		})
	}
}

// processorTime is the time that the process has been running on any core.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func BenchmarkSumDense(b *testing.B) {
	for _, n := range []uint64{1, 16, 256, 4096, 1 << 16, 1 << 18, 1 << 20, 1 << 24} {
		in := storedInts(*benchRows, uniform(n), uniform(1000))
		for _, partitioned := range []bool{false, true} {
			b.Run(fmt.Sprintf("groups=%d/partitioned=%t", n, partitioned), func(b *testing.B) {
				runBench(b, sumBy(kernel.Dense, partitioned, kernel.Range{Known: true, Hi: int64(n) - 1}), *benchRows, in)
			})
		}
	}
}

func BenchmarkSumScattered(b *testing.B) {
	for _, n := range []uint64{1, 16, 256, 4096, 1 << 16, 1 << 20, 1 << 24} {
		in := storedInts(*benchRows, scattered(n), uniform(1000))
		for _, partitioned := range []bool{false, true} {
			b.Run(fmt.Sprintf("groups=%d/partitioned=%t", n, partitioned), func(b *testing.B) {
				runBench(b, sumBy(kernel.Hash, partitioned, kernel.Range{}), *benchRows, in)
			})
		}
	}
}
