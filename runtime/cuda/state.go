package cuda

import (
	"context"
	"hash"
	goruntime "runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cubeloom/cubeloom/codegen"
	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/runtime/tune"
)

// Backend runs kernels on one device. Safe for concurrent use: each run has a stream of
// the device, and what it gives is there when it ends.
type Backend struct {
	device  Device
	cpu     runtime.Backend
	mem     *memory
	columns *columns
	pinned  *pinnedColumns
	entries *dictionaryCache
	// constants are texts and patterns of kernels, by their bytes.
	constants *dictionaryCache
	modules   *modules
	opts      Options
	link      turns // runs that stream their source
	copying   *lane // of columns that later queries find

	aheadLock sync.Mutex // guards what follows
	// ahead are the runs that stand still, of each query in the order in which they began.
	ahead map[*runtime.Account][]*ahead
}

// Options are the limits of a Backend.
type Options struct {
	// PageLocked is how many bytes of page-locked memory of the host may keep columns
	// that are streamed, from one query to the next; 0: none.
	PageLocked int64
	// FewSourceRows is up to how many rows of a build's source are counted before
	// room is made for what is left of them; above that, room is made for as many as
	// are estimated. 0: DefaultFewSourceRows.
	FewSourceRows int64
	// CompileLimit is how long a query waits for the compiler before the kernel is
	// refused; 0: DefaultCompileLimit.
	CompileLimit time.Duration
	// FlushTiles is after how many tiles of rows a block empties the cells that its
	// threads have of their own, at the latest; 0: when they may be full.
	FlushTiles int
	// TextOffsets is how many bytes of texts a column has at most whose texts are found by offsets of
	// 32 bits; beyond, a word for each refers to it. 0: as many as those tell.
	TextOffsets int64
	// Streams is how many runs, and copies of results to the host, use the device at the same
	// time; 0: DefaultStreams.
	Streams int
	// RoomWait is how long a run waits at most for the device's memory that others have; 0:
	// DefaultRoomWait.
	RoomWait time.Duration
	// Target is what kernels are rendered for; nil: the figures of the default machine.
	Target *cudagen.Target
}

// request is a kernel that is to be run, with its inputs.
type request struct {
	backend *Backend
	ctx     context.Context
	f       *kernel.Func
	loaded  []loadedInput
	opts    *runtime.RunOptions
	started time.Time
	// standStill has the query go on before the run has what it has asked to be copied; false: it
	// is not wanted any more. Nil: the run waits for it.
	standStill func(copies []Copy) bool
}

// ahead is the run of a Build whose query is ahead of it. It stands still where it would wait for
// what its kernels have counted, and the query begins other runs on the same stream, until
// somebody reads the table: then all runs of the query that stand still are waited for at once. It is a
// runtime.Late, for the one goroutine that runs the query.
type ahead struct {
	backend *Backend
	query   *runtime.Account
	next    func() (copies []Copy, more bool) // goes on until the run stands still again, or is over
	stop    func()
	copies  []Copy // what it waits for
	over    bool
	out     runtime.Output
	metrics runtime.Metrics
	waited  time.Duration
	err     error
}

// run is one execution of a kernel. It is used by one goroutine at a time.
type run struct {
	backend  *Backend
	ctx      context.Context
	f        *kernel.Func
	opts     *runtime.RunOptions
	inputs   []input
	module   *cudagen.Module
	known    *module // what it is made of
	code     Code
	passing  bool                  // later runs will have inputs of other shapes
	words    []uint64              // the parameter of the kernel's entries
	queue    *queue                // its stream
	temp     *buffers              // freed at the end
	borrowed []*buffers            // of caches, one share each
	dicts    []*runtime.Dictionary // by kernel.DictID
	maps     []*mapTable
	texts    []*buffers // that values of the kernel may refer to
	fixed    []*buffers // those of them that are of constants and dictionaries
	metrics  runtime.Metrics
	sampled  []int64 // what a plan has read that ends without a result

	standStill func(copies []Copy) bool // that of the request
	stood      time.Duration            // how long the run has stood still
	from       int64                    // what had been started on the stream before the run, or when it went on

	parameters runtime.LaunchParameters
	forms      *cudagen.FormTimes // of the expansions; nil: they are as planned
	trial      *trial             // of the way in which groups are made, or of forms; nil: it is not tried
	streams    bool               // the source is to be streamed, even where it seems to fit
	source     *stream            // of the source, where it is streamed
	linked     bool               // nobody else streams
	ranges     []rowRange         // of the source: its chunks, or what is left of it
	linkBefore time.Duration      // what the link had been busy before the run
	observed
}

