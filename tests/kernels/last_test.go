//go:build device

package kernels

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/tests/device"
	"github.com/cubeloom/cubeloom/tests/kerneltext"
)

// cutting is a backend whose launches over a source have so many rows at most, and which notes the entries
// that are launched.
type cutting struct {
	runtime.Backend
	rows    int
	entries []string
}

func (c *cutting) Run(ctx context.Context, f *kernel.Func, inputs []any, opts *runtime.RunOptions) (runtime.Output, runtime.Metrics, error) {
	with := *opts
	with.Launch.Rows, with.Explain = c.rows, true
	out, metrics, err := c.Backend.Run(ctx, f, inputs, &with)
	for _, l := range metrics.Device.Launches {
		c.entries = append(c.entries, l.Entry)
	}
	return out, metrics, err
}

// groupedBy is a kernel that groups by a key, or by none, in a table of some kind.
const groupedBy = `kernel "sums" dicts 0
  input 0 relation "t"
  scan 0
    %%0 i32? 1..%d "k" = column 0
    %%1 i32? 1..100 "v" = column 1
  body
  aggregate %s groups %d keys %s
    sum %%1 filter none
      gives %%2 i64? 0..9000000000 "sum"
    max %%1 filter none
      gives %%3 i32? "most"
    count_star filter none
      gives %%4 i64 "n"
  end
end
`

// TestKernelsEndWithTheLastBlock has few groups written by the last block of the last launch over the rows,
// whose rows one launch takes or several, and many by an entry of their own.
func TestKernelsEndWithTheLastBlock(t *testing.T) {
	t.Parallel()
	dev := device.Open(t)
	for _, test := range []struct {
		table, keys  string
		values, rows int
		likely       int
		finishes     bool
	}{
		{"dense", "%0", 300, 5000, 0, false},
		{"dense", "%0", 5, 5000, 0, false},
		{"dense", "%0", 300, 0, 0, false},
		{"dense", "%0", 6000, 5000, 0, true},
		{"hash", "%0", 300, 5000, 300, false},
		{"hash", "%0", 2000, 5000, 10, false}, // more than there is room for at first
		{"hash", "%0", 20000, 9000, 10, true},
		{"hash", "%0", 300, 0, 300, false},
		{"single", "", 300, 5000, 0, false},
		{"single", "", 300, 0, 0, true},
	} {
		for _, cut := range []int{0, 1024} {
			t.Run(fmt.Sprintf("%s %d values %d rows by %d", test.table, test.values, test.rows, cut), func(t *testing.T) {
				f, err := kerneltext.Parse(fmt.Sprintf(groupedBy, test.values, test.table, test.likely, test.keys))
				if err != nil {
					t.Fatal(err)
				}
				b := &cutting{Backend: cuda.New(dev, cpu.New(), cuda.Options{}), rows: cut}
				compareBackends(t, b, []*kernel.Func{f}, test.rows, rand.New(rand.NewPCG(uint64(cut), uint64(test.values))))
				if got := slices.Contains(b.entries, "finish"); got != test.finishes {
					t.Errorf("the entries %q run", b.entries)
				}
			})
		}
	}
}
