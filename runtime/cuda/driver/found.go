package driver

import (
	"context"
	"fmt"

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

// Memory is none.
func (f *Found) Memory() cuda.Memory { return nil }

// Link is none.
func (f *Found) Link() cuda.Link { return nil }

// NewStream is an error.
func (f *Found) NewStream() (cuda.Stream, error) { return nil, errNotOpen }

var errNotOpen = fmt.Errorf("%w: the device is not open", cuda.ErrFailed)

// notLoaded is code that is compiled for a device that is not open.
type notLoaded struct{}

// Kernel is an error.
func (notLoaded) Kernel(string) (cuda.Kernel, error) { return nil, errNotOpen }
