package device

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// Failing is a device whose calls fail at random: for want of memory, for other reasons after
// which it goes on, or, once at most, for good. What had been started by then is done.
type Failing struct {
	Around
	fails *fails
}

// fails says which calls fail.
type fails struct {
	share float64 // of the calls
	lost  float64 // of the failures: after them the device is lost

	mu     sync.Mutex // guards what follows
	random *rand.Rand
	err    error // after which every call fails
	failed int
	paused bool
}

// NewFailing makes a device of whose calls a share fails, and of those failures a share for
// good, by a seed.
func NewFailing(d cuda.Device, share, lost float64, seed uint64) *Failing {
	f := &fails{share: share, lost: lost, random: rand.New(rand.NewPCG(seed, 1))}
	return &Failing{Around{Device: d, Stream: func(s cuda.Stream) cuda.Stream { return failingStream{s, f} }}, f}
}

// Failed is how many calls have failed.
func (d *Failing) Failed() int {
	d.fails.mu.Lock()
	defer d.fails.mu.Unlock()
	return d.fails.failed
}

// Pause has no call fail, or those fail again.
func (d *Failing) Pause(paused bool) {
	d.fails.mu.Lock()
	defer d.fails.mu.Unlock()
	d.fails.paused = paused
}

// fail is the error of a call, or nil.
func (f *fails) fail(call string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return f.err
	}
	if f.paused || f.random.Float64() >= f.share {
		return nil
	}
	f.failed++
	switch kind := f.random.Float64(); {
	case kind < f.lost:
		f.err = fmt.Errorf("%s fails for good: %w", call, cuda.ErrLost)
		return f.err
	case kind < f.lost+(1-f.lost)/2:
		return fmt.Errorf("%s: %w", call, cuda.ErrOutOfMemory)
	}
	return fmt.Errorf("%s: %w", call, cuda.ErrFailed)
}

// NewStream implements cuda.Device.
func (d *Failing) NewStream() (cuda.Stream, error) {
	if err := d.fails.fail("a new stream"); err != nil {
		return nil, err
	}
	return d.Around.NewStream()
}

// Load implements cuda.Device.
func (d *Failing) Load(ctx context.Context, name, source string) (cuda.Code, error) {
	if err := d.fails.fail("loading " + name); err != nil {
		return nil, err
	}
	return d.Around.Load(ctx, name, source)
}

// Memory implements cuda.Device.
func (d *Failing) Memory() cuda.Memory { return failingMemory{d.Around.Memory(), d.fails} }

// Link implements cuda.Device.
func (d *Failing) Link() cuda.Link { return failingLink{d.Around.Link(), d.fails} }

type failingMemory struct {
	cuda.Memory
	*fails
}

func (m failingMemory) Alloc(bytes int64) (cuda.Ptr, error) {
	if err := m.fail("an allocation"); err != nil {
		return 0, err
	}
	return m.Memory.Alloc(bytes)
}

type failingStream struct {
	cuda.Stream
	*fails
}

func (s failingStream) Launch(l cuda.Launch) error {
	if err := s.fail("a launch"); err != nil {
		return err
	}
	return s.Stream.Launch(l)
}

func (s failingStream) Fill(dst cuda.Ptr, b byte, bytes int64, to *cuda.Timer) error {
	if err := s.fail("a fill"); err != nil {
		return err
	}
	return s.Stream.Fill(dst, b, bytes, to)
}

func (s failingStream) Upload(dst cuda.Ptr, src []byte) error {
	if err := s.fail("an upload"); err != nil {
		return err
	}
	return s.Stream.Upload(dst, src)
}

func (s failingStream) Download(ctx context.Context, copies ...cuda.Copy) error {
	if err := s.fail("a download"); err != nil {
		return err
	}
	return s.Stream.Download(ctx, copies...)
}

func (s failingStream) Sync() error {
	if err := s.fail("a wait"); err != nil {
		return err
	}
	return s.Stream.Sync()
}

type failingLink struct {
	cuda.Link
	*fails
}

func (l failingLink) Stage(slot int, n int64) ([]byte, error) {
	if err := l.fail("page-locked memory"); err != nil {
		return nil, err
	}
	return l.Link.Stage(slot, n)
}

func (l failingLink) Send(slot int, chunk []cuda.Transfer) error {
	if err := l.fail("a copy of the link"); err != nil {
		return err
	}
	return l.Link.Send(slot, chunk)
}

func (l failingLink) Arrive(slot int, on cuda.Stream) error {
	if err := l.fail("waiting for the link"); err != nil {
		return err
	}
	return l.Link.Arrive(slot, on)
}

func (l failingLink) Leave(slot int, on cuda.Stream) error {
	if err := l.fail("an event"); err != nil {
		return err
	}
	return l.Link.Leave(slot, on)
}

func (l failingLink) Busy() (time.Duration, error) {
	if err := l.fail("waiting for copies"); err != nil {
		return 0, err
	}
	return l.Link.Busy()
}
