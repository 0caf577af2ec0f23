package placement

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/runtime/several"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Device is the CUDA devices of a database, with the host beside them. They are opened when
// a query first wants one; a machine without one is a normal machine. Any goroutine may
// use it.
type Device struct {
	open    func(ordinal int) (cuda.Device, error)
	most    int // devices that are opened; 0: all
	host    runtime.Backend
	limits  cuda.Options
	machine *machine.Machine

	mu      sync.Mutex // guards what follows
	tried   bool
	devices []cuda.Device
	backend *several.Backend
	err     error // why there is no device, or none any more
	partial error // why there are fewer devices than there were to be
	figures machine.Device
	// saved is by table, its runtime.Versioned.Version, how many nanoseconds the
	// device would have saved had its columns been there.
	saved map[any]float64
}

// maxSaved is the number of tables that saved remembers.
const maxSaved = 1024

// NewDevice returns the devices that open opens when one is wanted, beside the backend of
// the host: the first most of them, or with 0 all, until cuda.ErrNoDevice comes.
func NewDevice(open func(ordinal int) (cuda.Device, error), most int, host runtime.Backend, limits cuda.Options) *Device {
	return &Device{open: open, most: most, host: host, limits: limits, machine: machine.Current(), figures: machine.Current().Device, saved: make(map[any]float64)}
}

// Backend opens the devices if nobody has, and returns their backend, or why there is none.
func (d *Device) Backend() (*several.Backend, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.tried {
		d.tried = true
		if d.err = d.openAll(); d.err == nil {
			info := d.devices[0].Info()
			d.figures = machine.Of(info.Name, info.Bandwidth, info.HostLink)
			d.backend = several.New(d.devices, d.host, d.limits)
		}
	}
	if d.err != nil {
		return nil, d.err
	}
	return d.backend, nil
}

// openAll opens the devices. Where some can be opened, what is wrong with the next one is
// left to Partial.
func (d *Device) openAll() error {
	for ordinal := 0; d.most == 0 || ordinal < d.most; ordinal++ {
		device, err := d.open(ordinal)
		switch {
		case err != nil && ordinal == 0:
			return err
		case errors.Is(err, cuda.ErrNoDevice) && d.most == 0:
			return nil
		case err != nil:
			d.partial = err
			return nil
		}
		d.devices = append(d.devices, device)
	}
	return nil
}

// Partial is why there are fewer devices than there were to be; nil: there are not.
func (d *Device) Partial() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.partial
}

// costs returns what operations cost the device, as far as that is known by now.
func (d *Device) costs() machine.Device {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.figures
}

// IsOpen reports whether there is a device that some query has wanted.
func (d *Device) IsOpen() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.tried && d.err == nil
}

// Require opens the device if nobody has; without one the error is 0A000.
func (d *Device) Require() error {
	if _, err := d.Backend(); err != nil {
		return value.Errorf(value.CodeFeatureNotSupported, "there is no CUDA device: %v", err)
	}
	return nil
}

// retire takes a device out of service after an error that it does not recover from.
func (d *Device) retire(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err != nil {
		return
	}
	if left := withoutLost(d.backend, err); left != nil {
		d.backend, d.partial = left, err
		return
	}
	d.err = err
}

// withoutLost is a backend without the device that an error names; nil where it has no other.
func withoutLost(b *several.Backend, err error) *several.Backend {
	var lost *several.Lost
	if !errors.As(err, &lost) {
		return nil
	}
	return b.Without(lost.Ordinal)
}

// Close closes the devices. Queries that come later find none.
func (d *Device) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tried = true
	if d.err == nil {
		d.err = errors.New("the database is closed")
	}
	devices, errs := d.devices, []error(nil)
	d.devices = nil
	for _, device := range devices {
		if closer, ok := device.(io.Closer); ok {
			if err := closer.Close(); err != nil && !errors.Is(err, cuda.ErrLost) {
				errs = append(errs, fmt.Errorf("closing the CUDA device: %w", err))
			}
		}
	}
	return errors.Join(errs...)
}

// PageLocked returns how much of the host's memory is page-locked to keep tables that
// were streamed to the device, in bytes.
func (d *Device) PageLocked() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.backend == nil {
		return 0
	}
	return d.backend.PageLocked()
}

// pays reports whether steps are to run on the device: where that is quicker, and where
// it would be if their columns were there and what that would have saved so far pays
// for copying them.
func (d *Device) pays(c *cost) bool {
	if c.device < c.host {
		return true
	}
	copying := 1e9 * float64(c.missing) / c.machine.Link
	saved := c.host - (c.device - copying)
	if saved <= 0 || len(c.tables) == 0 {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.saved) >= maxSaved {
		clear(d.saved)
	}
	for _, table := range c.tables {
		d.saved[table] += saved
		if d.saved[table] >= copying {
			delete(d.saved, table)
			return true
		}
	}
	return false
}

// cost is what the steps of a co-location group are likely to take on either side, in
// nanoseconds, and why.
type cost struct {
	host, device  float64
	steps         int
	asked         bool  // whether the device is quicker: what starting the steps takes is less than host
	chosen        bool  // the device
	read, missing int64 // bytes of columns on the device, and those that must come there
	result        int64 // bytes
	machine       machine.Device
	streams       bool
	tables        []any // runtime.Versioned.Version of what must come
}
