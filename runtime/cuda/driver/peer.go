package driver

import (
	"time"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// CopyFrom copies from another GPU, over the link between them where there is one, and
// otherwise as the driver does, or within the GPU that both are parts of.
func (d *Device) CopyFrom(on cuda.Stream, dst cuda.Ptr, from cuda.Device, src cuda.Ptr, bytes int64) error {
	other, ok := from.(*Device)
	if !ok {
		return cuda.ErrNotPeer
	}
	return d.with(func() error {
		if _, err := d.reach(other); err != nil {
			return err
		}
		r := d.driver.copyFromPeer(dst, d.context, src, other.context, uint64(bytes), on.(*stream).handle)
		return d.checkf(r, "cuMemcpyPeerAsync of %d bytes", bytes)
	})
}

// reach has the device's context reach the memory of another device directly, where it can,
// and reports whether it can. The context is current.
func (d *Device) reach(other *Device) (bool, error) {
	d.mu.Lock()
	direct, known := d.peers[other]
	d.mu.Unlock()
	if known {
		return direct, nil
	}
	var can int32 // 0 of parts of one GPU
	if err := d.check("cuDeviceCanAccessPeer", d.driver.peerAccess(&can, d.ordinal, other.ordinal)); err != nil {
		return false, err
	}
	if can != 0 {
		if r := d.driver.enablePeer(other.context, 0); r != resultPeerEnabled {
			if err := d.check("cuCtxEnablePeerAccess", r); err != nil {
				return false, err
			}
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.peers == nil {
		d.peers = make(map[*Device]bool)
	}
	d.peers[other] = can != 0
	return can != 0, nil
}

// peerBytes is what is copied to measure a link.
const peerBytes = 64 << 20

// LinkFrom measures the link from another GPU, by copies of which the first does not count.
func (d *Device) LinkFrom(from cuda.Device) (cuda.PeerLink, error) {
	other, ok := from.(*Device)
	if !ok {
		return cuda.PeerLink{}, cuda.ErrNotPeer
	}
	var link cuda.PeerLink
	err := d.with(func() (err error) {
		link.Direct, err = d.reach(other)
		return err
	})
	if err != nil {
		return link, err
	}
	src, err := other.memory.Alloc(peerBytes)
	if err != nil {
		return link, err
	}
	defer other.memory.Free(src)
	dst, err := d.memory.Alloc(peerBytes)
	if err != nil {
		return link, err
	}
	defer d.memory.Free(dst)
	on, err := d.newStream()
	if err != nil {
		return link, err
	}
	for range 3 {
		started := time.Now()
		if err := d.CopyFrom(on, dst, other, src, peerBytes); err != nil {
			return link, err
		}
		if err := on.Sync(); err != nil {
			return link, err
		}
		link.Bandwidth = peerBytes / time.Since(started).Seconds()
	}
	return link, nil
}
