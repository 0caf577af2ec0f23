package server

import (
	"context"
	"errors"
	"time"
)

// ErrHanging is what Shutdown returns where statements have not ended although they were
// cancelled and their connections closed.
var ErrHanging = errors.New("server: statements have not ended")

// Shutdown stops accepting, ends idle sessions at once and the others after
// their statement. When ctx ends before that, statements are cancelled, and a
// second later connections closed. All goroutines of the server have ended when it
// returns, but for those of statements that hang: it waits some seconds for them, and
// then returns ErrHanging.
func (s *Server) Shutdown(ctx context.Context) error {
	s.mu.Lock()
	s.closing = true
	for l := range s.listeners {
		l.Close()
	}
	for c := range s.conns {
		if !c.copying {
			c.raw.SetReadDeadline(time.Unix(1, 0)) // wakes those that wait for a message
			c.cancel()
		}
	}
	s.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		s.done.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
	}
	s.sessions.cancelAll()
	select {
	case <-ended:
		return ctx.Err()
	case <-time.After(farewell):
	}
	s.mu.Lock()
	for c := range s.conns {
		c.raw.Close()
	}
	s.mu.Unlock()
	select {
	case <-ended:
		return ctx.Err()
	case <-time.After(2 * farewell):
		return ErrHanging
	}
}
