package fileaccess

import (
	"context"
	"os"
	"time"
)

// stream reads a file of any kind until ctx ends.
type stream struct {
	ctx     context.Context
	f       *os.File
	regular bool
}

// Read implements io.Reader. It waits for the first writer of a FIFO.
func (s *stream) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	if s.regular {
		return s.f.Read(p)
	}
	for {
		ready, err := awaitInput(s.f)
		if err != nil {
			return 0, err
		}
		if err := s.ctx.Err(); err != nil {
			return 0, err
		}
		if ready {
			break
		}
	}
	// Another reader may have taken what was there.
	stop := context.AfterFunc(s.ctx, func() { s.f.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	n, err := s.f.Read(p)
	if end := s.ctx.Err(); err != nil && end != nil {
		return n, end
	}
	return n, err
}

// Close implements io.Closer.
func (s *stream) Close() error { return s.f.Close() }
