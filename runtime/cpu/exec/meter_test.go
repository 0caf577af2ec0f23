package exec

import (
	"context"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom/runtime/cpu/scheduler"
	"github.com/cubeloom/cubeloom/sql/value"
)

// TestFunctionsShareTheirSlice has a short query compute while another one is in the midst
// of a function over large values.
func TestFunctionsShareTheirSlice(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cores := scheduler.New(1)
	running, err := cores.Take(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer running.Give()
	w := &Worker{Run: &Run{Ctx: ctx}, Slice: running}
	w.Meter = value.NewMeter(WorkerSource{w})
	came := make(chan error, 1)
	go func() {
		h, err := cores.Take(ctx, nil)
		if err == nil {
			h.Give()
		}
		came <- err
	}()
	for {
		if err := w.Meter.Check(1 << 20); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-came:
			if err != nil {
				t.Fatal(err)
			}
			return
		default:
		}
	}
}
