package cubeloom_test

import (
	"errors"
	"sync/atomic"
	"testing"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/tests/device"
)

// TestOpenBehind has statements run while the device of the database is opened, queries wait for
// it, and fail where there is none.
func TestOpenBehind(t *testing.T) {
	var isOpen atomic.Bool
	for _, missing := range []bool{false, true} {
		isOpen.Store(false)
		release := make(chan struct{})
		open := func(int) (cuda.Device, error) {
			<-release
			if missing {
				return nil, cuda.ErrNoDevice
			}
			isOpen.Store(true)
			return &device.Null{Bandwidth: 1e9}, nil
		}
		db, err := cubeloom.Open(cubeloom.Options{Device: "cuda", OpenBehind: true, Devices: 1, OpenDevice: open})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		s := db.Session()
		run(t, s, "CREATE TABLE t (a int)")
		run(t, s, "CREATE VIEW v AS SELECT a + 1 AS b FROM t")
		run(t, s, "SET device = cpu")
		run(t, s, "SELECT * FROM v")
		go close(release)
		_, err = db.Session().Query(t.Context(), "EXPLAIN SELECT sum(b) FROM v")
		if missing {
			var e *cubeloom.Error
			if !errors.As(err, &e) || e.Code != "0A000" {
				t.Errorf("without a device: %v", err)
			}
		} else if err != nil || !isOpen.Load() {
			t.Errorf("open %v, %v", isOpen.Load(), err)
		}
	}
}

// TestOpenFailsWithoutDevice opens a database on a machine without the device that it is to have.
func TestOpenFailsWithoutDevice(t *testing.T) {
	_, err := cubeloom.Open(cubeloom.Options{Device: "cuda", OpenDevice: func(int) (cuda.Device, error) { return nil, cuda.ErrNoDevice }})
	var e *cubeloom.Error
	if !errors.As(err, &e) || e.Code != "0A000" {
		t.Errorf("%v", err)
	}
}