// observed are the launches of a run, where its options ask for them, and the
// timers that give their times when they have ended.
type observed struct {
	launches []runtime.Launch
	// additions are those that the kernel has counted.
	additions runtime.Additions
	timers    []*Timer
	phases    *phases // nil: they are not timed
}

// phases are the launches and fills of an aggregation by keys, by phase.
type phases struct {
	of    [3][]*Timer
	cells int64
	last  bool // the last block of the launch over the rows makes results
	// inCells says that the groups stay there.
	inCells bool
}

// phase is one of them.
type phase uint8

const (
	initialize phase = iota
	accumulate
	finalize
)

// interpreter carries a launch plan out. It knows nothing of what the entries compute.
type interpreter struct {
	*run
	plan      *launch.Plan
	counted   int64       // rows that the plan before has counted
	vars      []int64     // by variable
	arrays    [][]int64   // by variable, as far as there are any
	held      []held      // by buffer
	params    [][]uint64  // by block
	raw       []byte      // that was read last
	chunk     int64       // rows of the chunk at hand
	gone      int64       // rows of the chunks up to it
	passes    int         // over the source that have begun
	timed     []*Timer    // of the launches since the last block; nil: they are not timed
	what      hash.Hash64 // of what was launched for the block
	out       runtime.Output
	kept      []*relation // by number, of a result of several relations; nil: it is not there yet, or has no rows
	brought   []download  // rows that came with what was read last
	written   []int       // the numbers of those that may still be written
	fallsBack bool        // the other rendering is to be used, and counted is what it is told
	done      bool        // what is to be written is written
}

// held is a buffer of a plan: parts, or columns.
type held struct {
	mem   *buffers // of the parts; it is never shared
	parts []Ptr
	cols  []column
}

// next says how a list of statements goes on.
type next uint8

const (
	goOn  next = iota
	leave      // the loop around it
	ended      // the plan
)

// modules keeps rendered and loaded kernels between queries. Safe for concurrent
// use.
type modules struct {
	device Device
	target *cudagen.Target
	sized  *cudagen.Target // target with the sizes of memory that the device reports; nil: it has them
	limit  time.Duration   // that is waited for a compilation
	rows   *module         // cudagen.RowsModule
	behind *lane           // of modules that no query waits for
	stuck  atomic.Int32    // compilations that have not ended after the limit
	tuning sync.Mutex      // guards the searches of all modules
	keys   sync.Pool       // of *[]byte: what modules are looked for by

	rendering sync.Mutex   // one kernel is rendered at a time
	mu        sync.RWMutex // guards what follows, and is locked after rendering
	// known are by what each is rendered of: a rendering, then cudagen.AppendKey.
	known map[string]*module
}

