package cpu

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

// numbers is a column of n integers from first on.
func numbers(first, n int) column {
	c := column{typ: kernel.I32}
	for i := range n {
		c.vals = append(c.vals, first+i)
	}
	return c
}

// greater is a kernel that writes column 1 of the rows whose column 0 is above
// bound, and lets blocks be skipped.
func greater(bound int) *kernel.Func {
	f := funcOf([]kernel.Type{kernel.I32, kernel.I32, kernel.I32, kernel.I32, kernel.Bool}, 3, kernel.Block{
		&kernel.Compute{Op: kernel.OpGt, Dst: 4, Args: []kernel.ValueID{0, 3}},
		&kernel.Filter{Cond: 4},
	}, ordered(1))
	f.Params = []kernel.Param{{Dst: 3, Val: value.Value{Kind: value.Int, I: int64(bound)}}}
	f.Source.(*kernel.Scan).Prune = []kernel.Prune{{Ordinal: 0, Lo: 3, Hi: kernel.NoValue}}
	return f
}

func TestMetrics(t *testing.T) {
	in := table(100, numbers(0, 1000), numbers(5000, 1000), numbers(0, 1000))
	opts := runtime.RunOptions{Threads: 1, Account: runtime.NewAccount(0), Progress: &runtime.Progress{}}
	out, m, err := New().Run(context.Background(), greater(949), []any{in}, &opts)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Release()
	if m.RowsIn != 100 || m.RowsOut != 50 || m.BlocksSkipped != 9 {
		t.Errorf("%d rows in, %d out, %d blocks skipped; want 100, 50, 9", m.RowsIn, m.RowsOut, m.BlocksSkipped)
	}
	// Columns 0 and 1 are stored in a byte each; nothing reads column 2.
	if m.BytesRead != 200 {
		t.Errorf("%d bytes read, want 200", m.BytesRead)
	}
	if m.BytesWritten != 50 {
		t.Errorf("%d bytes written, want 50", m.BytesWritten)
	}
	if done, total := opts.Progress.RowsDone.Load(), opts.Progress.RowsTotal.Load(); done != 1000 || total != 1000 {
		t.Errorf("progress %d of %d, want 1000 of 1000", done, total)
	}
}

func TestMemoryLimit(t *testing.T) {
	in := table(1000, numbers(0, 50_000))
	for name, sink := range map[string]kernel.Sink{
		"materialize": ordered(0),
		"sort":        &kernel.Sort{Keys: []kernel.SortKey{{Val: 0}}, Cols: []kernel.ValueID{0}, Limit: -1},
	} {
		for _, threads := range []int{1, 2} {
			account := runtime.NewAccount(20_000)
			f := funcOf([]kernel.Type{kernel.I32}, 1, nil, sink)
			_, _, err := New().Run(context.Background(), f, []any{in}, &runtime.RunOptions{Threads: threads, Account: account})
			var e *value.Error
			if !errors.As(err, &e) || e.Code != value.CodeOutOfMemory {
				t.Errorf("%s: error %v, want 53200", name, err)
			}
			if account.Used() != 0 {
				t.Errorf("%s: %d bytes are still charged", name, account.Used())
			}
		}
	}
}

// TestCancel cancels a kernel that would give more rows than any run could.
func TestCancel(t *testing.T) {
	in := table(1, col(kernel.I64, 1<<50))
	f := funcOf([]kernel.Type{kernel.I64, kernel.Bool}, 1, kernel.Block{
		&kernel.Repeat{Count: 0, Index: kernel.NoValue},
		&kernel.Compute{Op: kernel.OpIsNull, Dst: 1, Args: []kernel.ValueID{0}},
		&kernel.Filter{Cond: 1},
	}, ordered(0))
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, _, err := New().Run(ctx, f, []any{in}, &runtime.RunOptions{Threads: 2})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want the context's", err)
	}
	if _, _, err = New().Run(ctx, f, []any{in}, &runtime.RunOptions{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v of a run that begins too late, want the context's", err)
	}
}
