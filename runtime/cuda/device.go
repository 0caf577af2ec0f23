// Package cuda executes kernels on NVIDIA GPUs: codegen/cuda renders them, a
// Device compiles and launches them, and the sinks' results stay in device
// memory until a step on the CPU, or the user, reads them.
package cuda

import (
	"context"
	"errors"
	"time"

	"github.com/cubeloom/cubeloom/codegen/launch"
)

// ErrOutOfMemory is what Alloc returns, possibly wrapped, when there is no room.
var ErrOutOfMemory = errors.New("out of device memory")

// ErrNoDevice is what opening a device returns, possibly wrapped, that the machine does not have.
var ErrNoDevice = errors.New("there is no such CUDA device")

// ErrLost is what every call returns, wrapped, after an error that a device does
// not recover from: its memory is gone and nothing runs on it any more.
var ErrLost = errors.New("the device is out of service")

// ErrFailed is what a call returns, wrapped, that has failed for another reason than these,
// after which the device goes on.
var ErrFailed = errors.New("a call of the device has failed")

// Ptr is an address in a device's memory; 0 is none.
type Ptr uint64

// Device is what compiles and launches kernels: a GPU through its driver, or
// the emulation of the tests. Its memory, its link and each of its streams are
// used by one goroutine at a time; Info, Load and NewStream may be called by any
// number of them, and so may the code that Load returns. An error of something that was started may come from any
// later call.
type Device interface {
	// Info describes the device.
	Info() Info
	// Memory is the device's memory.
	Memory() Memory
	// NewStream makes a stream, which stays until the device is closed.
	NewStream() (Stream, error)
	// Load compiles source, or finds it compiled, and makes its kernels ready.
	// The code stays loaded until the device is closed; loading the same source
	// again is cheap. An error carries the compiler's log. Calls at the same time
	// compile at the same time. A call may go on after the device is closed.
	Load(ctx context.Context, name, source string) (Code, error)
	// Link copies to the device beside its kernels.
	Link() Link
}

// Unopened is a Device that was found and is not open yet. Info describes it but for its bandwidths, and
// Load compiles what the open device then finds compiled; what it returns has no kernels. It does nothing
// else.
type Unopened interface {
	Device
	// Open opens the device, which takes its place. Loads may go on meanwhile.
	Open() (Device, error)
}

// Stream is a queue of work for a device. What is started on it runs in the order of the
// calls; nothing orders the work of two streams, but that a call has returned which waits.
type Stream interface {
	// Launch starts a kernel over grid blocks.
	Launch(l Launch) error
	// Fill starts to set bytes. A Timer that is not nil gets the time that it took, as of a Launch.
	Fill(dst Ptr, b byte, bytes int64, to *Timer) error
	// Upload starts to copy src, which can be changed when it returns.
	Upload(dst Ptr, src []byte) error
	// Download makes copies, behind what was started before, and waits for all of them at
	// once. Where the context ends before, it returns its cause, and what was copied is of
	// no use.
	Download(ctx context.Context, copies ...Copy) error
	// Sync waits until everything that was started has ended.
	Sync() error
}

// Replanner is a Device that returns the launch plan which is carried out in place of the
// one that was made with a kernel.
type Replanner interface {
	Replan(*launch.Plan) (*launch.Plan, error)
}

// Keeper is a Device that keeps machine code between processes.
type Keeper interface {
	Device
	// Keeps reports whether the machine code of source is kept, so that Load need not
	// compile it. Calls of any number of goroutines.
	Keeps(source string) bool
}

// Peer is a Device that copies from the memory of others by itself.
type Peer interface {
	Device
	// CopyFrom starts to copy, on a stream of this device, what has been written on another
	// one. It may only be changed there when the copy has ended. ErrNotPeer is the error of a
	// device that it cannot copy from.
	CopyFrom(on Stream, dst Ptr, from Device, src Ptr, bytes int64) error
	// LinkFrom describes the link that such copies take.
	LinkFrom(from Device) (PeerLink, error)
}

