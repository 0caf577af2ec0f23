package server

import (
	"cmp"
	"errors"
	"log/slog"
	"math"
	"net"
	"net/netip"
	"sync"

	"github.com/cubeloom/cubeloom"
)

// ErrClosed is what Serve returns after Shutdown.
var ErrClosed = errors.New("server: closed")

// Server serves one database. It is safe for concurrent use.
type Server struct {
	shared
	secret   []byte
	sessions registry
	throttle throttle

	// What follows is guarded by mu.
	listeners map[net.Listener]struct{}
	conns     map[*conn]struct{}
	strangers strangers      // of conns
	done      sync.WaitGroup // one for each connection; not guarded
}

// New makes a server.
func New(cfg Config) *Server {
	s := &Server{secret: cfg.Secret, listeners: map[net.Listener]struct{}{}, conns: map[*conn]struct{}{}}
	if s.log = cfg.Log; s.log == nil {
		s.log = slog.Default()
	}
	if s.secret == nil {
		s.secret = newSecret()
	}
	s.strangers.counts = map[netip.Prefix]int{}
	s.throttle.pairs, s.throttle.addresses = map[pair]*failures{}, map[netip.Prefix]*failures{}
	s.sessions.byPID = map[uint32]*session{}
	s.Reload(cfg)
	return s
}

// Reload makes a configuration that of all connections that come, and of the
// statements that run. DB, Secret and Log stay as they were. Any goroutine may call it.
func (s *Server) Reload(cfg Config) {
	if old := s.live.Load(); old != nil {
		cfg.DB = old.DB
	}
	if cfg.Files == nil {
		cfg.Files = cubeloom.NoFiles()
	}
	cfg.MaxConnections = cmp.Or(cfg.MaxConnections, DefaultMaxConnections)
	cfg.MaxStrangers = cmp.Or(cfg.MaxStrangers, defaultMaxStrangers)
	cfg.StartupTimeout = cmp.Or(cfg.StartupTimeout, defaultStartupTimeout)
	cfg.MaxQueued = cmp.Or(cfg.MaxQueued, DefaultMaxQueued)
	s.live.Store(&cfg)
	s.admission.limit(cmp.Or(cfg.MaxRunning, math.MaxInt), cfg.MaxQueued)
}

// end ends a connection that has not logged in and whose place is needed; nil: none.
func (s *Server) end(victim *conn) {
	if victim != nil {
		s.metrics.evicted.Add(1)
		victim.cancel()
		victim.raw.Close()
	}
}

// known takes a connection that has logged in from the strangers, unless its place was
// needed before.
func (s *Server) known(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.strangers.remove(c)
}

// forget closes a connection whose goroutine ends.
func (s *Server) forget(c *conn) {
	c.cancel()
	c.raw.Close()
	s.mu.Lock()
	delete(s.conns, c)
	s.strangers.remove(c)
	s.mu.Unlock()
}
