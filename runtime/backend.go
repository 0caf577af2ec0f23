package runtime

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// Backend executes kernels. A Backend is safe for concurrent use.
type Backend interface {
	// Name is "cpu" or "cuda".
	Name() string
	// Run executes f over inputs, which stand in the order of f.Inputs, and
	// returns what its sink makes. It returns promptly with ctx's error when ctx
	// ends. Memory that it holds is charged to opts.Account, and what the result
	// holds stays charged until the result is released.
	Run(ctx context.Context, f *kernel.Func, inputs []any, opts *RunOptions) (Output, Metrics, error)
}

// Output is what a kernel's sink made: a Relation for Materialize, Aggregate
// and Sort, Results for Cubing, or a hash table, opaque to all but the backend, for Build.
type Output interface {
	// Release frees the memory, which the query's account is charged no longer.
	Release()
}

// Late is an Output whose kernel may run on when Run has returned, as RunOptions.Ahead allows. Who
// reads it waits for that, and meets its error.
type Late interface {
	Output
	// Ran says what the run has cost once somebody has read the output.
	Ran() Metrics
}

// Results are what a sink with several results made: a Relation for each of them, which is an
// Output too.
type Results []Relation

// Release implements Output.
func (r Results) Release() {
	for _, rel := range r {
		rel.(Output).Release()
	}
}

// RunOptions are the settings of one query that a backend obeys.
type RunOptions struct {
	Threads    int      // goroutines that work on one kernel
	VectorRows int      // rows in a vector of the CPU backend; 0: its default
	Account    *Account // memory of the query
	Progress   *Progress
	Launch     LaunchParameters // of a device, instead of those that it takes itself
	// CompileBehind has a kernel that is not compiled fail, as the device says, and be
	// compiled for later queries.
	CompileBehind bool
	// Passing says that later queries will run otherwise, since kernels of this one are being compiled: with
	// CompileBehind, what turns out to be needed for what the host makes in their place is not compiled.
	Passing bool
	Ahead   bool // a device may return a Late
	Fetches bool // rows are read on the host next: a device may copy them as soon as they are there
	// Intermediate says that nobody refers to what is in the output once that is released.
	Intermediate bool
	// Kept is where a backend keeps what the next run of the same kernel, with other inputs, can use again. Nil: there
	// is no such run.
	Kept *any
	// Made takes a relation of Results that is complete while the run goes on, and may begin to copy
	// it to the host. Where the run fails, it releases the relation. Nil: nobody takes any.
	Made     func(result int, rel Relation)
	Tuning   Tuning
	Forced   bool   // the way in which a device groups is forced, and it tries no other
	Exchange string // how several devices join with a table and group: a strategy of theirs, or another name for that which copies less
	Usage    bool   // have Metrics say what a device's compiler gave the kernel
	Explain  bool   // have Metrics say what EXPLAIN ANALYZE shows besides, which costs time
}

// Tuning is what is tried on a device, of which what was found is taken.
type Tuning uint8

// TuneCuts tries where the operators of queries that run again and again are cut into kernels. TuneLarge tries
// launch parameters and other ways to group, too, in kernels that read much, block by block. With TuneAlways one that
// reads little tries something in each run.
const (
	TuneNever Tuning = iota
	TuneCuts
	TuneLarge
	TuneAlways
)

// Metrics says what a kernel's run cost.
type Metrics struct {
	Time          time.Duration
	RowsIn        int64
	RowsOut       int64
	BytesRead     int64 // of stored columns and intermediates, at their stored width
	BytesWritten  int64 // of intermediates, hash tables and results
	BlocksSkipped int64 // by statistics
	// Taken says how the sink went about its work, as far as only the run could
	// decide, where RunOptions.Explain asks for it; "" where there was nothing to decide.
	Taken string
	// Forms are the choices between forms of expansions that the run has made of what it
	// knows of their matches, where RunOptions.Explain asks for it.
	Forms []strategy.Decision
	// Phases are those of an aggregation by keys, where RunOptions.Explain asks for them; nil: it is
	// none.
	Phases *Phases
	// DevicePeak is the most of a device's memory that the query held at one time while
	// the kernel ran, the columns of tables that the kernel reads included.
	DevicePeak int64
	RoomWait   time.Duration // that the kernel has waited for a device's memory that other queries had
	Host       HostTimes
	Stream     StreamTimes
	FromPeers  int64    // bytes that a device has copied from others
	Sharing    *Sharing // by several devices; nil: there is one
	// Device is what a device did, where RunOptions.Explain asks for it.
	Device *DeviceMetrics
	Usage  Usage // where RunOptions.Usage asks for it
}

