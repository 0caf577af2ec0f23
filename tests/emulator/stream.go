package emulator

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// NewStream implements cuda.Device.
func (d *Device) NewStream() (cuda.Stream, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := &stream{device: d}
	d.streams = append(d.streams, s)
	return s, nil
}

// start adds work to the stream and has some of what waits be done.
func (s *stream) start(work func() error) error {
	d := s.device
	d.mu.Lock()
	defer d.mu.Unlock()
	s.queue = append(s.queue, work)
	for _, i := range d.random.Perm(len(d.streams)) {
		if other := d.streams[i]; len(other.queue) > 0 {
			if err := other.goOn(d.random.IntN(len(other.queue) + 1)); err != nil {
				return err
			}
		}
	}
	return d.process.err
}

// goOn does the next n pieces of work. The device is locked.
func (s *stream) goOn(n int) error {
	for range n {
		work := s.queue[0]
		s.queue = slices.Delete(s.queue, 0, 1)
		if err := work(); err != nil {
			return err
		}
	}
	return nil
}

// drain does what all streams have put off. The device is locked.
func (d *Device) drain() error {
	for _, s := range d.streams {
		if err := s.goOn(len(s.queue)); err != nil {
			return err
		}
	}
	return nil
}

// Sync implements cuda.Stream.
func (s *stream) Sync() error {
	s.device.mu.Lock()
	defer s.device.mu.Unlock()
	if err := s.goOn(len(s.queue)); err != nil {
		return err
	}
	return s.device.process.err
}

// Fill implements cuda.Stream.
func (s *stream) Fill(dst cuda.Ptr, b byte, n int64, to *cuda.Timer) error {
	return s.start(func() error {
		started := time.Now()
		err := s.device.process.call(nil, fmt.Sprintf("filling %d bytes at %#x", n, dst), commandFill, uint64(dst), uint64(b), uint64(n))
		if to != nil {
			to.Nanoseconds = time.Since(started).Nanoseconds()
		}
		return err
	})
}

// Upload implements cuda.Stream.
func (s *stream) Upload(dst cuda.Ptr, src []byte) error {
	src = bytes.Clone(src)
	return s.start(func() error { return s.device.put(dst, src) })
}

// Download implements cuda.Stream.
func (s *stream) Download(ctx context.Context, copies ...cuda.Copy) error {
	if err := s.Sync(); err != nil {
		return err
	}
	for _, c := range copies {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := s.device.download(c.Dst, c.Src); err != nil {
			return err
		}
	}
	return nil
}

// Launch implements cuda.Stream. Errors name the kernel and the seed.
func (s *stream) Launch(l cuda.Launch) error {
	d := s.device
	e, ok := l.Kernel.(*entry)
	if !ok {
		return fmt.Errorf("emulated device: a %T is not a kernel of this device", l.Kernel)
	}
	switch {
	case l.Threads < 1 || l.Threads > 1024:
		return fmt.Errorf("emulated device: kernel %s: a block of %d threads", e.name, l.Threads)
	case l.Grid < 1 || l.Grid > 1<<31-1:
		return fmt.Errorf("emulated device: kernel %s: a grid of %d blocks", e.name, l.Grid)
	case l.Shared < 0 || l.Shared > d.Info().SharedMemory:
		return fmt.Errorf("emulated device: kernel %s: %d bytes of shared memory", e.name, l.Shared)
	case 8*len(l.Params) != e.bytes:
		return fmt.Errorf("emulated device: kernel %s takes %d bytes of parameters, the launch gives %d", e.name, e.bytes, 8*len(l.Params))
	}
	l.Params = slices.Clone(l.Params)
	return s.start(func() error { return d.run(e, &l) })
}

// run runs a kernel to its end. The device is locked.
func (d *Device) run(e *entry, l *cuda.Launch) error {
	d.launches++
	seed := d.seed + d.launches<<32
	var reply reply
	task := fmt.Sprintf("kernel %s (seed %d, launch %d)", e.name, d.seed, d.launches)
	err := d.process.call(&reply, task, commandRun, e.number, uint64(l.Grid), uint64(l.Threads), uint64(l.Shared), uint64(d.pool), uint64(d.patience), seed, words(l.Params))
	if err != nil {
		return err
	}
	nanoseconds := reply.word()
	d.launched.Done += int(reply.word())
	d.launched.Refused += int(reply.word())
	if l.Timer != nil {
		l.Timer.Nanoseconds = int64(nanoseconds)
	}
	return nil
}

// put copies to the device. It is locked.
func (d *Device) put(dst cuda.Ptr, src []byte) error {
	return d.process.call(nil, fmt.Sprintf("uploading %d bytes to %#x", len(src), dst), commandUpload, uint64(dst), src)
}

// upload copies to the device at once.
func (d *Device) upload(dst cuda.Ptr, src []byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.put(dst, src)
}

// download copies from the device.
func (d *Device) download(dst []byte, src cuda.Ptr) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var reply reply
	err := d.process.call(&reply, fmt.Sprintf("downloading %d bytes from %#x", len(dst), src), commandDownload, uint64(src), uint64(len(dst)))
	if err == nil {
		copy(dst, reply.bytes())
	}
	return err
}

// Launched counts those of all kernels so far.
func (d *Device) Launched() Launched {
	d.mu.Lock()
	defer d.mu.Unlock()
	_ = d.drain() // an error stays with the process
	return d.launched
}