// module is a rendered kernel, or why there is none.
type module struct {
	of       *kernel.Func
	rendered *cudagen.Module
	err      error
	found    atomic.Bool // of a kernel for plain shapes: one like it has run
	// Of a Build: whether rows had the same keys, where its table was tried as cells, and how many rows
	// the last table had.
	repeats atomic.Bool
	rows    atomic.Int64

	// searches are those for launch parameters, by the number of groups that are likely, of
	// which they are the bits. They are guarded by modules.tuning.
	searches map[int]*launchSearch
	variants map[int]*variantSearch        // likewise: those for other ways to aggregate
	forms    map[string]*cudagen.FormTimes // likewise: times of the forms of expansions, by what they depend on beside the kernel

	mu      sync.Mutex // guards what follows
	code    Code
	loading *loading // under way; nil: none
	failure error    // of the last loading, where the next one would fail too
	queued  bool     // it waits to be compiled behind, or is being compiled so
}

// variantSearch is the search for the fastest way to carry an aggregation out. Other ways are other
// kernels, which are compiled behind the query and tried by a later one: a run is a block of
// the search, and what it takes is the time of all launches. It is guarded by modules.tuning.
type variantSearch struct {
	*tune.Search[cudagen.Variant]
	kernel   string // in the file of the device
	when     string
	planned  cudagen.Variant
	rendered map[cudagen.Variant]*variant // nil: it does not apply
	render   func(cudagen.Variant) bool   // renders, for inputs as those of the first run
	kept     *machine.Launch              // what the file held at the start
	saved    bool                         // in the file
	tries    bool                         // a run tries a way, which others leave alone until it has ended
	ahead    int                          // ways that are compiled at the same time
	usual    float64                      // nanoseconds a row as planned
}

// variant is one of the ways.
type variant struct {
	sink   *kernel.Aggregate // of the first kernel like it, which may have had other constants
	how    rendering
	module *module
	// planned says that the kernel is carried out so unless another way is faster.
	planned bool
	cost    float64 // that the target expects
	first   float64 // nanoseconds a row of the first part of the rows; 0: not measured
}

// trial measures how long a kernel takes in one of the ways to aggregate, or to expand.
type trial struct {
	timers []*Timer // of all launches
	whole  bool     // no first part is measured: there are few rows, or forms are timed
	first  float64  // nanoseconds a row of the first part of the rows
	limit  float64  // of them, above which the way is given up; 0: none
	best   float64  // nanoseconds a row in the fastest way so far
	taken  int64    // how often a stream had been taken before
	// search is that for launch parameters of which the run is a block; nil: there is none.
	search *launchSearch
	what   hash.Hash64 // of what was launched for it
	tunes  bool        // there may be one
}

// rendering is a way to render a kernel.
type rendering uint8

const (
	renderPlain    rendering = iota // by cudagen.Render
	renderChain                     // by cudagen.RenderBuild
	renderSample                    // by cudagen.RenderSample
	renderReported                  // by cudagen.Render, for the sizes of memory that the device reports
)

// loading is the compilation of a module and its loading.
type loading struct {
	done chan struct{} // closed when there is a result
	code Code
	err  error
	late atomic.Bool // somebody has waited for it in vain
}

// stream copies the rows of a relation of the host to the device chunk by chunk:
// while the link carries chunks, a kernel reads the one before them and the
// processor encodes the one after, as far as its columns are not in page-locked
// memory since an earlier query. A chunk lies in one of the slots' buffers on the
// device, as columns one after the other.
type stream struct {
	run    *run
	input  int
	cols   []streamColumn
	ends   []int64 // by chunk: the rows up to its end
	chunks []rowRange
	room   int64 // bytes of a buffer
	slots  [Slots]Ptr
}

// streamColumn is a column of the relation, of one shape in all chunks.
type streamColumn struct {
	ordinal int
	shape   cudagen.ColumnShape
	base    int64
	chunks  []*runtime.Chunk
	pinned  *pinnedColumn // nil: chunks are encoded as they are needed
}

// chunkRows is what the rows of a chunk are a multiple of, but for the last one, and where
// ranges of rows begin.
const chunkRows = 1024

// rowRange is consecutive rows of a source.
type rowRange struct{ first, rows int64 }

