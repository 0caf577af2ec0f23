//go:build device

package kernels

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate/ordered"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/tests/device"
)

var runsShare = flag.Int("runs.share", 4, "test one of so many forms of grouping runs of rows; 1: all")

// TestRuns groups runs of rows by each number of kernels, with each update and number of rows
// of a thread, in blocks of several sizes: all rows one group, each a group, and runs that end
// at and across the ends of tiles.
func TestRuns(t *testing.T) {
	t.Parallel()
	backend := cuda.New(device.ByText{Device: device.Open(t)}, cpu.New(), cuda.Options{})
	some, rnd := device.Sampler(t.Name(), *runsShare), device.Draw("threads of runs")
	for _, kernels := range []string{"1", "2", "3", "5"} {
		for _, update := range ordered.UpdateNames() {
			for _, rows := range ordered.RowNames() {
				if some() {
					threads := []int{0, 32, 64, 256, 1024}[rnd.IntN(5)]
					name := fmt.Sprintf("%s/%s/%s/%d", kernels, update, rows, threads)
					t.Run(name, func(t *testing.T) { runsByForm(t, backend, kernels, update, rows, threads) })
				}
			}
		}
	}
}

func runsByForm(t *testing.T, backend *cuda.Backend, kernels, update, rows string, threads int) {
	t.Parallel() // most of the time goes into compiling
	want := cudagen.Wants{Threads: threads, Runs: cudagen.RunWants{
		Kernels: forced("ordered_kernels", kernels), Updates: forced("ordered_updates", update), Rows: forced("ordered_rows", rows),
	}}
	target := aggregate.Target(machine.Default().Device)
	funcs := parseFile(t, "testdata/runs.kernels")
	for i, f := range funcs {
		if funcs[i] = wanted(t, target, f, &want); funcs[i] == nil { // too many registers
			funcs[i] = f
		}
	}
	rnd := device.Draw("rows of runs")
	for _, n := range []int{0, 1, 33, 1024, 5000} {
		compareBackends(t, backend, funcs, n, rnd)
	}
}

// randomRuns returns the key of each row: one for all, one for each, or of runs of some
// length, with or without some values left out.
func randomRuns(rnd *rand.Rand) func(row int) int64 {
	length, factor, offset := []int{1, 3, 16, 256, 1000, 1024, 1 << 30}[rnd.IntN(7)], 1+rnd.Int64N(3), rnd.Int64N(5)
	return func(row int) int64 { return int64(row/length)*factor - offset }
}

// ascend sets the keys of the rows to their places in a column.
func (m *memoryTable) ascend(f *kernel.Func, s *kernel.Scan, by kernel.ValueID, key func(row int) int64) {
	for _, c := range s.Cols {
		if c.Dst != by {
			continue
		}
		row := 0
		for i := range m.blocks {
			keys := make([]int64, m.blocks[i].Rows)
			for k := range keys {
				keys[k] = key(row)
				row++
			}
			m.blocks[i].Cols[c.Ordinal] = store.EncodeInts(f.Values[by].Type, keys, nil, 0)
		}
	}
}
