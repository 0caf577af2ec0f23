package server

import (
	"errors"
	"os"
	"time"
)

// watchAfter is how long a statement runs before its client is watched.
const watchAfter = 500 * time.Millisecond

// watchClient cancels the statement that runs when its client goes away, until
// stop has been called. Nobody else may read from the connection in between.
func (s *session) watchClient() (stop func()) {
	ended := make(chan struct{})
	timer := time.AfterFunc(watchAfter, func() {
		defer close(ended)
		if _, err := s.conn.in.r.Peek(1); err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			s.cancel()
		}
	})
	return func() {
		if timer.Stop() {
			return
		}
		// A session that is told to end looks at that after each message, so that the
		// deadline that woke it may go.
		s.conn.raw.SetReadDeadline(time.Unix(1, 0))
		<-ended
		s.conn.raw.SetReadDeadline(time.Time{})
	}
}
