package server

import (
	"errors"
	"os"
	"time"
)

// watchAfter is how long a message is worked on before its client is watched, and
// watchEvery how often the network is asked for a client that cannot be read from.
const (
	watchAfter = 500 * time.Millisecond
	watchEvery = 200 * time.Millisecond
)

// watch calls left when the client goes away, until stop has been called. It reads ahead
// meanwhile, for the end of a connection comes behind all that was sent before it: nobody
// else may read in between.
func (c *conn) watch(left func()) (stop func()) {
	stopping, ended := make(chan struct{}), make(chan struct{})
	timer := time.AfterFunc(watchAfter, func() {
		defer close(ended)
		if c.gone(stopping) {
			left()
		}
	})
	return func() {
		if timer.Stop() {
			return
		}
		close(stopping)
		// A session that is told to end looks at that after each message, so that the
		// deadline that woke it may go.
		c.raw.SetReadDeadline(time.Unix(1, 0))
		<-ended
		c.raw.SetReadDeadline(time.Time{})
	}
}

// gone reports whether the peer has gone away, which it waits for until stopping is
// closed or reading is interrupted.
func (c *conn) gone(stopping <-chan struct{}) bool {
	for {
		switch err := c.in.r.fill(); {
		case err == nil:
		case errors.Is(err, os.ErrDeadlineExceeded):
			return false
		case !errors.Is(err, errAhead):
			return true
		case hungUp(c.raw):
			return true
		default:
			select {
			case <-stopping:
				return false
			case <-time.After(watchEvery):
			}
		}
	}
}

// watched is a client that is watched while it is not read from.
type watched struct {
	conn *conn
	left func() // is called when the client goes away
	stop func() // nil: it is not watched
}

// begin watches the client, and end ceases to; each may be called twice.
func (w *watched) begin() {
	if w.stop == nil {
		w.stop = w.conn.watch(w.left)
	}
}

func (w *watched) end() {
	if w.stop != nil {
		w.stop()
		w.stop = nil
	}
}
