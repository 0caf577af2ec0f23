package driver

import (
	"errors"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// Open opens a GPU: finds the driver and NVRTC, makes a context and measures
// how fast memory is read. An error says what the machine lacks.
func Open(opts Options) (*Device, error) {
	found, err := Find(opts)
	if err != nil {
		return nil, err
	}
	return found.open()
}

// Find finds a GPU, the driver and NVRTC: what compiling needs. It takes about half of the time of Open.
func Find(opts Options) (*Found, error) {
	drv, err := openDriver()
	if err != nil {
		return nil, err
	}
	compiler, err := OpenCompiler(opts.Dir)
	if err != nil {
		return nil, err
	}
	d := &Device{driver: drv, compiler: compiler, code: make(map[string]*code)}
	if err := drv.find(opts.Ordinal, &d.ordinal); err != nil {
		return nil, err
	}
	if d.info, d.threads, err = drv.describe(d.ordinal); err != nil {
		return nil, err
	}
	if d.runtime, err = findDeviceRuntime(opts.Dir, compiler.path); err != nil {
		d.info.NoLaunches = err.Error()
	}
	if opts.Parts > 1 {
		d.info.TotalMemory /= int64(opts.Parts)
	}
	if opts.MemoryLimit > 0 {
		d.info.TotalMemory = min(d.info.TotalMemory, opts.MemoryLimit)
	}
	return &Found{device: d, opts: opts, info: d.info}, nil
}

// open makes a context, and measures how fast memory is read.
func (f *Found) open() (*Device, error) {
	d := f.device
	if err := d.openContext(f.opts.Parts); err != nil {
		return nil, err
	}
	if err := d.start(f.opts); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// openContext takes the context that the process has of the GPU, or makes one for a part of it.
func (d *Device) openContext(parts int) error {
	if parts <= 1 {
		return d.driver.check("cuDevicePrimaryCtxRetain", d.driver.contextRetain(&d.context, d.ordinal))
	}
	d.own = true
	return d.driver.check("cuCtxCreate", d.driver.contextCreate(&d.context, 0, d.ordinal))
}

// start makes what the device works with.
func (d *Device) start(opts Options) error {
	d.memory = memory{device: d, limit: d.info.TotalMemory, sizes: make(map[cuda.Ptr]int64)}
	err := d.with(func() error {
		if err := d.sizePool(opts.PendingLaunches); err != nil {
			return err
		}
		return d.link.open(d)
	})
	if err != nil {
		return err
	}
	if d.info.Bandwidth, err = d.measureBandwidth(); err != nil {
		return err
	}
	d.info.HostLink, err = d.measureLink()
	return err
}

// openDriver finds the driver and starts it.
func openDriver() (*driver, error) {
	lib, err := openLibrary("libcuda.so", "", ".1")
	if err != nil {
		return nil, err
	}
	d := &driver{}
	if err := lib.bind(&d.driverFunctions); err != nil {
		return nil, err
	}
	if err := lib.bind(&d.linker); err != nil {
		return nil, err
	}
	if err := d.callDirectly(lib); err != nil {
		return nil, err
	}
	return d, d.check("cuInit", d.init(0))
}
