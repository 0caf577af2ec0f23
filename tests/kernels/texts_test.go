//go:build device

package kernels

import (
	"github.com/cubeloom/cubeloom/tests/kerneltext"

	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/tests/device"
)

// TestKernelsLeaveOtherLettersToTheCPU refuses to map the case of letters that are not
// ASCII's, in rows for which it is asked for.
func TestKernelsLeaveOtherLettersToTheCPU(t *testing.T) {
	t.Parallel()
	backend := cuda.New(device.Open(t), cpu.New(), cuda.Options{})
	texts := []string{"K", "Äß", "", "xy", "z"}
	c := &runtime.Chunk{Type: kernel.Str, Enc: runtime.EncStr, Rows: len(texts), Offsets: []uint32{0}}
	for _, s := range texts {
		c.Bytes = append(c.Bytes, s...)
		c.Offsets = append(c.Offsets, uint32(len(c.Bytes)))
	}
	table := &memoryTable{
		types: []kernel.Type{kernel.Str}, rows: int64(len(texts)),
		blocks: []runtime.Block{{Rows: len(texts), Cols: []*runtime.Chunk{c}}},
	}
	for _, test := range []struct {
		above string
		want  []string // nil: refused
	}{
		{"k", []string{`"XY"`, `"Z"`}}, // and those that are not ASCII's
		{"", nil},
	} {
		f, err := kerneltext.Parse(fmt.Sprintf(`kernel "upper" dicts 0
  input 0 relation "t"
  param %%1 str = %q
  param %%2 str = "\xff"
  scan 0
    %%0 str "s" = column 0
  body
    %%3 bool = gt %%0 %%1
    %%4 bool = lt %%0 %%2
    filter %%3
    filter %%4
    %%5 str = upper %%0
  materialize limit -1 offset 0 columns %%5
end
`, test.above))
		if err != nil {
			t.Fatal(err)
		}
		if test.want != nil { // what begins with a byte above 0x7f is left out
			f.Params[1].Val.S = "{"
		}
		out, _, err := backend.Run(context.Background(), f, []any{table}, &runtime.RunOptions{Threads: 1, Account: runtime.NewAccount(0)})
		var refusal *cudagen.Refusal
		switch {
		case test.want == nil:
			if !errors.As(err, &refusal) || !strings.Contains(refusal.Reason, "upper of a text that has other characters than ASCII's") {
				t.Errorf("above %q: error %v", test.above, err)
			}
			continue
		case err != nil:
			t.Fatal(err)
		}
		rows, err := rowTexts(out.(runtime.Relation))
		slices.Sort(rows)
		if err != nil || !slices.Equal(rows, test.want) {
			t.Errorf("above %q: %q, %v; want %q", test.above, rows, err, test.want)
		}
		out.Release()
	}
}
