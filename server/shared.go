package server

import (
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// shared is what the connections of a server have in common.
type shared struct {
	live      atomic.Pointer[Config] // Reload changes it
	log       *slog.Logger
	admission admission
	metrics   metrics

	mu      sync.Mutex
	closing bool
}

// config is the configuration of now, which never changes.
func (s *shared) config() *Config { return s.live.Load() }

// isClosing reports whether Shutdown has been called.
func (s *shared) isClosing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closing
}

// setCopying notes whether a statement reads from a connection: then the messages
// that it waits for are its own, and Shutdown lets it have them.
func (s *shared) setCopying(c *conn, copying bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.copying = copying
	if copying {
		c.raw.SetReadDeadline(time.Time{})
	}
}
