package server

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/cubeloom/cubeloom"
)

// Config says what is served and to whom. DB is required; the zero value of
// every other field is a sound default.
type Config struct {
	DB *cubeloom.DB
	// TLS answers SSLRequest; nil: connections stay in the clear.
	TLS *tls.Config
	// Users are those who may log in with a password; nil: nobody.
	Users *Users
	// RequirePassword asks connections from this machine for a password too.
	RequirePassword bool
	// MaxConnections is how many clients may be connected; 0 for 100.
	MaxConnections int
	// MaxRunning is how many statements run at a time; others wait. 0: no limit.
	// Statements in a transaction block do not wait, since others may wait for
	// what it has locked; nor do those that only look at or change the session and
	// the system's relations.
	MaxRunning int
	// MaxQueued is how many statements may wait; 0 for 1000.
	MaxQueued int
	// Settings are those that sessions start with, by name, where their clients do
	// not ask for others.
	Settings map[string]string
	// Files are what statements may read and write of the machine, for roles that
	// may; nil: nothing.
	Files cubeloom.Files
	// StartupTimeout is how long a client may take to log in; 0 for 15 s.
	StartupTimeout time.Duration
	// SlowQuery is the time from which a statement is logged; 0: none is.
	SlowQuery time.Duration
	// Log takes the server's log; nil: slog.Default().
	Log *slog.Logger
}

// The defaults of Config.
const (
	DefaultMaxConnections = 100
	DefaultMaxQueued      = 1000
	defaultStartupTimeout = 15 * time.Second
)

// extraHandshakes is how many connections beyond MaxConnections may be logging
// in; those are told that there are too many clients, others are just closed.
const extraHandshakes = 16

// ErrClosed is what Serve gives after Shutdown.
var ErrClosed = errors.New("server: closed")

// Server serves one database. It is safe for concurrent use.
type Server struct {
	cfg       Config
	log       *slog.Logger
	sessions  registry
	admission admission
	metrics   metrics

	mu        sync.Mutex
	listeners map[net.Listener]struct{}
	conns     map[*conn]struct{}
	closing   bool
	done      sync.WaitGroup // one for each connection
}

// New makes a server.
func New(cfg Config) *Server {
	if cfg.MaxConnections == 0 {
		cfg.MaxConnections = DefaultMaxConnections
	}
	if cfg.Files == nil {
		cfg.Files = cubeloom.NoFiles()
	}
	if cfg.StartupTimeout == 0 {
		cfg.StartupTimeout = defaultStartupTimeout
	}
	s := &Server{cfg: cfg, log: cfg.Log, listeners: map[net.Listener]struct{}{}, conns: map[*conn]struct{}{}}
	if s.log == nil {
		s.log = slog.Default()
	}
	if cfg.MaxQueued == 0 {
		cfg.MaxQueued = DefaultMaxQueued
	}
	s.admission.running, s.admission.queued = cfg.MaxRunning, cfg.MaxQueued
	s.sessions.byPID = map[uint32]*session{}
	return s
}

// Serve accepts connections until Shutdown, which makes it return ErrClosed, or
// until the listener fails. It closes the listener.
func (s *Server) Serve(l net.Listener) error {
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
				time.Sleep(50 * time.Millisecond) // out of file descriptors, most likely
				continue
			}
			return err
		}
		s.start(c)
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

func (s *Server) isClosing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closing
}

// start serves a connection in a goroutine of its own, or closes it where there
// are far too many.
func (s *Server) start(nc net.Conn) {
	c := newConn(nc)
	s.mu.Lock()
	if s.closing || len(s.conns) >= s.cfg.MaxConnections+extraHandshakes {
		s.mu.Unlock()
		nc.Close()
		return
	}
	s.conns[c] = struct{}{}
	s.done.Add(1)
	s.mu.Unlock()
	go func() {
		defer s.done.Done()
		defer s.forget(c)
		s.handle(c)
	}()
}

// forget closes a connection whose goroutine ends.
func (s *Server) forget(c *conn) {
	c.raw.Close()
	s.mu.Lock()
	delete(s.conns, c)
	s.mu.Unlock()
}

// setCopying notes whether a statement reads from a connection: then the messages
// that it waits for are its own, and Shutdown lets it have them.
func (s *Server) setCopying(c *conn, copying bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.copying = copying
	if copying {
		c.raw.SetReadDeadline(time.Time{})
	}
}

// Shutdown stops accepting, ends idle sessions at once and the others after
// their statement. When ctx ends before that, statements are cancelled, and a
// second later connections closed. All goroutines of the server have ended when it
// returns.
func (s *Server) Shutdown(ctx context.Context) error {
	s.mu.Lock()
	s.closing = true
	for l := range s.listeners {
		l.Close()
	}
	for c := range s.conns {
		if !c.copying {
			c.raw.SetReadDeadline(time.Unix(1, 0)) // wakes those that wait for a message
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
	<-ended
	return ctx.Err()
}
