package session

import (
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Discard runs DISCARD. PLANS has nothing to forget.
func (s *Session) Discard(stmt *sql.Discard) (*result.Result, error) {
	if stmt.What == "temp" {
		s.tx.tx.DropTemporary()
	}
	if stmt.What == "sequences" {
		s.seq = sequences{}
	}
	if stmt.What != "all" {
		return &result.Result{Tag: "DISCARD " + upperWords[stmt.What]}, nil
	}
	if !s.tx.implicit {
		return nil, value.Errorf(value.CodeActiveTransaction, "DISCARD ALL cannot run inside a transaction block")
	}
	s.Cursors.CloseAll()
	s.AdvisoryUnlockAll()
	s.tx.tx.DropTemporary()
	s.Prepared.ForgetNamed()
	s.seq = sequences{}
	s.Settings = s.startup
	s.tx.kept = s.startup
	return &result.Result{Tag: "DISCARD ALL"}, nil
}

var upperWords = map[string]string{"plans": "PLANS", "sequences": "SEQUENCES", "temp": "TEMP"}
