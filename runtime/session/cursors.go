package session

import "github.com/cubeloom/cubeloom/sql/value"

// Cursor finds a cursor.
func (s *Session) Cursor(name string) (*SqlCursor, error) {
	if c := s.Cursors[name]; c != nil {
		return c, nil
	}
	return nil, value.Errorf(codeCursorName, "cursor %q does not exist", name)
}

// ForgetCursor closes a cursor.
func (s *Session) ForgetCursor(name string) {
	s.Cursors[name].Result.Close()
	delete(s.Cursors, name)
}

// CloseCursors closes all cursors.
func (s *Session) CloseCursors() {
	for name := range s.Cursors {
		s.ForgetCursor(name)
	}
}

// endCursors closes the cursors that do not outlive a transaction.
func (s *Session) endCursors(ended *transaction, committed bool) {
	for name, c := range s.Cursors {
		switch {
		case !c.Hold, !committed && c.Tx == ended:
			s.ForgetCursor(name)
		case c.Tx == ended:
			c.Tx = nil
		}
	}
}
