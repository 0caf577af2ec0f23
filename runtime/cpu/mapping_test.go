package cpu

import (
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

// runAll runs a kernel under every configuration and compares what it writes.
func runAll(t *testing.T, f *kernel.Func, want string, inputs ...any) {
	t.Helper()
	for _, opts := range configs {
		got, err := runKernel(t, f, opts, inputs...)
		if err != nil {
			t.Fatalf("%d threads, vectors of %d: %v\n%s", opts.Threads, opts.VectorRows, err, kernel.Print(f))
		}
		if got != want {
			t.Errorf("%d threads, vectors of %d: %q, want %q", opts.Threads, opts.VectorRows, got, want)
		}
	}
}

// ordered is a sink that writes all rows of some values.
func ordered(ids ...kernel.ValueID) *kernel.Materialize {
	return &kernel.Materialize{Cols: ids, Limit: -1, Ordered: true}
}

func TestMapGivesCodes(t *testing.T) {
	in := table(2, col(kernel.Code, "b", "A", nil, "a", "B", "b"))
	types := []kernel.Type{kernel.Code, kernel.Str, kernel.Str, kernel.Code, kernel.I32, kernel.Code}
	body := kernel.Block{
		&kernel.Map{Src: 0, Arg: 1, Result: 2, Dst: 3, Body: kernel.Block{
			&kernel.Compute{Op: kernel.OpUpper, Dst: 2, Args: []kernel.ValueID{1}},
		}},
		&kernel.Compute{Op: kernel.OpRank, Dst: 4, Args: []kernel.ValueID{3}},
		&kernel.Compute{Op: kernel.OpUnrank, Dst: 5, Args: []kernel.ValueID{4}},
	}
	f := funcOf(types, 1, body, ordered(3, 4, 5))
	f.Values[5].Dict = 3
	runAll(t, f, "B 1 B\nA 0 A\n<nil> <nil> <nil>\nA 0 A\nB 1 B\nB 1 B\n", in)
}

func TestMapOfNull(t *testing.T) {
	in := table(2, col(kernel.Code, "x", nil, "y", nil))
	types := []kernel.Type{kernel.Code, kernel.Str, kernel.Bool, kernel.Bool}
	body := kernel.Block{&kernel.Map{Src: 0, Arg: 1, Result: 2, Dst: 3, Body: kernel.Block{
		&kernel.Compute{Op: kernel.OpIsNull, Dst: 2, Args: []kernel.ValueID{1}},
	}}}
	runAll(t, funcOf(types, 1, body, ordered(3)), "false\ntrue\nfalse\ntrue\n", in)
	runAll(t, funcOf(types, 1, append(body, &kernel.Filter{Cond: 3}), ordered(0)), "<nil>\n<nil>\n", in)
}

// TestMapErrors: an entry that no row has raises no error, and neither does one
// that only rows have which are filtered out before.
func TestMapErrors(t *testing.T) {
	in := table(3, col(kernel.Code, "1", "x", "2"), col(kernel.Bool, true, false, true))
	types := []kernel.Type{kernel.Code, kernel.Bool, kernel.Str, kernel.I32, kernel.I32}
	parse := &kernel.Map{Src: 0, Arg: 2, Result: 3, Dst: 4, Body: kernel.Block{
		&kernel.Compute{Op: kernel.OpParse, Dst: 3, Args: []kernel.ValueID{2}, Pos: 5},
	}}
	runAll(t, funcOf(types, 2, kernel.Block{&kernel.Filter{Cond: 1}, parse}, ordered(4)), "1\n2\n", in)
	for _, opts := range configs {
		_, err := runKernel(t, funcOf(types, 2, kernel.Block{parse}, ordered(4)), opts, in)
		e, ok := err.(*value.Error)
		if !ok || e.Code != value.CodeInvalidText || e.Pos != 5 {
			t.Errorf("error %v, want 22P02 at 5", err)
		}
	}
}

// TestIfErrors: the arm that is not taken raises nothing, and a column that one
// arm reads first is there for all rows afterwards.
func TestIfErrors(t *testing.T) {
	in := table(3, col(kernel.I32, 0, 2, nil, 5), col(kernel.I32, 10, 10, 10, 11))
	types := []kernel.Type{kernel.I32, kernel.I32, kernel.I32, kernel.Bool, kernel.I32, kernel.I32, kernel.I32}
	f := funcOf(types, 2, kernel.Block{
		&kernel.Compute{Op: kernel.OpNe, Dst: 3, Args: []kernel.ValueID{0, 2}},
		&kernel.If{Cond: 3, Dst: 5, ThenVal: 4, ElseVal: 2, Then: kernel.Block{
			&kernel.Compute{Op: kernel.OpDiv, Dst: 4, Args: []kernel.ValueID{1, 0}},
		}},
		&kernel.Compute{Op: kernel.OpAdd, Dst: 6, Args: []kernel.ValueID{1, 5}},
	}, ordered(5, 6))
	f.Params = []kernel.Param{{Dst: 2, Val: value.Value{Kind: value.Int}}}
	runAll(t, f, "0 10\n5 15\n0 10\n2 13\n", in)
}

func TestPanicBecomesError(t *testing.T) {
	in := table(3, col(kernel.I32, 1, 2))
	broken := funcOf([]kernel.Type{kernel.I32}, 1, kernel.Block{&kernel.Compute{Op: kernel.OpNeg, Dst: 9, Args: []kernel.ValueID{0}}}, ordered(0))
	_, err := runKernel(t, broken, configs[0], in)
	e, ok := err.(*value.Error)
	if !ok || e.Code != value.CodeInternal || !strings.Contains(e.Message, "test") {
		t.Errorf("error %v, want XX000 naming the kernel", err)
	}
}
