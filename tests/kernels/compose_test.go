//go:build device

package kernels

import (
	"github.com/cubeloom/cubeloom/tests/kerneltext"

	"context"
	"math"
	"slices"
	"testing"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/tests/device"
)

// copied is a kernel that writes its columns as they are.
const copied = `kernel "copy" dicts 0
  input 0 relation "rows"
  scan 0
    %0 i32? "narrow" = column 0
    %1 i64? "long" = column 1
    %2 i128? "wide" = column 2
    %3 f64? "float" = column 3
    %4 bool? "bool" = column 4
  body
  materialize limit -1 offset 0 columns %0 %1 %2 %3 %4
end
`

// TestComposed reads results of several kernels as one relation whose columns are
// theirs, in other places, or constants.
func TestComposed(t *testing.T) {
	t.Parallel()
	dev := device.Open(t)
	backend := cuda.New(dev, cpu.New(), cuda.Options{})
	null, one := value.Value{}, value.Value{Kind: value.Int, I: 1}
	wide := value.Value{Kind: value.Decimal, Num: value.Num{Coef: value.Int128{Hi: 3, Lo: 9}}}
	float, yes := value.Value{Kind: value.Float, F: 2.5}, value.Value{Kind: value.Bool, B: true}
	few := func(x int64) []value.Value { return []value.Value{{Kind: value.Int, I: x}, one, wide, float, yes} }
	none := []value.Value{null, null, null, null, null}
	type part struct {
		rows [][]value.Value
		seen []int         // ordinals, below 0 for constants
		of   []value.Value // the constants
	}
	same := []int{0, 1, 2, 3, 4}
	for name, parts := range map[string][]part{
		"one":       {{rows: [][]value.Value{few(1), none, few(-5)}, seen: []int{0, 1, -1, 3, -1}, of: []value.Value{null, null, null, null, yes}}},
		"two":       {{rows: [][]value.Value{few(7), none}, seen: same}, {rows: [][]value.Value{few(1 << 20)}, seen: same}},
		"constants": {{rows: [][]value.Value{few(7), few(8)}, seen: same}, {rows: [][]value.Value{none, none}, seen: []int{-1, -1, -1, -1, -1}, of: few(math.MinInt32)}},
		"nulls":     {{rows: [][]value.Value{few(7), few(8)}, seen: []int{-1, 1, -1, 3, -1}, of: none}, {rows: [][]value.Value{few(9)}, seen: []int{0, -1, -1, -1, 4}, of: none}},
		"empty":     {{rows: nil, seen: same}, {rows: [][]value.Value{few(9)}, seen: same}, {rows: nil, seen: same}},
		"no rows":   {{rows: nil, seen: same}, {rows: nil, seen: []int{-1, -1, -1, -1, -1}, of: none}},
	} {
		t.Run(name, func(t *testing.T) {
			prog := &codegen.Program{}
			f, err := kerneltext.Parse(copied)
			if err != nil {
				t.Fatal(err)
			}
			types := []kernel.Type{kernel.I32, kernel.I64, kernel.I128, kernel.F64, kernel.Bool}
			all := codegen.Binding{}
			for i, p := range parts {
				input := codegen.Binding{Rows: &codegen.Rows{Types: types, Rows: p.rows}}
				prog.Steps = append(prog.Steps, codegen.Step{Func: f, Inputs: []codegen.Binding{input}})
				seen := make([]codegen.PartCol, len(types))
				for k := range seen {
					seen[k] = codegen.PartCol{Ordinal: p.seen[k], Type: types[k]}
					if p.seen[k] < 0 {
						seen[k].Const = p.of[k]
					}
				}
				all.Parts = append(all.Parts, codegen.Part{Step: i, Cols: seen})
			}
			prog.Steps = append(prog.Steps, codegen.Step{Func: f, Inputs: []codegen.Binding{all}})
			prog.Result = codegen.Binding{Parts: []codegen.Part{{Step: len(parts)}}}
			want, got := executed(t, cpu.New(), prog), executed(t, backend, prog)
			compareRows(t, int64(len(want)), want, got)
		})
	}
}

// executed are the rows of a program.
func executed(t *testing.T, b runtime.Backend, prog *codegen.Program) []string {
	t.Helper()
	opts := &runtime.RunOptions{Threads: 1, Account: runtime.NewAccount(0)}
	run, err := runtime.Execute(context.Background(), prog, runtime.Everywhere(b, len(prog.Steps)), opts)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := rowTexts(run.Rows)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(rows)
	return rows
}
