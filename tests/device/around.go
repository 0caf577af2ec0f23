package device

import (
	"io"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// Around is a device with something around the calls of its streams.
type Around struct {
	cuda.Device
	Stream func(cuda.Stream) cuda.Stream
}

// NewStream implements cuda.Device.
func (a Around) NewStream() (cuda.Stream, error) {
	inner, err := a.Device.NewStream()
	if err != nil {
		return nil, err
	}
	return aroundStream{a.Stream(inner), inner}, nil
}

// Link implements cuda.Device.
func (a Around) Link() cuda.Link { return aroundLink{a.Device.Link()} }

// Close closes the device where it can be closed.
func (a Around) Close() error {
	if closer, ok := a.Device.(io.Closer); ok {
		return closer.Close()
	}
	return nil
}

type aroundStream struct {
	cuda.Stream
	inner cuda.Stream
}

// aroundLink gives the link the streams that it knows.
type aroundLink struct{ cuda.Link }

func (l aroundLink) Arrive(slot int, on cuda.Stream) error {
	return l.Link.Arrive(slot, on.(aroundStream).inner)
}

func (l aroundLink) Leave(slot int, on cuda.Stream) error {
	return l.Link.Leave(slot, on.(aroundStream).inner)
}
