package driver

import (
	"context"
	"fmt"
	"unsafe"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// errClosed is what every call returns of a device that is closed.
var errClosed = fmt.Errorf("the device is closed: %w", cuda.ErrLost)

// Close frees all that the device holds, once. A source that is being compiled then is not loaded any more.
func (d *Device) Close() error {
	d.loading.Lock()
	defer d.loading.Unlock()
	if d.lost.Load() == &errClosed {
		return nil
	}
	defer d.lost.CompareAndSwap(nil, &errClosed)
	return d.with(func() {
		for _, c := range d.code {
			d.driver.moduleUnload(c.module)
		}
		for _, s := range d.streams {
			s.close()
		}
		d.link.close()
		if d.own {
			d.check("cuCtxDestroy", d.driver.contextDestroy(d.context))
			return
		}
		d.check("cuDevicePrimaryCtxRelease", d.driver.contextRelease(d.ordinal))
	})
}

// Info describes the device.
func (d *Device) Info() cuda.Info { return d.info }

// Memory is the device's memory.
func (d *Device) Memory() cuda.Memory { return &d.memory }

// Link copies beside the kernels.
func (d *Device) Link() cuda.Link { return &d.link }

// Load compiles source and loads it.
func (d *Device) Load(ctx context.Context, name, source string) (cuda.Code, error) {
	if err := d.outOfService(); err != nil {
		return nil, err
	}
	d.mu.Lock()
	known := d.code[source]
	d.mu.Unlock()
	if known != nil {
		return known, nil
	}
	cubin, err := d.machineCode(ctx, name, source)
	if err != nil {
		return nil, err
	}
	return d.loadMachineCode(name, source, cubin)
}

// loadMachineCode loads what a source was compiled to, unless another call was quicker.
func (d *Device) loadMachineCode(name, source string, cubin []byte) (cuda.Code, error) {
	d.loading.RLock()
	defer d.loading.RUnlock()
	loaded := &code{device: d, name: name, source: source, kernels: make(map[string]*function)}
	err := d.with(func() {
		d.check("cuModuleLoadData for "+name, d.driver.moduleLoad(&loaded.module, unsafe.SliceData(cubin)))
		loaded.findChildren()
	})
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if known := d.code[source]; known != nil {
		d.driver.moduleUnload(loaded.module)
		return known, nil
	}
	d.code[source] = loaded
	return loaded, nil
}
