package cuda

import (
	"sync"
	"sync/atomic"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/runtime"
)

// memory hands out a device's memory and keeps what is freed for the next
// request of about that size, so that a query that runs again allocates nothing.
// It hands out the device's streams, too. Safe for concurrent use.
type memory struct {
	of     Device
	exact  bool          // every buffer is an allocation of its own, so that the device can check accesses
	limit  int64         // bytes to take of the device at most; 0: as much as it has
	places chan struct{} // one for each queue that somebody has
	// evict frees something that is only kept for later; false: there is nothing.
	evict func() bool
	// copyTexts copies the texts of rows to one place, given where each ends there.
	copyTexts func(q *queue, p cudagen.CopyTextsParams) error

	active    atomic.Int64 // queues that somebody has
	taken     atomic.Int64 // how often one was taken
	allocated atomic.Int64 // bytes, idle ones included
	unused    atomic.Int64 // bytes that are idle, or will be when what was started has ended
	// hasDropped says that dropped is not empty.
	hasDropped atomic.Bool

	growing sync.Mutex // guards the device's memory, and is locked before lock
	device  Memory

	lock    sync.Mutex                  // guards what follows; nobody who holds it calls the device
	spare   []*queue                    // that nobody has, the one that was used last at the end
	kept    map[*runtime.Account]*queue // of queries with runs that stand still
	all     map[Ptr]allocation          // idle ones included
	idle    map[int64][]Ptr             // by size
	room    chan struct{}               // closed when a query frees memory; nil: nobody waits for that
	dropped []*buffers                  // given up by relations that nobody has released
}

// allocation is memory that was taken of the device.
type allocation struct {
	size  int64
	owner *runtime.Account // nil: no query holds it
}

// queue is a stream of the device, for one user at a time: a run, or the runs of a query that
// follow each other on it.
type queue struct {
	mem     *memory
	stream  Stream           // nil: not made yet
	owner   *runtime.Account // of what is allocated now; nil: it is kept for later
	peak    int64            // bytes that owner has held at most
	started int64            // how many times something was started
	awaited int64            // as far as that has been waited for
	freed   []Ptr            // since: what was started may still use it
	// timeFill returns what a fill is timed by; nil: it is not timed.
	timeFill func() *Timer

	// The lock of the memory guards what follows.
	runs  int              // that have it: the one that goes on, and those that stand still
	inUse bool             // a run goes on with it, or somebody copies to the host
	query *runtime.Account // whose runs stand still; nil: none have
}

// buffers is device memory that is shared by counting: it is freed when the last
// share is released. It is used by who makes it, until others have shares.
type buffers struct {
	mem    *memory
	ptrs   []Ptr
	bytes  int64
	shares atomic.Int64
	texts  []*buffers // that what lies here refers to: a share of each
	length int        // of the longest text that lies here, in bytes
}
