package driver

import (
	"errors"
	"fmt"
	goruntime "runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// Options say how a device is opened.
type Options struct {
	Ordinal int // which GPU, from 0
	// Parts is how many devices the GPU is opened as, where there are several: each has a context
	// of its own, which kernels of the others cannot reach, and this part of the memory.
	Parts int
	// Dir is looked through for NVRTC before PathVariable; "" is none.
	Dir string
	// MemoryLimit is how many bytes of device memory may be used; 0: all.
	MemoryLimit int64
	// PendingLaunches is how many launches by kernels may be pending; 0: the driver's
	// own limit.
	PendingLaunches int
}

// Device is a GPU. Each call makes the device's context current on the thread
// that it runs on, so that no thread has to be handed a call by another.
type Device struct {
	driver   *driver
	compiler *Compiler
	runtime  deviceRuntime
	ordinal  int32
	context  contextHandle
	own      bool // the context, which other devices of the process have none of
	info     cuda.Info
	threads  int // that a multiprocessor holds
	memory   memory
	link     link
	lost     atomic.Pointer[error] // nil: it is in service
	loading  sync.RWMutex          // held while code is loaded, and by Close alone

	mu      sync.Mutex // guards what follows
	code    map[string]*code
	streams []*stream
	peers   map[*Device]bool // those that copies have come from: whether directly
}

// Found is a GPU that was found and is not open: a cuda.Unopened.
type Found struct {
	device *Device // that Open makes ready
	opts   Options
	info   cuda.Info // without what is measured when the device is opened
}

// stream is a stream of the driver, with what its calls need.
type stream struct {
	device    *Device
	handle    streamHandle
	staging   staging
	timers    timers
	arguments arguments

	mu       sync.Mutex  // guards what follows
	launched []*function // since it was last waited for, for errors
}

// deviceRuntime is the file of CUDA's runtime for devices.
type deviceRuntime struct {
	path   string
	digest func() (string, error) // of what it holds; read once
}

// memory is the device's memory.
type memory struct {
	device      *Device
	limit, used int64
	sizes       map[cuda.Ptr]int64
}

// staging is page-locked memory that the copies of a stream go through: the link runs at
// its full rate only from there, and one buffer is filled while others travel.
type staging struct {
	stream  *stream
	buffers [3]stagingBuffer
	next    int
	// few is of copies to the host that fit a small buffer, such as the words that a run reads: they
	// are always waited for.
	few stagingBuffer
}

// stagingBuffer is one buffer; done is the end of the last copy from or to it.
type stagingBuffer struct {
	bytes []byte
	done  eventHandle
}

// link copies on a stream of its own, beside the kernels.
type link struct {
	device *Device
	handle streamHandle
	host   hostMemory
	slots  [cuda.Slots]slot
	busy   time.Duration
}

// slot is page-locked memory and what is known of the copies of a chunk.
type slot struct {
	bytes       []byte
	begin, sent eventHandle // around the last copies
	left        eventHandle // behind the last kernel that reads what was copied
	travels     bool        // the last copies have not been waited for
}

// barrier is where a stream waits until all of a launch that is measured is there.
type barrier struct {
	stream *stream
	mu     sync.Mutex
	passed *uint32 // in page-locked memory: how many launches may start; nil: none yet, or closed
	holds  uint32  // how many launches have waited or wait
}

// timers measures launches by events before and behind them, which are read
// when all has ended. An idle device would come to the first event before the
// processor has brought it the launch; so it waits at a barrier in front of them until
// all of them are there.
type timers struct {
	stream  *stream
	free    []eventHandle
	open    []measured
	barrier barrier
}

// measured is a launch whose time is not read yet.
type measured struct {
	to         *cuda.Timer
	start, end eventHandle
}

// code is a loaded module.
type code struct {
	device *Device
	name   string
	source string
	module moduleHandle
	// children are the kernels that others of the module launch.
	children []functionHandle

	mu      sync.Mutex
	kernels map[string]*function
}

// function is a kernel of a loaded module.
type function struct {
	device *Device
	name   string
	source string
	handle functionHandle
	// children may have as much dynamic shared memory as the kernel.
	children []functionHandle

	mu     sync.Mutex            // guards what follows
	shared int                   // dynamic shared memory that it is prepared for
	usage  map[[2]int]cuda.Usage // by threads and shared memory
}

// arguments is what cuLaunchKernel reads, in a place of its own that stays
// where it is during the call.
type arguments struct {
	extra  [5]uintptr
	size   uint64
	params []uint64
}

// outOfService is the error of a device that is lost or closed.
func (d *Device) outOfService() error {
	if lost := d.lost.Load(); lost != nil {
		return *lost
	}
	return nil
}

// with runs f on a thread whose context is the device's. An error in it is a panic.
func (d *Device) with(f func()) (err error) {
	if err := d.outOfService(); err != nil {
		return err
	}
	goruntime.LockOSThread()
	defer goruntime.UnlockOSThread()
	defer sqlstate.Catch(&err)
	d.check("cuCtxSetCurrent", d.driver.contextSet(d.context))
	f()
	return nil
}

// checkf is check of a call that is put into words only where it has failed.
func (d *Device) checkf(r result, format string, args ...any) {
	if r != 0 {
		d.check(fmt.Sprintf(format, args...), r)
	}
}

// check panics with the error of a call.
func (d *Device) check(call string, r result) { sqlstate.Check(d.failure(call, r)) }

// failure makes an error of a result and keeps one that the device does not
// recover from, with the kernels that may have caused it.
func (d *Device) failure(call string, r result) error {
	err := d.driver.failure(call, r)
	if err == nil || !errors.Is(err, cuda.ErrLost) {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	var names []string
	for _, s := range d.streams {
		for _, f := range s.underWay() {
			names = append(names, fmt.Sprintf("%s (source in %s)", f.name, dumpSource(f.name, f.source)))
		}
	}
	err = fmt.Errorf("%s: %w; kernels launched before it: %s", d.info.Name, err, strings.Join(names, ", "))
	d.lost.Store(&err)
	return err
}

// underWay are the kernels that were launched and may not have ended.
func (s *stream) underWay() []*function {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.launched)
}

// hostMemory is page-locked memory of the host: mapped here in huge pages and
// registered with the driver where there is much of it, else the driver's own. Safe
// for concurrent use.
type hostMemory struct {
	device *Device
	mu     sync.Mutex
	given  map[*byte]hostMapping // by its first byte
}
