package cpu

import (
	"context"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom/sql/value"
)

// TestFunctionsShareTheirSlice has a short query compute while another one is in the midst
// of a function over large values.
func TestFunctionsShareTheirSlice(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cores := newScheduler(1)
	running, err := cores.take(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer running.give()
	w := &worker{run: &run{ctx: ctx}, slice: running}
	w.meter = value.NewMeter(workerSource{w})
	came := make(chan error, 1)
	go func() {
		h, err := cores.take(ctx, nil)
		if err == nil {
			h.give()
		}
		came <- err
	}()
	for {
		if err := w.meter.Check(1 << 20); err != nil {
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