// Usage is what a device's compiler gave the threads of a kernel, the most of its entries that have gone
// over the rows of the source; zeros where that is not known.
type Usage struct {
	Registers int
	Spilled   int // bytes of local memory
}

// Phases are those of an aggregation by keys (Rosenfeld 2019, section 2.1): its cells are made
// empty, rows are added to them, and results are made of them.
type Phases struct {
	Initialize time.Duration
	Aggregate  time.Duration
	Finalize   time.Duration
	Cells      int64 // in which groups lie; 0: groups are runs of rows, or their number is not known
	Filled     int64 // cells that have a group, or runs of rows; 0: they are not counted before results are made
	// InCells says that a later kernel makes results of the cells, or columns as they are read.
	InCells bool
	// LastBlock says that the last block of the launch over the rows makes results of the cells.
	LastBlock bool
}

// Sharing says how several devices did a kernel.
type Sharing struct {
	Shares   []Share
	Exchange string // how what they made came together, or why one device did all of it
	Bytes    int64  // that were copied from one device to another for the kernel
}

// Share is what one device did.
type Share struct {
	Device  int // its ordinal
	Rows    int64
	Kernels time.Duration // of all its launches, where RunOptions.Explain asks for it
}

// HostTimes splits what a kernel on a device costs the host; zeros on the CPU.
type HostTimes struct {
	Bind    time.Duration // copying the inputs to the device, or finding them there
	Render  time.Duration // making the source, or finding it
	Compile time.Duration // compiling and loading it, or finding it loaded
	Launch  time.Duration // allocations, fills and launches
	Wait    time.Duration // for what was launched
}

// StreamTimes says how a kernel read a source that did not fit a device's memory:
// chunk by chunk over the link from the host. Zeros where it did fit.
type StreamTimes struct {
	Passes int           // over the source
	Chunks int           // in all passes
	Bytes  int64         // likewise
	Kept   int64         // of them: from page-locked memory, as an earlier query or pass has left them
	Time   time.Duration // of all passes
	Link   time.Duration // of that: the link was busy; 0: not known
}

// Add adds the times of another kernel.
func (t *StreamTimes) Add(other *StreamTimes) {
	t.Passes += other.Passes
	t.Chunks += other.Chunks
	t.Bytes += other.Bytes
	t.Kept += other.Kept
	t.Time += other.Time
	t.Link += other.Link
}

// Add adds the times of another kernel.
func (t *HostTimes) Add(other *HostTimes) {
	t.Bind += other.Bind
	t.Render += other.Render
	t.Compile += other.Compile
	t.Launch += other.Launch
	t.Wait += other.Wait
}

// DeviceMetrics says what a kernel's run cost on a device.
type DeviceMetrics struct {
	Texts     []DeviceText
	Bandwidth float64 // of reading the device's memory, bytes a second; 0: unknown
	Launches  []Launch
	Additions Additions
}

// Kernels is the time of all launches.
func (m *DeviceMetrics) Kernels() (sum time.Duration) {
	for i := range m.Launches {
		sum += m.Launches[i].Time
	}
	return sum
}

// DeviceText writes the source of a kernel as it was compiled, and the launch plan that was carried out.
type DeviceText func() (source, plan string)

// Text is the source and the launch plan, of all devices one after the other.
func (m *DeviceMetrics) Text() (source, plan string) {
	for _, text := range m.Texts {
		s, p := text()
		source, plan = source+s, plan+p
	}
	return source, plan
}

// Additions are those of rows to groups that lanes of a warp join before; zeros where
// each row is added on its own.
type Additions struct {
	Rows int64 // that were added
	Made int64 // additions that were made of them
}

// Launch says what one launch on a device cost.
type Launch struct {
	Entry     string // the function of the source
	Time      time.Duration
	Blocks    int
	Threads   int // in a block
	Registers int // per thread
	Shared    int // bytes per block
	Spilled   int // bytes per thread
	Occupancy float64
}

// Progress counts the work of a query, for progress bars and views. Fields are
// read and written atomically.
type Progress struct {
	RowsDone  atomic.Int64
	RowsTotal atomic.Int64
	Worked    atomic.Int64 // nanoseconds that workers have computed, of all of them together
}
