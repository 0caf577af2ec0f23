package placement

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/runtime/several"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Device is the CUDA devices of a database, with the host beside them. They are opened when
// a query first wants one, or behind the queries that would have gained by one; a machine
// without one is a normal machine. Any goroutine may use it.
type Device struct {
	open    func(ordinal int) (cuda.Device, error)
	most    int // devices that are opened; 0: all
	host    runtime.Backend
	limits  cuda.Options
	machine *machine.Machine

	mu     sync.Mutex    // guards what follows
	opened chan struct{} // closed when the devices are open, or cannot be opened; nil: nobody has wanted one
	// found is closed when early is known, or opened.
	found chan struct{}
	// early is the first device, for which kernels are compiled while it is opened; nil: it is opened in one go, or
	// not found yet.
	early   *several.Backend
	devices []cuda.Device
	backend *several.Backend // nil: the devices are not open
	closed  bool
	err     error // why there is no device, or none any more
	partial error // why there are fewer devices than there were to be
	figures machine.Device
	// compiler is what is known of that of the first device; nil: none is open or being opened.
	compiler *machine.Compiler
	// saved is by table, its runtime.Versioned.Version, how many nanoseconds the
	// device would have saved had its columns been there.
	saved map[any]float64
	// gained is how many nanoseconds an open device would have saved.
	gained float64
	// observed is what the co-location groups of programs took that ran again and again.
	observed map[observedGroup]*observed
}

// observedGroup names a co-location group: the program with the tables that it reads, and which
// of its groups it is.
type observedGroup struct {
	program      string
	first, steps int
}

// observed is what the steps of a co-location group have taken on each side.
type observed struct{ host, device least }

// least is about the least time of the last runs.
type least struct {
	runs        int
	nanoseconds float64
}

// maxSaved is the number of tables that saved remembers.
const maxSaved = 1024

// maxObserved is the number of co-location groups that observed remembers.
const maxObserved = 4096

// NewDevice returns the devices that open opens when one is wanted, beside the backend of
// the host: the first most of them, or with 0 all, until cuda.ErrNoDevice comes.
func NewDevice(open func(ordinal int) (cuda.Device, error), most int, host runtime.Backend, limits cuda.Options) *Device {
	return &Device{open: open, most: most, host: host, limits: limits, machine: machine.Current(), figures: machine.Current().Device, saved: make(map[any]float64), observed: make(map[observedGroup]*observed)}
}

// Backend opens the devices if nobody has, waits for them, and returns their backend, or why
// there is none.
func (d *Device) Backend() (*several.Backend, error) {
	<-d.start()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err != nil {
		return nil, d.err
	}
	return d.backend, nil
}

// start begins to open the devices if nobody has, and returns what is closed at the end.
func (d *Device) start() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.opened == nil {
		d.opened, d.found = make(chan struct{}), make(chan struct{})
		if d.closed {
			close(d.opened)
			close(d.found)
		} else {
			go d.openAll()
		}
	}
	return d.opened
}

// ready returns what Backend does, without opening anything: neither where the devices are not
// open.
func (d *Device) ready() (*several.Backend, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err != nil {
		return nil, d.err
	}
	return d.backend, nil
}

// opening returns the backend that only compiles, while devices are being opened; nil: they are not, or it is not
// known yet what they are.
func (d *Device) opening() *several.Backend {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.backend != nil || d.err != nil {
		return nil
	}
	return d.early
}

// openAll opens the devices, and closes them where the database was closed meanwhile.
func (d *Device) openAll() {
	devices, partial, err := d.openEach()
	d.mu.Lock()
	defer d.mu.Unlock()
	defer close(d.opened)
	if d.early == nil {
		defer close(d.found)
	}
	switch {
	case d.closed:
		_ = closeAll(devices) // nobody is left to be told
	case err != nil:
		d.err, d.compiler = err, nil
	default:
		d.describe(devices[0])
		d.devices, d.partial, d.backend = devices, partial, several.New(devices, d.host, d.limits)
	}
}

// describe takes what is known of the first device.
func (d *Device) describe(device cuda.Device) {
	info := device.Info()
	d.figures = machine.Of(info.Name, info.Bandwidth, info.HostLink)
	if d.compiler == nil {
		d.compiler = machine.NewCompiler(info.Name, info.Driver, &d.figures.Registers)
	}
}

// openEach opens one device after the other. Where some can be opened, partial is what is wrong
// with the next one.
func (d *Device) openEach() (devices []cuda.Device, partial, err error) {
	for ordinal := 0; d.most == 0 || ordinal < d.most; ordinal++ {
		device, err := d.openOne(ordinal)
		switch {
		case err != nil && ordinal == 0:
			return nil, nil, err
		case errors.Is(err, cuda.ErrNoDevice) && d.most == 0:
			return devices, nil, nil
		case err != nil:
			return devices, err, nil
		}
		devices = append(devices, device)
	}
	return devices, nil, nil
}

