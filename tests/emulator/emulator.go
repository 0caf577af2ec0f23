// Package emulator is a cuda.Device without a GPU: it compiles CUDA source with
// the C++ compiler g++ and executes it in a child process, the threads of a
// block as fibers that run in random order. The compiler's sanitizers find
// accesses outside an allocation or an array of shared memory, and undefined
// behaviour; the machine finds barriers that not all threads of a block reach,
// warp operations whose lanes never come, and kernels that spin.
package emulator

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// SeedVariable is the environment variable that fixes the order in which
// threads run, to repeat a failure whose message gives the seed.
const SeedVariable = "CUBELOOM_EMULATOR_SEED"

// DefaultMemory is how many bytes a device has unless told.
const DefaultMemory = 1 << 30

// DefaultPendingLaunches is how many launches by kernels are pending unless told, as in
// CUDA.
const DefaultPendingLaunches = 2048

// DefaultPatience is how many basic blocks of a kernel pass unless told, and no thread ends or
// meets others, until the kernel counts as one that spins.
const DefaultPatience = 1_000_000_000

// Options say what is emulated.
type Options struct {
	Memory int64 // bytes of device memory; 0: DefaultMemory
	// PageLocked is how many bytes of page-locked memory there are; 0: any number.
	PageLocked int64
	// PendingLaunches is how many launches by kernels are pending at the most; 0:
	// DefaultPendingLaunches.
	PendingLaunches int
	Patience        int    // basic blocks without progress; 0: DefaultPatience
	Seed            uint64 // of the random order; 0: from SeedVariable, else any
	// Checked reports whether a source is compiled with the sanitizers; nil: each is.
	Checked func(source string) bool
}

// Device is an emulated GPU. It is closed after use.
type Device struct {
	seed     uint64
	pool     int // of launches by kernels
	patience int // basic blocks
	checked  func(source string) bool
	memory   memory
	link     link

	mu       sync.Mutex // guards what follows: one command at a time
	process  *process
	streams  []*stream
	random   *rand.Rand // which stream goes on
	launches uint64
	launched Launched
	code     map[string]*code // by path of the shared object
}

// stream puts off what is started on it, as long as it is not waited for: at each call chance
// decides which streams go on, and how far. What relies on an order of two streams is found.
type stream struct {
	device *Device
	queue  []func() error
}

// link copies as late as a GPU may: when the copy is waited for. Memory that is
// changed too early, or a copy into memory that kernels still read, is found.
type link struct {
	device *Device
	host   hostMemory
	slots  [cuda.Slots]slot
}

// hostMemory is page-locked memory, which is any memory here.
type hostMemory struct {
	limit int64 // bytes; 0: none
	given atomic.Int64
}

// slot is what is known of one slot. Between Arrive and Leave kernels read what
// was sent.
type slot struct {
	travels []cuda.Transfer // that have been sent and not copied
	read    bool
}

// Open starts a machine. The first one compiles it.
func Open(opts Options) (*Device, error) {
	program, err := buildMachine()
	if err != nil {
		return nil, err
	}
	seed, err := chooseSeed(opts.Seed)
	if err != nil {
		return nil, err
	}
	p, err := startProcess(program)
	if err != nil {
		return nil, err
	}
	d := &Device{
		seed: seed, process: p, code: make(map[string]*code), checked: opts.Checked,
		random: rand.New(rand.NewPCG(seed, 0)), pool: cmp.Or(opts.PendingLaunches, DefaultPendingLaunches), patience: cmp.Or(opts.Patience, DefaultPatience),
	}
	d.link.device = d
	d.link.host.limit = opts.PageLocked
	d.memory = memory{device: d, total: opts.Memory, sizes: make(map[cuda.Ptr]int64)}
	if d.memory.total == 0 {
		d.memory.total = DefaultMemory
	}
	return d, nil
}

// chooseSeed takes the first seed that is given.
func chooseSeed(seed uint64) (uint64, error) {
	text := os.Getenv(SeedVariable)
	if seed != 0 || text == "" {
		if seed == 0 {
			seed = uint64(rand.Uint32())
		}
		return seed, nil
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", SeedVariable, err)
	}
	return seed, nil
}

// Close ends the machine; its memory is gone.
func (d *Device) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.process.close()
}

// Info describes the device: a small one, so that loops over tiles and ranges of
// cells take more than one turn.
func (d *Device) Info() cuda.Info {
	return cuda.Info{
		Name:         "emulated",
		Arch:         "sm_90",
		SMs:          2,
		SharedMemory: 232448,
		TotalMemory:  d.memory.total,
		Cache:        1 << 10,
		Bandwidth:    0,
		Checked:      true,
	}
}

// Memory is the device's memory.
func (d *Device) Memory() cuda.Memory { return &d.memory }

// Load compiles source unless an earlier run of any program has.
func (d *Device) Load(ctx context.Context, name, source string) (cuda.Code, error) {
	object, err := compile(ctx, name, source, d.checked == nil || d.checked(source))
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if c := d.code[object]; c != nil {
		return c, nil
	}
	var reply reply
	err = d.process.call(&reply, "loading "+name, commandLoad, []byte(object))
	if err != nil {
		return nil, err
	}
	handle, problem := reply.word(), reply.bytes()
	if handle == 0 {
		return nil, fmt.Errorf("emulated device: loading %s: %s", name, problem)
	}
	d.code[object] = &code{device: d, name: name, key: strings.TrimSuffix(filepath.Base(object), ".so"), handle: handle}
	return d.code[object], nil
}

// code is a source in a loaded shared object, which may hold others.
type code struct {
	device *Device
	name   string
	key    string
	handle uint64
}

// Kernel finds an entry of the source.
func (c *code) Kernel(name string) (cuda.Kernel, error) {
	c.device.mu.Lock()
	defer c.device.mu.Unlock()
	var reply reply
	if err := c.device.process.call(&reply, "finding "+name, commandFind, c.handle, []byte(c.key), []byte(name)); err != nil {
		return nil, err
	}
	number, size := reply.word(), reply.word()
	if number == 0 {
		return nil, fmt.Errorf("emulated device: %s has no kernel %s", c.name, name)
	}
	return &entry{name: c.name + "." + name, number: number, bytes: int(size)}, nil
}

// entry is a kernel of a loaded shared object.
type entry struct {
	name   string
	number uint64 // of the machine
	bytes  int    // of its parameter
}

// Usage returns what a kernel without registers takes: shared memory and threads.
func (*entry) Usage(threads, shared int) cuda.Usage {
	blocks := max(2048/max(threads, 1), 1)
	return cuda.Usage{Shared: shared, Blocks: blocks, Occupancy: min(float64(blocks*threads)/2048, 1)}
}

// Launched counts launches by kernels: those that were done, and those that the pool had
// no room for.
type Launched struct{ Done, Refused int }

// memory is the device's memory: the child's heap, within a limit.
type memory struct {
	device      *Device
	total, used int64
	sizes       map[cuda.Ptr]int64
}
