package cubeloom

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/cubeloom/cubeloom/planner/value"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/cuda/driver"
)

// gpu is the CUDA device of a database. It is opened when a query first wants
// it; a machine without one is a normal machine.
type gpu struct {
	open   func() (cuda.Device, error)
	cpu    runtime.Backend
	limits cuda.Options

	mu      sync.Mutex // guards what follows
	tried   bool
	device  cuda.Device
	backend *cuda.Backend
	err     error // why there is no device, or none any more
	// saved is by table, its runtime.Versioned.Version, how many nanoseconds the
	// device would have saved had its columns been there.
	saved map[any]float64
}

// newGPU makes the device of a database, which is not opened yet.
func newGPU(opts *Options, cpu runtime.Backend) *gpu {
	open := opts.OpenDevice
	if open == nil {
		limit := opts.DeviceMemoryLimit
		open = func() (cuda.Device, error) { return driver.Open(driver.Options{MemoryLimit: limit}) }
	}
	limits := cuda.Options{PageLocked: max(opts.PageLockedLimit, 0), CompileLimit: opts.CompileLimit}
	return &gpu{open: open, cpu: cpu, limits: limits, saved: make(map[any]float64)}
}

// get gives the backend of the device, or the reason why there is none.
func (g *gpu) get() (*cuda.Backend, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.tried {
		g.tried = true
		var device cuda.Device
		if device, g.err = g.open(); g.err == nil {
			g.device = device
			g.backend = cuda.New(device, g.cpu, g.limits)
		}
	}
	if g.err != nil {
		return nil, g.err
	}
	return g.backend, nil
}

// opened tells whether there is a device that some query has wanted.
func (g *gpu) opened() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.tried && g.err == nil
}

// require is an error for users where there is no device.
func (g *gpu) require() error {
	if _, err := g.get(); err != nil {
		return value.Errorf(value.CodeFeatureNotSupported, "there is no CUDA device: %v", err)
	}
	return nil
}

// retire takes the device out of service after an error that it does not
// recover from.
func (g *gpu) retire(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.err == nil {
		g.err = err
	}
}

// close gives the device back.
func (g *gpu) close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.tried = true
	if g.err == nil {
		g.err = errors.New("the database is closed")
	}
	if closer, ok := g.device.(io.Closer); ok {
		g.device = nil
		if err := closer.Close(); err != nil && !errors.Is(err, cuda.ErrLost) {
			return fmt.Errorf("closing the CUDA device: %w", err)
		}
	}
	return nil
}

// PageLockedInUse is how much of the machine's memory is page-locked to keep tables
// that were streamed to a CUDA device, in bytes.
func (db *DB) PageLockedInUse() int64 {
	db.gpu.mu.Lock()
	defer db.gpu.mu.Unlock()
	if db.gpu.backend == nil {
		return 0
	}
	return db.gpu.backend.PageLocked()
}

// CUDADevice describes the CUDA device that queries run on, or says why there
// is none.
func (db *DB) CUDADevice() (cuda.Info, error) {
	backend, err := db.gpu.get()
	if err != nil {
		return cuda.Info{}, err
	}
	return backend.Info(), nil
}
