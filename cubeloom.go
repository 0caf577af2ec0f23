// Package cubeloom is an analytical SQL engine to embed: open a database, run
// SQL, read the results as rows or as Arrow records.
//
//	db, err := cubeloom.Open(cubeloom.Options{})
//	res, err := db.Session().Query(ctx, "SELECT count(*) FROM 'orders.parquet'")
//
// The parts can be used alone: package planner plans without data, package
// fusion weaves what was planned, package codegen makes kernels of it.
package cubeloom

import (
	"cmp"
	"errors"
	"fmt"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"os"
	goruntime "runtime"
	"slices"
	"sync"
	"time"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/cuda/driver"
	"github.com/cubeloom/cubeloom/runtime/placement"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/settings"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/disk"
	"github.com/cubeloom/cubeloom/runtime/store/disk/vfs"
)

// Options says how a database is opened. The zero value is a database in
// memory that uses all cores.
type Options struct {
	// DataDir keeps the tables; "" keeps them in memory. One process at a time
	// may have it open.
	DataDir string
	// OpenData opens the directory that keeps the tables in the place of DataDir's.
	OpenData func() (vfs.Dir, error)
	// SpillBytes is how much of a table a transaction holds in memory before it writes
	// it to the directory; 0 for 64 MB.
	SpillBytes int64
	// Threads that work on one query; 0 for one per core.
	Threads int
	// MemoryLimit is what one query may hold, in bytes; 0 for three quarters of
	// MachineMemory or TotalMemory, whichever is less, negative for no limit.
	MemoryLimit int64
	// TotalMemory is what may be held together, in bytes, by all queries that run,
	// results that are being read, cursors and tables in memory; 0 for no limit.
	TotalMemory int64
	// MinPasswordLength is how many characters a role's new password has at least; 0 for
	// DefaultMinPasswordLength, negative for no bound.
	MinPasswordLength int
	// VectorRows is the number of rows in a vector of the CPU backend; 0 for
	// its default. Answers do not depend on it.
	VectorRows int
	// Device is where groups run unless a session says otherwise: auto (which ""
	// is too) for where they are quickest, cpu, or cuda, which fails where there
	// is no CUDA device.
	Device string
	// OpenBehind has Open not wait for the device where Device is cuda: the first query that is
	// planned does, and fails where there is none.
	OpenBehind bool
	// Devices is how many CUDA devices may be used; 0 for all of the machine.
	Devices int
	// Ordinals are the CUDA devices that may be used, from 0 on; nil for the first Devices. One
	// that stands twice is opened as two devices, each with a context of its own and half of the
	// memory, so that what several devices do can be run on one: sessions share kernels then
	// whether that pays or not.
	Ordinals []int
	// DeviceMemoryLimit is how much of each CUDA device's memory may be used, in
	// bytes; 0 for all.
	DeviceMemoryLimit int64
	// PageLockedLimit is how much of the machine's memory may be page-locked to keep
	// tables that are streamed to a CUDA device, in bytes; 0 for a quarter of it,
	// negative for none.
	PageLockedLimit int64
	// CompileLimit is how long a query waits for CUDA's compiler before a group runs
	// on the CPU instead; 0 for two minutes. What the compiler makes later is taken by
	// later queries.
	CompileLimit time.Duration
	// OpenDevice opens a CUDA device by its number, from 0 on; nil opens those of the
	// machine. The error is cuda.ErrNoDevice where there are no more. A device that is an
	// io.Closer is closed with the database.
	OpenDevice func(ordinal int) (cuda.Device, error)
	// DumpDir is where every stage of every query is written as text; "" takes
	// the environment variable CUBELOOM_DUMP, and nothing is written without.
	DumpDir string
}

// DB is an open database. It is safe for concurrent use.
type DB struct{ core *session.Database }

