//go:build device

package tests

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/tests/device"
)

// stuck is a device whose compiler does not return until the gate is opened. It sends the
// source of each module on asked.
type stuck struct {
	cuda.Device
	gate  chan struct{}
	asked chan string
}

func newStuck(d cuda.Device) *stuck {
	return &stuck{Device: d, gate: make(chan struct{}), asked: make(chan string, 1000)}
}

func (s *stuck) Load(ctx context.Context, name, source string) (cuda.Code, error) {
	s.asked <- source
	<-s.gate
	return s.Device.Load(ctx, name, source)
}

// openStuck opens a database on such a device.
func openStuck(t *testing.T, limit time.Duration) (*cubeloom.Session, *stuck) {
	t.Helper()
	d := newStuck(device.Open(t))
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
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var failed error
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, failed = s.Query(ctx, sum)
	}()
	first := <-d.asked
	cancel()
	<-ended
	var failure *cubeloom.Error
	if !errors.As(failed, &failure) || failure.Code != "57014" {
		t.Fatalf("error %v", failed)
	}
	close(d.gate)
	if res, rows := query(t, s, sum); rows != "1 40\n2 20\n3 5" || strings.Contains(ranOn(res), "cpu") || len(res.Notices) > 0 {
		t.Errorf("%q on %s, notices %v", rows, ranOn(res), res.Notices)
	}
	close(d.asked)
	sources := map[string]bool{first: true}
	for source := range d.asked {
		if sources[source] {
			t.Error("a module is compiled twice")
		}
		sources[source] = true
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
	if n := len(d.asked); n != 1 {
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