// input is what a kernel reads: columns of a relation or a table.
type input struct {
	bound  *bound
	table  *table
	groups *groups
	cached bool // bound is of columns that are kept between queries
}

// groups are those of an aggregation in their cells, for one kernel that reads them there.
type groups struct {
	backend *Backend
	shares  atomic.Int64 // of its query and of runs that read it
	shape   *cudagen.GroupCells
	cells   int64
	filled  int64    // cells that have a group; 0: it is not known
	words   []uint64 // that lead to the cells
	held    *buffers
	cols    []column              // keys, of groups that are runs of rows
	dicts   []*runtime.Dictionary // by column
	texts   [][]*buffers          // by column: what its texts lie in, of which held has shares
}

// loadedInput is an input as far as the device is not needed to get at it.
type loadedInput struct {
	device  *relation
	peer    *relation // of another device, which can be copied from
	far     int64     // bytes that came from another device through the host
	table   *table
	groups  *groups
	host    runtime.Relation
	cols    []int              // ordinals that the kernel reads
	chunks  [][]*runtime.Chunk // of host; nil: all columns were on the device
	version any                // of host; nil: it has none
	sent    *bound             // columns of host that were sent as they were decoded; nil: none were
	parts   []loadedPart       // of a relation that is composed of others
}

// loadedPart is a part of a composed relation.
type loadedPart struct {
	loadedInput
	rows int64
	seen []codegen.PartCol // nil: the part's columns as they are
}

// mapTable is what a Map gives for each entry of its dictionary; entry 0 is for
// NULL, entry code+1 for a code.
type mapTable struct {
	typ   kernel.Type
	data  []byte  // as kernels read it
	state []uint8 // cudagen.MapNull …
	errs  map[int]error
	dict  *runtime.Dictionary // of texts
	codes map[string]uint32
}

// relation is what a sink made: columns in device memory, which are brought to
// the host when somebody reads them there. It is a runtime.Relation and a
// runtime.Output.
type relation struct {
	ctx     context.Context // of the query
	mem     *memory
	account *runtime.Account
	rows    int
	cols    []column // each with a share of its memory, until released

	mu      sync.Mutex
	host    [][]*runtime.Chunk // by column: all of its rows, or those of each block; nil: not fetched yet
	charged int64
	left    bool // the device, which nobody copies it from any more
	cleanup goruntime.Cleanup
}

// dictionaryCache keeps what has been computed for the entries of dictionaries,
// in device memory, between queries. Safe for concurrent use.
type dictionaryCache struct {
	mem       *memory
	constants bool // it is one of constants of kernels, which no dictionary has

	mu      sync.Mutex // guards what follows
	entries map[dictionaryKey]*cachedEntries
}

// texts is the relation of entries lo up to hi of a dictionary: NULL and then
// the texts.
type texts struct {
	dict    []string
	entries int
	lo, hi  int
}

// cachedEntries is the result: arrays in device memory, and the table of a Map.
type cachedEntries struct {
	first, second Ptr
	table         *mapTable
	held          *buffers
}

// table is what a Build made: its rows' payload, and where the rows of each key
// are. It is a runtime.Output. It does not change, but for the marks.
type table struct {
	shares atomic.Int64 // of its query and of runs that read it
	shape  cudagen.TableShape
	keys   []tableKey
	cols   []column // payload
	rows   int64
	places int64    // of the payload: rows, or cells
	held   *buffers // all but the payload
	slots  Ptr
	mask   uint64 // slots less one, of open addressing
	ends   Ptr
	words  Ptr             // keys by row
	marks  Ptr             // a byte a place; 0: no probe has wanted them yet
	spread *cudagen.Spread // nil: each key has one row, or it is not known
	bounds []keyBounds     // by key
}

// noRoom is ErrOutOfMemory beside what other queries had on the device by then, in bytes.
type noRoom struct {
	error
	others int64
}

// Unwrap returns the error itself.
func (n *noRoom) Unwrap() error { return n.error }
