// Package several runs kernels on several CUDA devices: a backend made of backends. Each
// device has a share of the rows of a kernel's source, and caches that share; what the shares
// give is merged where codegen.ShareOut says so.
package several

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// Backend runs kernels on one or more devices. With one it hands everything on. It is never
// changed, and safe for concurrent use.
type Backend struct {
	members []*member
	host    runtime.Backend // that of the CPU
	chosen  bool            // for a query, of several devices
	insists bool            // kernels are shared whether that pays or not
	cuts    *cuts
}

// Member is what runs kernels on one device.
type Member interface {
	runtime.Backend
	// Holds reports whether the rows of a relation, or the cells of groups, lie on the device,
	// as a kernel has made them there.
	Holds(made any) bool
}

// member is one of the devices.
type member struct {
	Member
	cuda    *cuda.Backend // nil of what stands in for a device
	ordinal int           // of the machine's devices
	queries atomic.Int64  // that run on it
}

// Lost is a device that is out of service. Its error is cuda.ErrLost.
type Lost struct {
	Ordinal int
	Err     error
}

func (l *Lost) Error() string { return fmt.Sprintf("CUDA device %d: %v", l.Ordinal, l.Err) }

// Unwrap returns the device's error.
func (l *Lost) Unwrap() error { return l.Err }

// cuts remembers where tables are cut, what their columns take, how many groups kernels have made, and how long
// they took.
type cuts struct {
	mu    sync.Mutex
	known map[cutOf]*cut
	taken map[column]int64
	keys  map[*kernel.Func]string
	made  map[string]float64 // by cuts.key
	times map[timed]times
}

// timed is a kernel on one device, or shared by several.
type timed struct {
	kernel  string // its cuts.key
	devices int
}

// times are how long a kernel took.
type times struct {
	least time.Duration
	runs  int
}

// cutOf names a table by its runtime.Versioned.Version, and a number of devices.
type cutOf struct {
	version any
	devices int
}

// cut is where a relation is cut for some devices.
type cut struct {
	starts []int64 // the first row of each block, and the number of rows
	at     []int64 // the first row of each share, and the number of rows
	apart  []int   // columns of which no two shares have the same value
}

// column is one of a table, which its runtime.Versioned.Version names.
type column struct {
	version any
	ordinal int
}

// run is one execution of a kernel on several devices.
type run struct {
	backend *Backend
	ctx     context.Context
	f       *kernel.Func
	inputs  []any
	opts    *runtime.RunOptions // of what the run returns as a device makes it
	parts   *runtime.RunOptions // of what is put together, or read by others
	metrics runtime.Metrics
	sharing runtime.Sharing
	derived bool             // what runs reads rows that were made of those of the source
	sent    []runtime.Output // rows that were exchanged, until the end of the run
	on      int              // how many devices run it
	groups  float64          // of a device at least, or of all where they are a relation; 0: it is not known
}
