// Package device gives tests a CUDA device: the emulated one, or a GPU where the
// environment asks for it.
package device

import (
	"errors"
	"io"
	"os"
	"testing"

	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/cuda/driver"
	"github.com/cubeloom/cubeloom/tests/emulator"
)

// Variable is the environment variable that chooses the device of the tests:
// cuda for the machine's GPU, emulated or nothing for the emulation.
const Variable = "CUBELOOM_TEST_DEVICE"

// Real reports whether tests run on a GPU.
func Real(tb testing.TB) bool {
	tb.Helper()
	switch name := os.Getenv(Variable); name {
	case "", "emulated":
		return false
	case "cuda":
		return true
	default:
		tb.Fatalf("%s is %q: cuda or emulated", Variable, name)
		return false
	}
}

// Limits are what a device is opened with; 0: what it has.
type Limits struct {
	Devices         int   // that there are; 0: one
	Memory          int64 // bytes of each
	PendingLaunches int   // by kernels
}

// OpenerOf returns what opens devices with limits, as Opener does. Where the machine has fewer
// GPUs they are opened several times.
func OpenerOf(tb testing.TB, l Limits) func(ordinal int) (cuda.Device, error) {
	tb.Helper()
	real, gpus := Real(tb), 1
	var with *checks
	if !real {
		with = newChecks(tb)
	}
	if l.Devices > 1 && real {
		gpus = count(tb)
	}
	return func(ordinal int) (cuda.Device, error) {
		switch {
		case ordinal >= max(l.Devices, 1):
			return nil, cuda.ErrNoDevice
		case real:
			return driver.Open(driver.Options{Ordinal: ordinal % gpus, Parts: (l.Devices + gpus - 1) / gpus, MemoryLimit: l.Memory, PendingLaunches: l.PendingLaunches})
		}
		return openEmulated(emulator.Options{Memory: l.Memory, PendingLaunches: l.PendingLaunches, Checked: checked}, with)
	}
}

// count is how many GPUs the machine has.
func count(tb testing.TB) int {
	tb.Helper()
	for n := 0; ; n++ {
		d, err := driver.Open(driver.Options{Ordinal: n})
		if errors.Is(err, cuda.ErrNoDevice) {
			return n
		}
		if err == nil {
			err = d.Close()
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
}

// Opener returns what opens the device. Each call of it opens one of its own,
// which its caller closes.
func Opener(tb testing.TB) func(ordinal int) (cuda.Device, error) { return OpenerOf(tb, Limits{}) }

// Open opens the device for a test and closes it at its end.
func Open(tb testing.TB) cuda.Device {
	tb.Helper()
	d, err := Opener(tb)(0)
	if err != nil {
		tb.Fatal(err)
	}
	if closer, ok := d.(io.Closer); ok {
		tb.Cleanup(func() {
			if err := closer.Close(); err != nil {
				tb.Error(err)
			}
		})
	}
	return d
}
