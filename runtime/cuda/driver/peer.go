package driver

import (
	"time"

	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// CopyFrom copies from another GPU, over the link between them where there is one, and
// otherwise as the driver does, or within the GPU that both are parts of.
func (d *Device) CopyFrom(on cuda.Stream, dst cuda.Ptr, from cuda.Device, src cuda.Ptr, bytes int64) error {
	other, ok := from.(*Device)
	if !ok {
		return cuda.ErrNotPeer
	}
	return d.with(func() {
		d.reach(other)
		r := d.driver.copyFromPeer(dst, d.context, src, other.context, uint64(bytes), on.(*stream).handle)
		d.checkf(r, "cuMemcpyPeerAsync of %d bytes", bytes)
	})
}

// reach has the device's context reach the memory of another device directly, where it can,
// and reports whether it can. The context is current.
func (d *Device) reach(other *Device) bool {
	d.mu.Lock()
	direct, known := d.peers[other]
	d.mu.Unlock()
	if known {
		return direct
	}
	var can int32 // 0 of parts of one GPU
	d.check("cuDeviceCanAccessPeer", d.driver.peerAccess(&can, d.ordinal, other.ordinal))
	if can != 0 {
		if r := d.driver.enablePeer(other.context, 0); r != resultPeerEnabled {
			d.check("cuCtxEnablePeerAccess", r)
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.peers == nil {
		d.peers = make(map[*Device]bool)
	}
	d.peers[other] = can != 0
	return can != 0
}

// peerBytes is what is copied to measure a link.
const peerBytes = 64 << 20

// LinkFrom measures the link from another GPU, by copies of which the first does not count.
func (d *Device) LinkFrom(from cuda.Device) (link cuda.PeerLink, err error) {
	other, ok := from.(*Device)
	if !ok {
		return link, cuda.ErrNotPeer
	}
	defer sqlstate.Catch(&err)
	sqlstate.Check(d.with(func() { link.Direct = d.reach(other) }))
	src := sqlstate.Must(other.memory.Alloc(peerBytes))
	defer other.memory.Free(src)
	dst := sqlstate.Must(d.memory.Alloc(peerBytes))
	defer d.memory.Free(dst)
	on := sqlstate.Must(d.newStream())
	for range 3 {
		started := time.Now()
		sqlstate.Check(d.CopyFrom(on, dst, other, src, peerBytes))
		sqlstate.Check(on.Sync())
		link.Bandwidth = peerBytes / time.Since(started).Seconds()
	}
	return link, nil
}
