package server

import (
	"github.com/cubeloom/cubeloom"
	"github.com/jackc/pgproto3/v2"
)

// ready says to the client that the next query may come, with the parameters that
// changed before that. Portals do not outlive their transaction.
func (s *session) ready() {
	status := s.db.TransactionStatus()
	if status == cubeloom.Idle {
		s.dropPortals()
	}
	s.reportParameters()
	s.conn.send(&pgproto3.ReadyForQuery{TxStatus: byte(status)})
	s.conn.flush()
}

// reportParameters reports the settings that changed to the client.
func (s *session) reportParameters() {
	now := s.db.Parameters()
	for i, p := range now {
		if s.reported == nil || s.reported[i] != p {
			s.noteParameter(p)
			s.conn.send(&pgproto3.ParameterStatus{Name: p.Name, Value: p.Value})
		}
	}
	s.reported = now
}

// noteParameter keeps what pg_stat_activity shows of the settings.
func (s *session) noteParameter(p cubeloom.Parameter) {
	if p.Name != "application_name" {
		return
	}
	s.mu.Lock()
	s.activity.Application = p.Value
	s.mu.Unlock()
}

// endBlock ends the implicit transaction of the messages so far.
func (s *session) endBlock() {
	s.inBlock = false
	ctx, stop := s.start(s.activity.Query)
	defer stop()
	if err := s.db.EndBlock(ctx); err != nil {
		s.conn.sendError(err, "")
	}
}
