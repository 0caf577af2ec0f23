package driver

import (
	"errors"
	"testing"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// TestBackendOfFound makes a backend of a GPU that is not open, which compiles and can do nothing else.
func TestBackendOfFound(t *testing.T) {
	found := &Found{device: &Device{}, info: cuda.Info{Name: "found", Arch: "sm_90", SMs: 132, SharedMemory: 232448, TotalMemory: 1 << 30}}
	cuda.New(found, nil, cuda.Options{PageLocked: 1 << 20}).Close()
	_, allocating := found.Memory().Alloc(1)
	_, staging := found.Link().Stage(0, 1)
	_, locking := found.Link().Host().Alloc(1)
	_, streaming := found.NewStream()
	for _, err := range []error{allocating, staging, locking, streaming} {
		if !errors.Is(err, cuda.ErrFailed) {
			t.Errorf("it gives %v", err)
		}
	}
}