// Open opens a database.
func Open(opts Options) (*DB, error) {
	if opts.Threads < 0 || opts.VectorRows < 0 || opts.Devices < 0 {
		return nil, fmt.Errorf("cubeloom: threads (%d), vector rows (%d) and devices (%d) must not be negative", opts.Threads, opts.VectorRows, opts.Devices)
	}
	if opts.Device == "" {
		opts.Device = string(placement.Auto)
	}
	if !slices.Contains(placement.Wishes(), placement.Wish(opts.Device)) {
		return nil, fmt.Errorf("cubeloom: there is no device %q: auto, cpu or cuda", opts.Device)
	}
	if opts.Threads == 0 {
		opts.Threads = goruntime.GOMAXPROCS(0)
	}
	if opts.MemoryLimit == 0 {
		opts.MemoryLimit = machine.Memory() / 4 * 3
		if opts.TotalMemory > 0 {
			opts.MemoryLimit = min(opts.MemoryLimit, opts.TotalMemory)
		}
	}
	if opts.PageLockedLimit == 0 {
		opts.PageLockedLimit = machine.Memory() / 4
	}
	if opts.DumpDir == "" {
		opts.DumpDir = os.Getenv("CUBELOOM_DUMP")
	}
	if opts.DataDir != "" && opts.OpenData == nil {
		opts.OpenData = func() (vfs.Dir, error) { return disk.Make(opts.DataDir) }
	}
	tables := store.NewCatalog(store.NewState(nil), nil)
	if opts.OpenData != nil {
		dir, err := opts.OpenData()
		if err != nil {
			return nil, err
		}
		if tables, err = disk.OpenDir(dir, opts.SpillBytes); err != nil {
			return nil, err
		}
	}
	db := newDB(opts, tables)
	if opts.Device == string(placement.CUDA) {
		db.core.Demand = sync.OnceValue(db.core.Device.Require)
		if opts.OpenBehind {
			go db.core.Demand()
		} else if err := db.core.Demand(); err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	return db, nil
}

// newDB makes the database of a catalog.
func newDB(opts Options, tables *store.Catalog) *DB {
	backend := cpu.New()
	core := &session.Database{
		Tables: tables, Device: newDevice(&opts, backend), Memory: runtime.NewSharedAccount(max(opts.TotalMemory, 0)),
		DumpDir: opts.DumpDir, MinPassword: opts.MinPasswordLength,
	}
	core.Defaults = settings.Values{
		Fusion: true, HashJoins: true, MergeJoins: true, Tuning: runtime.TuneCuts,
		Joins: settings.AutoStrategy, Aggregates: settings.AutoStrategy, Expansions: settings.AutoStrategy, Filters: settings.AutoStrategy, Packing: settings.AutoStrategy, Sorts: settings.AutoStrategy, Distinct: settings.AutoStrategy, Cubes: settings.AutoStrategy, Exchange: settings.AutoStrategy,
		Preaggregates: settings.AutoStrategy, Replicas: settings.AutoStrategy,
		GroupThreads: settings.AutoStrategy, GroupRows: settings.AutoStrategy, RunKernels: settings.AutoStrategy, RunUpdates: settings.AutoStrategy, RunRows: settings.AutoStrategy,
		Threads: opts.Threads, VectorRows: cmp.Or(opts.VectorRows, min(machine.Current().Host.Caches.VectorRows, settings.MaxVectorRows)), MemoryLimit: max(opts.MemoryLimit, 0),
		Device: placement.Wish(opts.Device), DeviceFallback: true, Gpu: core.Device, Client: settings.ClientDefaults(),
	}
	if slices.ContainsFunc(opts.Ordinals, func(ordinal int) bool { return times(opts.Ordinals, ordinal) > 1 }) {
		core.Defaults.Devices = len(opts.Ordinals)
	}
	core.Memory.StepAside(backend.Lend)
	tables.Charge(core.Memory)
	return &DB{core}
}

// Close ends the use of the database. Results that were read stay valid.
func (db *DB) Close() error { return errors.Join(db.core.Device.Close(), db.core.Tables.Close()) }

// MemoryInUse is what the queries that run hold, in bytes.
func (db *DB) MemoryInUse() int64 { return db.core.Memory.Used() }

// Threads is the number of threads that work on one query unless a session
// says otherwise.
func (db *DB) Threads() int { return db.core.Defaults.Threads }

// newDevice makes the CUDA devices of a database, which are not opened yet.
func newDevice(opts *Options, host runtime.Backend) *placement.Device {
	open, most, ordinals := opts.OpenDevice, opts.Devices, opts.Ordinals
	if open == nil {
		limit := opts.DeviceMemoryLimit
		open = func(ordinal int) (cuda.Device, error) {
			return driver.Find(driver.Options{Ordinal: ordinal, MemoryLimit: limit, Parts: times(ordinals, ordinal)})
		}
	}
	if ordinals != nil {
		most = len(ordinals)
		of := open
		open = func(i int) (cuda.Device, error) { return of(ordinals[i]) }
	}
	return placement.NewDevice(open, most, host, cuda.Options{PageLocked: max(opts.PageLockedLimit, 0), CompileLimit: opts.CompileLimit})
}

// times is how often a number stands in a list.
func times(list []int, n int) (count int) {
	for _, other := range list {
		if other == n {
			count++
		}
	}
	return count
}

// PageLockedInUse is how much of the machine's memory is page-locked to keep tables
// that were streamed to a CUDA device, in bytes.
func (db *DB) PageLockedInUse() int64 { return db.core.Device.PageLocked() }

// CUDADevices describe the CUDA devices that queries run on, of which there is at least one
// where there is no error. Missing is why there are fewer than there were to be, or nil.
func (db *DB) CUDADevices() (infos []cuda.Info, missing, err error) {
	backend, err := db.core.Device.Backend()
	if err != nil {
		return nil, nil, err
	}
	return backend.Infos(), db.core.Device.Partial(), nil
}

// MachineMemory is the memory that the process may use at the most, in bytes: the
// machine's, or the limit of its control group where that is lower. 0: it is not
// known.
func MachineMemory() int64 { return machine.Memory() }
