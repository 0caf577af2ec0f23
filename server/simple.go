package server

import (
	"github.com/cubeloom/cubeloom"
	"github.com/jackc/pgproto3/v2"
)

// simpleQuery runs the statements of a Query message, as one transaction where
// there are several. The first error ends them.
func (s *session) simpleQuery(text string) {
	s.db.Deallocate("")
	s.dropPortal("")
	defer s.endBlock()
	if err := validText(text); err != nil {
		s.db.Fail()
		s.conn.sendError(err, "")
		return
	}
	text = recognize(text)
	list, err := s.parsed(text)
	if err != nil {
		s.conn.sendError(err, text)
		return
	}
	if len(list) == 0 {
		s.conn.send(&pgproto3.EmptyQueryResponse{})
		return
	}
	for _, st := range list {
		s.conn.sendNotices(st.Notices())
	}
	for _, st := range list {
		if len(list) > 1 {
			s.db.BeginBlock()
		}
		if err := s.simpleStatement(st); err != nil {
			s.db.Fail()
			s.conn.sendError(err, text)
			return
		}
		if s.conn.err != nil {
			return
		}
	}
}

// parsed parses the statements of a text, as a statement that can be cancelled.
func (s *session) parsed(text string) ([]*cubeloom.Statement, error) {
	ctx, stop := s.start(text)
	defer stop()
	return s.db.Parse(ctx, text)
}

// simpleStatement runs one statement and sends all its rows as text.
func (s *session) simpleStatement(st *cubeloom.Statement) error {
	p := &portal{prepared: &cubeloom.Prepared{Statement: st, Text: st.Text()}}
	defer p.close()
	return s.run(p, 0, true)
}
