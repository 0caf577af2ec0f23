package server

import (
	"context"
	"errors"
	"net"
	"os"
	"sync/atomic"
	"time"
)

// maxRest is how much is kept of what a statement that has ended could not send, in
// bytes.
const maxRest = 1 << 20

// sender writes to a connection. When a statement ends whose client does not read,
// what cannot be written is kept and sent before whatever comes next, so that
// messages stay whole, and so does the encryption over it. It is for one goroutine,
// but for endWith.
type sender struct {
	net.Conn
	ended atomic.Bool // the statement has: do not wait for the client
	rest  []byte
}

// Write implements net.Conn.
func (s *sender) Write(p []byte) (int, error) {
	if len(s.rest) > 0 {
		n, err := s.Conn.Write(s.rest)
		s.rest = s.rest[:copy(s.rest, s.rest[n:])]
		if err != nil && !s.leaves(err) {
			return 0, err
		}
	}
	n := 0
	if len(s.rest) == 0 {
		var err error
		if n, err = s.Conn.Write(p); err == nil || !s.leaves(err) {
			return n, err
		}
	}
	if len(s.rest)+len(p)-n > maxRest {
		return n, os.ErrDeadlineExceeded
	}
	s.rest = append(s.rest, p[n:]...)
	return len(p), nil
}

// leaves reports whether an error of writing only says that the statement has ended.
func (s *sender) leaves(err error) bool {
	return s.ended.Load() && errors.Is(err, os.ErrDeadlineExceeded)
}

// endWith has writing wait for the client no longer once ctx ends, until stop has been
// called.
func (s *sender) endWith(ctx context.Context) (stop func()) {
	woken := make(chan struct{})
	forget := context.AfterFunc(ctx, func() {
		s.ended.Store(true)
		s.SetWriteDeadline(time.Unix(1, 0))
		close(woken)
	})
	return func() {
		if forget() {
			return
		}
		<-woken
		s.ended.Store(false)
		s.SetWriteDeadline(time.Time{})
	}
}