// openOne opens a device. For the first one kernels are compiled meanwhile.
func (d *Device) openOne(ordinal int) (cuda.Device, error) {
	device, err := d.open(ordinal)
	unopened, ok := device.(cuda.Unopened)
	if err != nil || !ok {
		return device, err
	}
	if ordinal == 0 {
		d.expect(unopened)
	}
	return unopened.Open()
}

// expect has kernels compiled for a device that is being opened.
func (d *Device) expect(device cuda.Unopened) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.closed {
		d.describe(device)
		d.early = several.New([]cuda.Device{device}, d.host, d.limits)
		close(d.found)
	}
}

// Partial is why there are fewer devices than there were to be; nil: there are not.
func (d *Device) Partial() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.partial
}

// costs returns what operations cost the device, as far as that is known by now.
func (d *Device) costs() machine.Device {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.figures
}

// Comes reports whether there is a device that some query has wanted: it is open, or was found and is being opened.
func (d *Device) Comes() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return (d.backend != nil || d.early != nil) && d.err == nil
}

// Compiler is what is known of the compiler of the device; nil: none is open or being opened.
func (d *Device) Compiler() *machine.Compiler {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.compiler
}

// Require opens the device if nobody has; without one the error is 0A000.
func (d *Device) Require() error {
	if _, err := d.Backend(); err != nil {
		return value.Errorf(value.CodeFeatureNotSupported, "there is no CUDA device: %v", err)
	}
	return nil
}

// retire takes a device out of service after an error that it does not recover from.
func (d *Device) retire(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err != nil {
		return
	}
	if left := withoutLost(d.backend, err); left != nil {
		d.backend, d.partial = left, err
		return
	}
	d.err = err
}

// withoutLost is a backend without the device that an error names; nil where it has no other.
func withoutLost(b *several.Backend, err error) *several.Backend {
	var lost *several.Lost
	if !errors.As(err, &lost) {
		return nil
	}
	return b.Without(lost.Ordinal)
}

// Close ends what is done behind and closes the devices; those that are being opened are
// closed when they are open. Queries that come later find none.
func (d *Device) Close() error {
	d.mu.Lock()
	d.closed = true
	if d.err == nil {
		d.err = errors.New("the database is closed")
	}
	devices := d.devices
	d.devices = nil
	backends := []*several.Backend{d.early, d.backend}
	d.mu.Unlock()
	for _, backend := range backends {
		if backend != nil {
			backend.Close()
		}
	}
	return closeAll(devices)
}

func closeAll(devices []cuda.Device) error {
	var errs []error
	for _, device := range devices {
		if closer, ok := device.(io.Closer); ok {
			if err := closer.Close(); err != nil && !errors.Is(err, cuda.ErrLost) {
				errs = append(errs, fmt.Errorf("closing the CUDA device: %w", err))
			}
		}
	}
	return errors.Join(errs...)
}

// PageLocked returns how much of the host's memory is page-locked to keep tables that
// were streamed to the device, in bytes.
func (d *Device) PageLocked() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.backend == nil {
		return 0
	}
	return d.backend.PageLocked()
}

// paysCopying reports whether what steps would have saved so far, had their columns been on the
// device, pays for copying those.
func (d *Device) paysCopying(c *cost) bool {
	saved := c.host - (c.device - c.copying)
	if saved <= 0 || len(c.tables) == 0 {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.saved) >= maxSaved {
		clear(d.saved)
	}
	for _, table := range c.tables {
		version := table.rel.Version()
		d.saved[version] += saved
		if d.saved[version] >= c.copying {
			delete(d.saved, version)
			return true
		}
	}
	return false
}

// paysOpening adds what an open device would have saved of a query, and reports whether that has
// come to what opening it takes.
func (d *Device) paysOpening(gain float64) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.gained += gain
	return d.gained >= d.figures.Open
}

// cost is what the steps of a co-location group are likely to take on either side, in
// nanoseconds, and why.
type cost struct {
	host, device     float64
	onHost, onDevice float64 // what the last runs took on either side; 0: not known
	steps            int
	asked            bool    // whether the device is quicker: what starting the steps takes is less than host
	chosen           bool    // the device
	behind           string  // what is done for later queries, which this one does not wait for
	read, missing    int64   // bytes of columns on the device, and those that must come there
	result           int64   // bytes
	encoded          float64 // values of what is missing
	matches          float64 // rows that joins give more than come to them
	decoding         float64 // of host and device: columns of files
	copying          float64 // of device: what is missing
	compiling        float64 // of device: kernels that are not compiled, where the query waits for them
	machine          machine.Device
	streams          bool
	tables           []missingColumns
}

// missingColumns are columns of a table that are not on the device.
type missingColumns struct {
	rel  runtime.Versioned
	cols []int
}
