//go:build device

package kernels

import (
	"github.com/cubeloom/cubeloom/tests/kerneltext"

	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/tests/device"
)

// TestKernelsWithTooFewSlots expects fewer groups than there are, by keys of one word and
// of several, and of rows that are merged with others by all threads of a block: the first
// table is given up. The second is made for what the rows tell that were seen until then, which
// depends on the order of the threads; the third, which has sixteen times as many slots as the
// first at least, has room for all.
func TestKernelsWithTooFewSlots(t *testing.T) {
	t.Parallel()
	backend := cuda.New(device.Open(t), cpu.New(), cuda.Options{})
	for _, test := range []struct{ name, merge, keys, pass string }{
		{"one key", "", "%0", "scan_aggregate"},
		{"keys", "", "%0 %1 %2", "scan_aggregate"},
		{"merged keys", "\n    probe semi 1 sorted 0 unique keys %0\n    end", "%0 %1 %2", "scan_merge_aggregate"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, err := kerneltext.Parse(fmt.Sprintf(`kernel "sums" dicts 0
  input 0 relation "t"
  input 1 relation "t"
  scan 0
    %%0 i64 "k" = column 0
    %%1 i64 "j" = column 1
    %%2 i64 "i" = column 2
  body%s
  aggregate hash groups 10 keys %s
    sum %%0 filter none
      gives %%3 i128 "sum"
  end
end
`, test.merge, test.keys))
			if err != nil {
				t.Fatal(err)
			}
			const rows = 5000
			values := make([]int64, rows)
			for i := range values {
				values[i] = int64(i) * 1e12
			}
			c := store.EncodeInts(kernel.I64, values, nil, 0)
			table := &memoryTable{
				types: []kernel.Type{kernel.I64, kernel.I64, kernel.I64}, rows: rows,
				blocks: []runtime.Block{{Rows: rows, Cols: []*runtime.Chunk{c, c, c}}},
			}
			tables := map[string]*memoryTable{f.Name: table}
			want, err := runAll(cpu.New(), []*kernel.Func{f}, tables)
			if err != nil {
				t.Fatal(err)
			}
			got, err := runAll(backend, []*kernel.Func{f}, tables)
			if err != nil {
				t.Fatal(err)
			}
			compareRows(t, rows, want, got)
			entries := launchedEntries(t, backend, f, table, table)
			two, three := []string{test.pass, test.pass, "finish"}, []string{test.pass, test.pass, test.pass, "finish"}
			if !slices.Equal(entries, two) && !slices.Equal(entries, three) {
				t.Errorf("the entries %q run, not %q or %q", entries, two, three)
			}
		})
	}
}

// TestKernelsWithManyCells goes over more cells than a block of the usual size has slots for:
// large blocks have them for all cells, or for those of one range after the other.
func TestKernelsWithManyCells(t *testing.T) {
	t.Parallel()
	dev := device.Open(t)
	backend := cuda.New(dev, cpu.New(), cuda.Options{})
	// Rows that are worth a large block on each multiprocessor, for three accumulators.
	worth := (16<<10*dev.Info().SMs + 2) / 3
	for _, test := range []struct{ cells, rows, launches int }{
		{5000, worth, 1},
		{30_000, 3 * worth, 3},
		{5000, 10, 1},
	} {
		t.Run(fmt.Sprintf("%d cells %d rows", test.cells, test.rows), func(t *testing.T) {
			f, err := kerneltext.Parse(fmt.Sprintf(`kernel "sums" dicts 0
  input 0 relation "t"
  scan 0
    %%0 i32 1..%d "k" = column 0
    %%1 i32 1..100 "v" = column 1
  body
  aggregate dense groups 0 keys %%0
    sum %%1 filter none
      gives %%2 i64 0..9000000000 "sum"
    count_star filter none
      gives %%3 i64 "n"
    max %%1 filter none
      gives %%4 i32 "most"
  end
end
`, test.cells))
			if err != nil {
				t.Fatal(err)
			}
			rnd := rand.New(rand.NewPCG(1, 2))
			compareBackends(t, backend, []*kernel.Func{f}, test.rows, rnd)
			table := randomTable(f, f.Source.(*kernel.Scan), test.rows, rnd)
			launches := 0
			for _, entry := range launchedEntries(t, backend, f, table) {
				if entry == "scan_aggregate" {
					launches++
				}
			}
			if launches != test.launches {
				t.Errorf("the rows are gone over %d times, not %d", launches, test.launches)
			}
		})
	}
}
