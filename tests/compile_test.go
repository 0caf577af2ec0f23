//go:build device

package tests

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/tests/device"
)

// stuck is a device whose compiler does not return until the gate is opened.
type stuck struct {
	cuda.Device
	gate  chan struct{}
	loads atomic.Int32
}

func (s *stuck) Load(ctx context.Context, name, source string) (cuda.Code, error) {
	s.loads.Add(1)
	<-s.gate
	return s.Device.Load(ctx, name, source)
}

// openStuck opens a database on such a device.
func openStuck(t *testing.T, limit time.Duration) (*cubeloom.Session, *stuck) {
	t.Helper()
	d := &stuck{Device: device.Open(t), gate: make(chan struct{})}
	db, err := cubeloom.Open(cubeloom.Options{Device: "cuda", CompileLimit: limit, Devices: 1, OpenDevice: func(int) (cuda.Device, error) { return d, nil }})
	if err != nil {
		t.Fatal(err)
	}
	s := db.Session()
	query(t, s, "SET device = cpu")
	if err := s.Run(context.Background(), sales, func(*cubeloom.Result) error { return nil }); err != nil {
		t.Fatal(err)
	}
	query(t, s, "SET device = cuda")
	return s, d
}

// A query that waits for a compiler that does not return can be stopped, and what is
// compiled in the end is taken by the next one.
func TestStuckCompilerIsLeft(t *testing.T) {
	s, d := openStuck(t, 0)
	const sum = "SELECT item, sum(amount) FROM sales GROUP BY item ORDER BY item"
	query(t, s, "SET statement_timeout = '30ms'")
	var failure *cubeloom.Error
	if _, err := s.Query(context.Background(), sum); !errors.As(err, &failure) || failure.Code != "57014" {
		t.Fatalf("error %v", err)
	}
	query(t, s, "SET statement_timeout = 0")
	loads := d.loads.Load()
	close(d.gate)
	if res, rows := query(t, s, sum); rows != "1 40\n2 20\n3 5" || strings.Contains(ranOn(res), "cpu") || len(res.Notices) > 0 {
		t.Errorf("%q on %s, notices %v", rows, ranOn(res), res.Notices)
	}
	if loads == 0 || d.loads.Load() > 2*loads {
		t.Errorf("%d modules are compiled, then %d", loads, d.loads.Load())
	}
}

// After a limit the CPU answers and the user is told.
func TestStuckCompilerIsGivenUp(t *testing.T) {
	s, d := openStuck(t, time.Millisecond)
	const sum = "SELECT sum(amount) FROM sales WHERE item = 1"
	for range 2 {
		res, rows := query(t, s, sum)
		if rows != "40" || ranOn(res) != "cpu" || len(res.Notices) != 1 || !strings.Contains(res.Notices[0].Message, "has not been compiled after 1ms") {
			t.Errorf("%q on %s, notices %v", rows, ranOn(res), res.Notices)
		}
	}
	if n := d.loads.Load(); n != 1 {
		t.Errorf("the module is compiled %d times", n)
	}
	close(d.gate)
	for range 10000 {
		res, rows := query(t, s, sum)
		if rows != "40" {
			t.Fatalf("%q on %s", rows, ranOn(res))
		}
		if ranOn(res) == "cuda" {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("what was compiled in the end is not used")
}
