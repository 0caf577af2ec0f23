package driver

import (
	"sync/atomic"
	"time"
	"unsafe"
)

// longestHold is how long a launch, which takes some 10 µs, holds the stream at most.
// Another thread may be in a call that holds the driver's lock until the device is idle,
// as one that frees memory or loads a module: then the launch waits for that call, that
// call for the device, and the device at the barrier.
const longestHold = 500 * time.Microsecond

// hold has what is started from now on wait for open, or until longestHold is over.
func (g *barrier) hold() (open func()) {
	g.build()
	d := g.stream.device
	g.holds++
	n := g.holds
	d.check("cuStreamWaitValue32", d.driver.streamWaitValue(g.stream.handle, unsafe.Pointer(g.passed), n, waitAtLeast))
	timeout := time.AfterFunc(longestHold, func() { g.open(n) })
	return func() {
		timeout.Stop()
		g.open(n)
	}
}

// build allocates the barrier's memory.
func (g *barrier) build() {
	if g.passed != nil {
		return
	}
	d := g.stream.device
	var p unsafe.Pointer
	d.check("cuMemHostAlloc", d.driver.hostAlloc(&p, uint64(unsafe.Sizeof(*g.passed)), 0))
	g.passed = (*uint32)(p)
	atomic.StoreUint32(g.passed, 0)
}

// open lets the first n launches start.
func (g *barrier) open(n uint32) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.passed != nil && atomic.LoadUint32(g.passed) < n {
		atomic.StoreUint32(g.passed, n)
	}
}

// close frees the barrier's memory.
func (g *barrier) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.passed != nil {
		g.stream.device.driver.hostFree(unsafe.Pointer(g.passed))
		g.passed = nil
	}
}
