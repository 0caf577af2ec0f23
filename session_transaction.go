package cubeloom

import (
	"context"
	"time"
)

// TransactionStatus says where a session stands, in the letters of the wire
// protocol.
type TransactionStatus byte

// The states of a session.
const (
	Idle              TransactionStatus = 'I' // outside a transaction block
	InTransaction     TransactionStatus = 'T'
	FailedTransaction TransactionStatus = 'E' // until ROLLBACK
)

// TransactionStatus reports whether the session is in a transaction that BEGIN
// opened.
func (s *Session) TransactionStatus() TransactionStatus {
	switch {
	case !s.core.InBlock():
		return Idle
	case s.core.Failed():
		return FailedTransaction
	}
	return InTransaction
}

// Fail makes the transaction that is open one that has failed, as an error of a
// statement does; elsewhere it does nothing.
func (s *Session) Fail() { s.core.Fail() }

// TransactionStarted is when the session's transaction block began, zero where
// there is none.
func (s *Session) TransactionStarted() time.Time {
	return s.core.Started()
}

// BeginBlock makes the statements up to EndBlock one transaction, as those of
// one message of the wire protocol are. BEGIN within makes it a transaction that
// EndBlock leaves open; COMMIT and ROLLBACK end it early. Within a transaction
// it does nothing.
func (s *Session) BeginBlock() { s.core.BeginBlock() }

// EndBlock ends what BeginBlock began: it commits, or rolls back where a
// statement failed. It does nothing where there is no such block any more. Constraints that
// are checked at the end of the transaction are checked until ctx ends.
func (s *Session) EndBlock(ctx context.Context) error { return s.core.EndBlock(ctx) }
