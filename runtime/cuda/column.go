package cuda

import (
	"container/list"
	goruntime "runtime"
	"sync"
	"sync/atomic"
	"weak"

	"github.com/cubeloom/cubeloom/codegen"
	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

// column is one column of a relation in device memory.
type column struct {
	shape cudagen.ColumnShape
	base  int64 // added to what offset encodings hold
	data  Ptr
	bytes Ptr // of text
	valid Ptr
	dict  *runtime.Dictionary // what codes mean
	parts *blockBounds        // of a column of a relation of the host; nil: not known
	held  *buffers            // where the column lies
}

// blockBounds are the least and the greatest value of each block of a column of integers;
// of a block for which they are not known, those of the type.
type blockBounds struct {
	ends   []int64 // by block: the rows up to its end
	lo, hi []int64
}

// bound is a relation as a kernel reads it: Columns by ordinal, those that were
// not asked for without a type. It keeps them on the device until it is
// released.
type bound struct {
	rows int64
	cols []column
}

// columns copies relations to a device and keeps the columns of tables there
// between queries, until their memory is needed for something else: those go
// first that have not been used for the longest time. Safe for concurrent use.
type columns struct {
	device  Device
	mem     *memory
	offsets int64 // bytes of texts at most of a column that has offsets

	mu      sync.RWMutex                   // guards what follows
	uploads map[columnChunks]chan struct{} // under way: each is closed at its end
	*columnCache[column]
}

// columnCache keeps something made of columns of relations of the host. Chunks
// never change, so that the same chunks are the same data. It is used by one goroutine at a time.
type columnCache[T any] struct {
	cached map[columnChunks]*list.Element // of *cachedColumn[T]
	recent *list.List                     // used last in front
	// versions finds columns of relations that never change without looking at
	// their chunks.
	versions map[columnVersion]*list.Element
	drop     func(made T) // releases what is not kept any more
}

// columnChunks finds a column by the first of its chunks and how many there are: the whole of
// a table and a share of it may begin with the same one.
type columnChunks struct {
	first weak.Pointer[runtime.Chunk]
	n     int
}

// columnVersion is a column of a runtime.Versioned.
type columnVersion struct {
	version any
	ordinal int
}

// cachedColumn is what is kept of one column.
type cachedColumn[T any] struct {
	made     T
	chunks   []weak.Pointer[runtime.Chunk]
	longest  weak.Pointer[runtime.Dictionary]
	versions []columnVersion // that find it
}

// longest is the dictionary with the most entries of chunks of codes, which are
// snapshots of one.
func longest(chunks []*runtime.Chunk) *runtime.Dictionary {
	var dict *runtime.Dictionary
	for _, chunk := range chunks {
		if d := chunk.Dict; d != nil && (dict == nil || len(d.Texts) > len(dict.Texts)) {
			dict = d
		}
	}
	return dict
}

// segment is what a part adds to a column: a column of its own, or a constant.
type segment struct {
	rows int64
	col  *column // nil: constant
	typ  kernel.Type
	val  value.Value // in the form of kernel.Param.Val
	text uint64      // of a constant text: the word that refers to it
}

// download is a column on its way to the host: as it lies, until all of the
// columns that come with it are there.
type download struct {
	col              *column
	rows             int
	valid, raw, text []byte
	ends             []uint64 // of texts that lie elsewhere: where each ends in text
	apart            bool     // the device has not put them together
	bounded          bool     // bounds of integers are wanted
}

// pinnedColumn is a column of a relation of the host in page-locked memory, as it
// lies on a device, from where the link copies it at its full rate and nothing is
// left to encode. The first query that reads the column encodes it.
type pinnedColumn struct {
	bytes   []byte // all of it
	valid   []byte // of a column that has NULLs
	data    []byte
	encoded int   // chunks, from the first on
	rows    int64 // of them
	readers int   // queries that read it now
	watches []goruntime.Cleanup
}

// pinnedColumns keeps columns in page-locked memory between queries, within a
// limit: those go first that have not been used for the longest time, and those of
// tables that are gone as soon as the garbage collector knows it. Columns are made and read by who has
// the link.
type pinnedColumns struct {
	host  HostMemory
	limit int64
	used  atomic.Int64 // bytes
	asked atomic.Bool  // a goroutine is to free what is gone

	mu sync.Mutex // guards what follows, and how many readers columns have
	*columnCache[*pinnedColumn]
}

// tableKey is how a key of the table is numbered.
type tableKey struct {
	lo, extent int64
}

// keyBounds are the least and the greatest value of a key of the table; lo is above hi where
// no row has one.
type keyBounds struct {
	lo, hi int64
	known  bool
}

// dictionaryKey is a dictionary, whose entries do not change, and what has been
// computed for them.
type dictionaryKey struct {
	dict weak.Pointer[runtime.Dictionary]
	what string
}

// sourceOrdinal is the ordinal of the part's relation that is seen as column o, or
// below 0.
func sourceOrdinal(seen []codegen.PartCol, o int) int {
	if seen == nil {
		return o
	}
	return seen[o].Ordinal
}
