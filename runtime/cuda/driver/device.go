package driver

import (
	"context"
	"unsafe"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// Close frees all that the device holds.
func (d *Device) Close() error {
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
	loaded := &code{device: d, name: name, source: source, kernels: make(map[string]*function)}
	err = d.with(func() {
		d.check("cuModuleLoadData for "+name, d.driver.moduleLoad(&loaded.module, unsafe.SliceData(cubin)))
		loaded.findChildren()
	})
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if known := d.code[source]; known != nil { // another call was quicker
		d.driver.moduleUnload(loaded.module)
		return known, nil
	}
	d.code[source] = loaded
	return loaded, nil
}
