package server

import (
	"fmt"
	"time"

	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/jackc/pgproto3/v2"
)

// notifyProgress reports to the client by notices how far the statement is, as often
// as the setting progress_interval says, until stop has been called. Nobody else
// may write to the connection in between.
func (s *session) notifyProgress() (stop func()) {
	interval := s.db.ProgressInterval()
	if interval <= 0 {
		return func() {}
	}
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		began := time.Now()
		for {
			select {
			case <-end:
				return
			case now := <-ticker.C:
				s.sendProgress(now.Sub(began))
			}
		}
	}()
	return func() {
		close(end)
		<-ended
	}
}

// sendProgress sends one notice.
func (s *session) sendProgress(elapsed time.Duration) {
	done, total := s.db.Progress()
	text := fmt.Sprintf("%.1f s: planning", elapsed.Seconds())
	if total > 0 {
		text = fmt.Sprintf("%.1f s: %d of %d rows read (%d %%)", elapsed.Seconds(), done, total, 100*done/total)
	}
	s.conn.send(&pgproto3.NoticeResponse{Severity: "NOTICE", SeverityUnlocalized: "NOTICE", Code: value.CodeSuccess, Message: text})
	s.conn.flush()
}
