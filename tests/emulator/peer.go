package emulator

import "github.com/cubeloom/cubeloom/runtime/cuda"

// CopyFrom copies from another emulated device.
func (d *Device) CopyFrom(on cuda.Stream, dst cuda.Ptr, from cuda.Device, src cuda.Ptr, bytes int64) error {
	other, ok := from.(*Device)
	if !ok {
		return cuda.ErrNotPeer
	}
	data := make([]byte, bytes)
	if err := other.download(data, src); err != nil {
		return err
	}
	return on.Upload(dst, data)
}

// LinkFrom says nothing of how fast a link is.
func (*Device) LinkFrom(cuda.Device) (cuda.PeerLink, error) { return cuda.PeerLink{Direct: true}, nil }