// PeerLink is a link from one device to another.
type PeerLink struct {
	Direct    bool    // copies do not pass through the host's memory
	Bandwidth float64 // bytes a second, measured
}

// ErrNotPeer is what a Peer returns of a device that is of another kind.
var ErrNotPeer = errors.New("the device cannot be copied from")

// Memory is a device's memory. Allocations are aligned to 256 bytes and hold
// arbitrary bytes.
type Memory interface {
	Alloc(bytes int64) (Ptr, error) // ErrOutOfMemory when there is no room
	// Free frees memory. It may wait until all that any stream has started has ended.
	Free(p Ptr)
}

// Slots is how many slots a Link has.
const Slots = 3

// Link copies to a device while its kernels run, from page-locked memory of the
// host. A slot stands for one chunk of data, for which its user calls Stage, Send
// and Arrive, launches what reads the chunk, and calls Leave; it does so for the
// slots in turn, so that chunks travel while another is read.
type Link interface {
	// Host returns what hands out page-locked memory.
	Host() HostMemory
	// Stage returns n bytes of page-locked memory of a slot, which hold anything, when
	// what was sent for the slot before has arrived.
	Stage(slot int, n int64) ([]byte, error)
	// Send starts to copy a chunk, behind what was launched before the slot's last
	// Leave. All of it is page-locked memory that does not change before it arrives.
	Send(slot int, chunk []Transfer) error
	// Arrive has what is launched on a stream from now on wait for what was sent for the slot.
	Arrive(slot int, on Stream) error
	// Leave says that what is launched on a stream from now on does not read what was sent.
	Leave(slot int, on Stream) error
	// Busy waits for all that was sent and returns the time that copies have taken
	// since the device was opened; 0 where that is not known.
	Busy() (time.Duration, error)
}

// HostMemory is page-locked memory of the host.
type HostMemory interface {
	// Alloc returns memory that holds anything.
	Alloc(bytes int64) ([]byte, error)
	// Free takes back what Alloc gave, when nothing is copied from it any more.
	Free(b []byte)
}

// Transfer is a copy from page-locked memory to the device.
type Transfer struct {
	Dst Ptr
	Src []byte
}

// Copy is a copy to the host.
type Copy struct {
	Dst []byte
	Src Ptr
}

// Info describes a device.
type Info struct {
	Name         string
	Arch         string  // sm_90
	Driver       string  // its version; "": unknown
	SMs          int     // multiprocessors
	SharedMemory int     // bytes that one block can have
	TotalMemory  int64   // bytes
	Cache        int64   // bytes of the cache that all multiprocessors share; 0: unknown
	Bandwidth    float64 // of reading device memory, bytes a second, measured; 0: unknown
	HostLink     float64 // of copying to the device by its Link, likewise
	// NoLaunches says why kernels cannot launch kernels; "": they can.
	NoLaunches string
	// Checked says that the device finds accesses outside an allocation, which
	// it can where every buffer is an allocation of its own and not part of a
	// pool's.
	Checked bool
}

// Code is a loaded module.
type Code interface {
	// Kernel finds an entry by name.
	Kernel(name string) (Kernel, error)
}

// Kernel is a function that can be launched.
type Kernel interface {
	// Usage says what the compiled kernel takes in blocks of the given size.
	Usage(threads, shared int) Usage
}

// Usage is what a kernel takes of a multiprocessor.
type Usage struct {
	Registers int // per thread
	Shared    int // static and dynamic, bytes per block
	Spilled   int // bytes of local memory per thread
	Blocks    int // that fit on one multiprocessor
	Occupancy float64
}

// Launch is one launch of a kernel. Params is the one parameter: a struct of
// 64-bit words by value. A Timer that is not nil gets the time that the kernel
// took, at the latest when Sync returns.
type Launch struct {
	Kernel  Kernel
	Grid    int
	Threads int
	Shared  int // dynamic, bytes
	Params  []uint64
	Timer   *Timer
}

// Timer holds the time of a launch or of a fill in nanoseconds.
type Timer struct{ Nanoseconds int64 }
