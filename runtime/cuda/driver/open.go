package driver

import (
	"errors"

	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
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
func Find(opts Options) (found *Found, err error) {
	defer sqlstate.Catch(&err)
	drv := openDriver()
	compiler := sqlstate.Must(OpenCompiler(opts.Dir))
	d := &Device{driver: drv, compiler: compiler, code: make(map[string]*code)}
	drv.find(opts.Ordinal, &d.ordinal)
	d.info, d.threads = drv.describe(d.ordinal)
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
	if err := sqlstate.Run(func() { d.start(f.opts) }); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// openContext takes the context that the process has of the GPU, or makes one for a part of it.
func (d *Device) openContext(parts int) error {
	if parts <= 1 {
		return d.driver.failure("cuDevicePrimaryCtxRetain", d.driver.contextRetain(&d.context, d.ordinal))
	}
	d.own = true
	return d.driver.failure("cuCtxCreate", d.driver.contextCreate(&d.context, 0, d.ordinal))
}

// start makes what the device works with.
func (d *Device) start(opts Options) {
	d.memory = memory{device: d, limit: d.info.TotalMemory, sizes: make(map[cuda.Ptr]int64)}
	sqlstate.Check(d.with(func() {
		d.sizePool(opts.PendingLaunches)
		d.link.open(d)
	}))
	d.info.Bandwidth = d.measureBandwidth()
	d.info.HostLink = d.measureLink()
}

// openDriver finds the driver and starts it.
func openDriver() *driver {
	lib, d := openLibrary("libcuda.so", "", ".1"), &driver{}
	lib.bind(&d.driverFunctions)
	lib.bind(&d.linker)
	d.callDirectly(lib)
	d.check("cuInit", d.init(0))
	return d
}
