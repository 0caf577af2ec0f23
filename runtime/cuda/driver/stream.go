package driver

import (
	"context"
	"fmt"
	"unsafe"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// NewStream makes a stream.
func (d *Device) NewStream() (cuda.Stream, error) { return d.newStream() }

func (d *Device) newStream() (*stream, error) {
	s := &stream{device: d}
	s.staging.stream, s.timers.stream, s.timers.barrier.stream = s, s, s
	err := d.with(func() {
		d.check("cuStreamCreate", d.driver.streamCreate(&s.handle, streamNonBlocking))
	})
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.streams = append(d.streams, s)
	return s, nil
}

// close frees what the stream has.
func (s *stream) close() {
	s.timers.close()
	s.staging.close()
	s.device.driver.streamDestroy(s.handle)
}

// Sync implements cuda.Stream, and reads the timers.
func (s *stream) Sync() error {
	d := s.device
	return d.with(func() {
		d.check("cuStreamSynchronize", d.driver.streamSynchronize(s.handle))
		s.ended()
		s.timers.read()
	})
}

// Fill implements cuda.Stream.
func (s *stream) Fill(dst cuda.Ptr, b byte, bytes int64, to *cuda.Timer) error {
	if bytes == 0 {
		return nil
	}
	d := s.device
	fill := func() {
		d.checkf(d.driver.fill(dst, b, uint64(bytes), s.handle), "cuMemsetD8Async of %d bytes", bytes)
	}
	if to == nil {
		return d.with(fill)
	}
	return d.with(func() { s.timers.around(to, fill) })
}

// Upload implements cuda.Stream.
func (s *stream) Upload(dst cuda.Ptr, src []byte) error {
	if len(src) == 0 {
		return nil
	}
	return s.device.with(func() { s.staging.upload(dst, src) })
}

// Download implements cuda.Stream: in one buffer where the copies are small.
func (s *stream) Download(ctx context.Context, copies ...cuda.Copy) error {
	total := 0
	for _, c := range copies {
		total += aligned(len(c.Dst))
	}
	if total == 0 {
		return nil
	}
	return s.device.with(func() {
		if total <= copyBlock {
			s.staging.downloadSmall(copies, total)
			return
		}
		for _, c := range copies {
			s.staging.download(ctx, c.Dst, c.Src)
		}
		s.ended()
	})
}

// How cuLaunchKernel is given the parameter as one block of bytes.
const (
	launchBufferPointer = 1
	launchBufferSize    = 2
)

// Launch implements cuda.Stream.
func (s *stream) Launch(l cuda.Launch) error {
	d := s.device
	f, ok := l.Kernel.(*function)
	if !ok || f.device != d {
		return fmt.Errorf("%s: a %T is not a kernel of this device", d.info.Name, l.Kernel)
	}
	return d.with(func() {
		f.prepare(l.Shared)
		s.note(f)
		if l.Timer == nil {
			s.launch(f, &l)
			return
		}
		s.timers.around(l.Timer, func() { s.launch(f, &l) })
	})
}

// launch calls the driver.
func (s *stream) launch(f *function, l *cuda.Launch) {
	d := s.device
	r := d.driver.launch(f.handle, uint32(l.Grid), 1, 1, uint32(l.Threads), 1, 1, uint32(l.Shared), s.handle, nil, s.arguments.set(l.Params))
	d.checkf(r, "cuLaunchKernel for %s (%d blocks of %d threads, %d bytes of shared memory)", f.name, l.Grid, l.Threads, l.Shared)
}

// set fills in the parameter of a launch.
func (a *arguments) set(params []uint64) unsafe.Pointer {
	a.params = append(a.params[:0], params...)
	a.size = uint64(8 * len(params))
	a.extra = [5]uintptr{
		launchBufferPointer, uintptr(unsafe.Pointer(unsafe.SliceData(a.params))),
		launchBufferSize, uintptr(unsafe.Pointer(&a.size)), 0,
	}
	return unsafe.Pointer(&a.extra)
}
