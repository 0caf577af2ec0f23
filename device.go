package cubeloom

import (
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/cuda/driver"
	"github.com/cubeloom/cubeloom/runtime/placement"
)

// newDevice makes the CUDA device of a database, which is not opened yet.
func newDevice(opts *Options, host runtime.Backend) *placement.Device {
	open := opts.OpenDevice
	if open == nil {
		limit := opts.DeviceMemoryLimit
		open = func() (cuda.Device, error) { return driver.Open(driver.Options{MemoryLimit: limit}) }
	}
	return placement.NewDevice(open, host, cuda.Options{PageLocked: max(opts.PageLockedLimit, 0), CompileLimit: opts.CompileLimit})
}

// PageLockedInUse is how much of the machine's memory is page-locked to keep tables
// that were streamed to a CUDA device, in bytes.
func (db *DB) PageLockedInUse() int64 { return db.core.device.PageLocked() }

// CUDADevice describes the CUDA device that queries run on, or says why there
// is none.
func (db *DB) CUDADevice() (cuda.Info, error) {
	backend, err := db.core.device.Backend()
	if err != nil {
		return cuda.Info{}, err
	}
	return backend.Info(), nil
}
