package ordered_test

import (
	"errors"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/cubeloom/cubeloom/runtime/store/ordered"
)

// counted makes n jobs that give their number; job bad fails.
func counted(n, bad int, running *atomic.Int64) func() (func() (int, error), error) {
	i := 0
	return func() (func() (int, error), error) {
		if i == n {
			return nil, nil
		}
		k := i
		i++
		return func() (int, error) {
			running.Add(1)
			defer running.Add(-1)
			if k%3 == 0 {
				runtime.Gosched()
			}
			if k == bad {
				return 0, errBad
			}
			return k, nil
		}, nil
	}
}

var errBad = errors.New("bad")

func TestResultsComeInOrder(t *testing.T) {
	for _, workers := range []int{0, 1, 2, 7} {
		var running atomic.Int64
		want := 0
		err := ordered.Run(workers, counted(1000, -1, &running), func(k int) error {
			if k != want {
				t.Fatalf("%d workers: got result %d, want %d", workers, k, want)
			}
			want++
			return nil
		})
		if err != nil || want != 1000 {
			t.Fatalf("%d workers: %d results, %v", workers, want, err)
		}
	}
}

func TestErrorsEndTheRun(t *testing.T) {
	var running atomic.Int64
	taken := 0
	err := ordered.Run(4, counted(1<<30, 100, &running), func(int) error { taken++; return nil })
	if !errors.Is(err, errBad) || taken != 100 {
		t.Errorf("job's error: %d results, %v", taken, err)
	}
	err = ordered.Run(4, counted(1<<30, -1, &running), func(k int) error {
		if k == 10 {
			return errBad
		}
		return nil
	})
	if !errors.Is(err, errBad) {
		t.Errorf("error of take: %v", err)
	}
	err = ordered.Run(4, func() (func() (int, error), error) { return nil, errBad }, func(int) error { return nil })
	if !errors.Is(err, errBad) {
		t.Errorf("error of next: %v", err)
	}
	if n := running.Load(); n != 0 {
		t.Errorf("%d jobs run after Run has returned", n)
	}
}
