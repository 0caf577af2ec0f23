package device

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// Null is a device that does nothing and says at once that it is done, so that
// what remains of a query's time is the host's. It counts what it is asked for.
type Null struct {
	Bandwidth, HostLink float64 // that Info tells of

	Launches, Allocs, Uploads, Downloads, Fills, Syncs, Loads atomic.Int64

	next cuda.Ptr
}

// Reset begins to count anew.
func (n *Null) Reset() {
	for _, count := range []*atomic.Int64{&n.Launches, &n.Allocs, &n.Uploads, &n.Downloads, &n.Fills, &n.Syncs, &n.Loads} {
		count.Store(0)
	}
}

// Info implements cuda.Device.
func (n *Null) Info() cuda.Info {
	return cuda.Info{
		Name: "null", Arch: "sm_90", SMs: 132, SharedMemory: 232448, TotalMemory: 1 << 40,
		Bandwidth: n.Bandwidth, HostLink: n.HostLink,
	}
}

// Memory implements cuda.Device.
func (n *Null) Memory() cuda.Memory { return (*nullMemory)(n) }

// Load implements cuda.Device.
func (n *Null) Load(context.Context, string, string) (cuda.Code, error) {
	n.Loads.Add(1)
	return nullCode{}, nil
}

// Link implements cuda.Device.
func (n *Null) Link() cuda.Link { return nullLink{} }

// NewStream implements cuda.Device.
func (n *Null) NewStream() (cuda.Stream, error) { return (*nullStream)(n), nil }

type nullLink struct{}

func (nullLink) Stage(_ int, n int64) ([]byte, error) { return make([]byte, n), nil }
func (nullLink) Send(int, []cuda.Transfer) error      { return nil }
func (nullLink) Host() cuda.HostMemory                { return nullHost{} }
func (nullLink) Arrive(int, cuda.Stream) error        { return nil }
func (nullLink) Leave(int, cuda.Stream) error         { return nil }
func (nullLink) Busy() (time.Duration, error)         { return 0, nil }

type nullCode struct{}

func (nullCode) Kernel(string) (cuda.Kernel, error) { return nullKernel{}, nil }

type nullKernel struct{}

func (nullKernel) Usage(int, int) cuda.Usage { return cuda.Usage{Blocks: 8} }

type nullMemory Null

func (n *nullMemory) Alloc(bytes int64) (cuda.Ptr, error) {
	n.Allocs.Add(1)
	n.next += cuda.Ptr(bytes)
	return 1<<40 + n.next - cuda.Ptr(bytes), nil
}

func (*nullMemory) Free(cuda.Ptr) {}

type nullStream Null

func (n *nullStream) Launch(l cuda.Launch) error {
	if most := (*Null)(n).Info().SharedMemory; l.Shared > most {
		return fmt.Errorf("%d bytes of shared memory, a block has %d", l.Shared, most)
	}
	n.Launches.Add(1)
	return nil
}

func (n *nullStream) Upload(cuda.Ptr, []byte) error {
	n.Uploads.Add(1)
	return nil
}

func (n *nullStream) Download(context.Context, ...cuda.Copy) error {
	n.Downloads.Add(1)
	return nil
}

func (n *nullStream) Fill(cuda.Ptr, byte, int64, *cuda.Timer) error {
	n.Fills.Add(1)
	return nil
}

func (n *nullStream) Sync() error {
	n.Syncs.Add(1)
	return nil
}

// nullHost is page-locked memory that is any memory.
type nullHost struct{}

func (nullHost) Alloc(n int64) ([]byte, error) { return make([]byte, n), nil }
func (nullHost) Free([]byte)                   {}
