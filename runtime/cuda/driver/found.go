package driver

import (
	"context"
	"fmt"
	"time"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// Open implements cuda.Unopened.
func (f *Found) Open() (cuda.Device, error) {
	d, err := f.open()
	if err != nil {
		return nil, err
	}
	return d, nil
}

// Info describes the device but for its bandwidths.
func (f *Found) Info() cuda.Info { return f.info }

// Load compiles source. The open device finds the machine code on disk.
func (f *Found) Load(ctx context.Context, name, source string) (cuda.Code, error) {
	if _, err := f.device.compiler.Compile(ctx, name, source, f.info.Arch); err != nil {
		return nil, err
	}
	return notLoaded{}, nil
}

// Keeps implements cuda.Keeper.
func (f *Found) Keeps(source string) bool { return f.device.Keeps(source) }

// Memory has none.
func (f *Found) Memory() cuda.Memory { return notThere{} }

// Link copies nothing.
func (f *Found) Link() cuda.Link { return noLink{} }

// NewStream is an error.
func (f *Found) NewStream() (cuda.Stream, error) { return nil, errNotOpen }

var errNotOpen = fmt.Errorf("%w: the device is not open", cuda.ErrFailed)

// notLoaded is code that is compiled for a device that is not open.
type notLoaded struct{}

// Kernel is an error.
func (notLoaded) Kernel(string) (cuda.Kernel, error) { return nil, errNotOpen }

// notThere is the memory of a device that is not open.
type notThere struct{}

// Alloc is an error.
func (notThere) Alloc(int64) (cuda.Ptr, error) { return 0, errNotOpen }

// Free is given nothing.
func (notThere) Free(cuda.Ptr) {}

// noLink is the link to a device that is not open.
type noLink struct{}

// Host has no memory.
func (noLink) Host() cuda.HostMemory { return noHost{} }

// Stage is an error.
func (noLink) Stage(int, int64) ([]byte, error) { return nil, errNotOpen }

// Send is an error.
func (noLink) Send(int, []cuda.Transfer) error { return errNotOpen }

// Arrive is an error.
func (noLink) Arrive(int, cuda.Stream) error { return errNotOpen }

// Leave is an error.
func (noLink) Leave(int, cuda.Stream) error { return errNotOpen }

// Busy has taken no time.
func (noLink) Busy() (time.Duration, error) { return 0, nil }

// noHost is the host's memory of noLink.
type noHost struct{}

// Alloc is an error.
func (noHost) Alloc(int64) ([]byte, error) { return nil, errNotOpen }

// Free is given nothing.
func (noHost) Free([]byte) {}
