package cuda

import (
	"sync"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/runtime"
)

// memory hands out a device's memory and keeps what is freed for the next
// request of about that size, so that a query that runs again allocates nothing.
// It has the streams of the device and the lock of all that its backend knows, which is
// never held while somebody waits for the device. Its methods are for who holds the lock,
// but for hold and drop.
type memory struct {
	lock   sync.Mutex
	places chan struct{}               // one for each queue that somebody has
	spare  []*queue                    // that nobody has, the one that was used last at the end
	kept   map[*runtime.Account]*queue // of queries with runs that stand still
	at     *queue                      // of who holds the lock; nil: it has none
	active int                         // queues that somebody has
	taken  int                         // how often one was taken

	of        Device
	device    Memory
	exact     bool  // every buffer is an allocation of its own, so that the device can check accesses
	limit     int64 // bytes to take of the device at most; 0: as much as it has
	sizes     map[Ptr]int64
	owners    map[Ptr]*runtime.Account // of what queries hold
	idle      map[int64][]Ptr          // by size
	allocated int64                    // bytes, idle ones included
	unused    int64                    // bytes that are idle, or will be when what was started has ended
	room      chan struct{}            // closed when a query frees memory; nil: nobody waits for that
	// evict frees something that is only kept for later; false: there is nothing.
	evict func() bool
	// copyTexts copies the texts of rows to one place, given where each ends there.
	copyTexts func(p cudagen.CopyTextsParams) error

	mu      sync.Mutex
	dropped []*buffers // given up by relations that nobody has released
}

// queue is a stream of the device, for one user at a time: a run, or the runs of a query that
// follow each other on it.
type queue struct {
	stream  Stream           // nil: not made yet
	owner   *runtime.Account // of what is allocated now; nil: it is kept for later
	peak    int64            // bytes that owner has held at most
	started int64            // how many times something was started
	ended   int64            // as far as that has been waited for
	freed   []Ptr            // since: what was started may still use it
	runs    int              // that have it: the one that goes on, and those that stand still
	inUse   bool             // a run goes on with it, or somebody copies to the host
	query   *runtime.Account // whose runs stand still; nil: none have
	// timeFill returns what a fill is timed by; nil: it is not timed.
	timeFill func() *Timer
}

// buffers is device memory that is shared by counting: it is freed when the last
// share is released.
type buffers struct {
	mem    *memory
	ptrs   []Ptr
	bytes  int64
	shares int
	texts  []*buffers // that what lies here refers to: a share of each
	length int        // of the longest text that lies here, in bytes
}
