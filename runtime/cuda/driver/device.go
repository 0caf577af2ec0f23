package driver

import (
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// Options say how a device is opened.
type Options struct {
	Ordinal int // which GPU, from 0
	// Dir is looked through for NVRTC before PathVariable; "" is none.
	Dir string
	// MemoryLimit is how many bytes of device memory may be used; 0: all.
	MemoryLimit int64
}

// Device is a GPU. Each call makes the device's context current on the thread
// that it runs on, so that no thread has to be handed a call by another.
type Device struct {
	driver    *driver
	compiler  *Compiler
	ordinal   int32
	context   contextHandle
	stream    streamHandle
	info      cuda.Info
	threads   int // that a multiprocessor holds
	memory    memory
	link      link
	timers    timers
	arguments arguments

	mu       sync.Mutex // guards what follows
	code     map[string]*code
	launched []*function // since the last Sync, for errors
	lost     error
}

// Open opens a GPU: finds the driver and NVRTC, makes a context and measures
// how fast memory is read. An error says what the machine lacks.
func Open(opts Options) (*Device, error) {
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
	if err := drv.check("cuDevicePrimaryCtxRetain", drv.contextRetain(&d.context, d.ordinal)); err != nil {
		return nil, err
	}
	if err := d.start(opts); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// start makes what the device works with.
func (d *Device) start(opts Options) error {
	if opts.MemoryLimit > 0 {
		d.info.TotalMemory = min(d.info.TotalMemory, opts.MemoryLimit)
	}
	d.memory = memory{device: d, limit: d.info.TotalMemory, sizes: make(map[cuda.Ptr]int64)}
	d.timers.device, d.timers.gate.device = d, d
	err := d.with(func() error {
		err := d.check("cuStreamCreate", d.driver.streamCreate(&d.stream, streamNonBlocking))
		if err != nil {
			return err
		}
		if err := d.memory.staging.open(d); err != nil {
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

// Close gives back all that the device holds.
func (d *Device) Close() error {
	return d.with(func() error {
		for _, c := range d.code {
			d.driver.moduleUnload(c.module)
		}
		d.timers.close()
		d.memory.staging.close()
		d.link.close()
		if d.stream != 0 {
			d.driver.streamDestroy(d.stream)
		}
		return d.check("cuDevicePrimaryCtxRelease", d.driver.contextRelease(d.ordinal))
	})
}

// with runs f on a thread whose context is the device's.
func (d *Device) with(f func() error) error {
	d.mu.Lock()
	lost := d.lost
	d.mu.Unlock()
	if lost != nil {
		return lost
	}
	goruntime.LockOSThread()
	defer goruntime.UnlockOSThread()
	if err := d.check("cuCtxSetCurrent", d.driver.contextSet(d.context)); err != nil {
		return err
	}
	return f()
}

// checkf is check of a call that is put into words only where it has failed.
func (d *Device) checkf(r result, format string, args ...any) error {
	if r == 0 {
		return nil
	}
	return d.check(fmt.Sprintf(format, args...), r)
}

// check makes an error of a result and keeps one that the device does not
// recover from, with the kernels that may have caused it.
func (d *Device) check(call string, r result) error {
	err := d.driver.check(call, r)
	if err == nil || !errors.Is(err, cuda.ErrLost) {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	var names []string
	for _, f := range d.launched {
		names = append(names, fmt.Sprintf("%s (source in %s)", f.name, dumpSource(f.name, f.source)))
	}
	d.lost = fmt.Errorf("%s: %w; kernels launched before it: %s", d.info.Name, err, strings.Join(names, ", "))
	return d.lost
}

// Info describes the device.
func (d *Device) Info() cuda.Info { return d.info }

// Memory is the device's memory.
func (d *Device) Memory() cuda.Memory { return &d.memory }

// Link copies beside the kernels.
func (d *Device) Link() cuda.Link { return &d.link }

// Sync waits until everything has ended and reads the timers.
func (d *Device) Sync() error {
	return d.with(func() error {
		for _, stream := range []streamHandle{d.link.stream, d.stream} {
			if err := d.check("cuStreamSynchronize", d.driver.streamSynchronize(stream)); err != nil {
				return err
			}
		}
		d.note(nil)
		return d.timers.read()
	})
}

// note remembers a kernel that is launched; nil: all have ended.
func (d *Device) note(f *function) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if f == nil {
		d.launched = d.launched[:0]
	} else if !slices.Contains(d.launched, f) {
		d.launched = append(d.launched, f)
	}
}

// Load compiles source and loads it.
func (d *Device) Load(ctx context.Context, name, source string) (cuda.Code, error) {
	d.mu.Lock()
	known := d.code[source]
	d.mu.Unlock()
	if known != nil {
		return known, nil
	}
	cubin, err := d.compiler.Compile(ctx, name, source, d.info.Arch)
	if err != nil {
		return nil, err
	}
	loaded := &code{device: d, name: name, source: source, kernels: make(map[string]*function)}
	err = d.with(func() error {
		return d.check("cuModuleLoadData for "+name, d.driver.moduleLoad(&loaded.module, unsafe.SliceData(cubin)))
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
