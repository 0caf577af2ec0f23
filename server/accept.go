package server

import (
	"context"
	"errors"
	"net"
	"time"
)

// Serve accepts connections until Shutdown, which makes it return ErrClosed, or
// until the listener fails. It closes the listener.
func (s *Server) Serve(l net.Listener) error { return s.accept(l, false) }

// ServeOwner is Serve for a Unix socket by which the user that the server runs as, and
// root, come in as any role, without a password, whatever the rules say. Where they name
// none, they come as the bootstrap superuser.
func (s *Server) ServeOwner(l net.Listener) error { return s.accept(l, true) }

func (s *Server) accept(l net.Listener, owner bool) error {
	defer l.Close()
	if !s.addListener(l) {
		return ErrClosed
	}
	for {
		c, err := l.Accept()
		if err != nil {
			if s.isClosing() {
				return ErrClosed
			}
			var temporary interface{ Temporary() bool }
			if errors.As(err, &temporary) && temporary.Temporary() {
				s.evict() // out of file descriptors, most likely
				time.Sleep(5 * time.Millisecond)
				continue
			}
			return err
		}
		s.start(c, owner)
	}
}

// addListener notes a listener, unless the server is closing.
func (s *Server) addListener(l net.Listener) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return false
	}
	s.listeners[l] = struct{}{}
	return true
}

// start serves a connection in a goroutine of its own.
func (s *Server) start(nc net.Conn, owner bool) {
	c := newConn(nc)
	c.owner, c.from = owner, fromOf(nc)
	c.ctx, c.cancel = context.WithCancel(context.Background())
	s.mu.Lock()
	if s.closing {
		s.mu.Unlock()
		nc.Close()
		return
	}
	s.conns[c] = struct{}{}
	s.done.Add(1)
	var victim *conn
	if !owner {
		victim = s.strangers.add(c, s.config().MaxStrangers)
	}
	s.mu.Unlock()
	s.end(victim)
	go func() {
		defer s.done.Done()
		defer s.forget(c)
		s.handle(c)
	}()
}

// evict ends a connection that has not logged in, if there is one.
func (s *Server) evict() {
	s.mu.Lock()
	victim := s.strangers.victim()
	if victim != nil {
		s.strangers.remove(victim)
	}
	s.mu.Unlock()
	s.end(victim)
}
