package server

import (
	"errors"
	"unicode/utf8"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/jackc/pgproto3/v2"
)

// sendError tells the client of an error in a statement with this text.
func (c *conn) sendError(err error, text string) { c.send(errorResponse("ERROR", err, text)) }

// sendFatal tells the client why the connection ends.
func (c *conn) sendFatal(err error) {
	c.send(errorResponse("FATAL", err, ""))
	c.flush()
}

// errorResponse makes the message of an error.
func errorResponse(severity string, err error, text string) *pgproto3.ErrorResponse {
	e := userError(err)
	return &pgproto3.ErrorResponse{
		Severity: severity, SeverityUnlocalized: severity,
		Code: e.Code, Message: e.Message, Detail: e.Detail, Hint: e.Hint, Where: e.Where,
		Position: characters(text, e.Pos),
	}
}

// userError is err as an error with an SQLSTATE.
func userError(err error) *cubeloom.Error {
	var e *cubeloom.Error
	if errors.As(err, &e) {
		return e
	}
	return value.Errorf(value.CodeInternal, "%v", err)
}

// characters turns a byte offset into PostgreSQL's position: characters from 1,
// 0 for none.
func characters(text string, offset int) int32 {
	if offset < 0 || offset > len(text) {
		return 0
	}
	return int32(utf8.RuneCountInString(text[:offset])) + 1
}

// sendNotices tells the client of notices.
func (c *conn) sendNotices(list []cubeloom.Notice) {
	for _, n := range list {
		c.send(&pgproto3.NoticeResponse{Severity: n.Severity, SeverityUnlocalized: n.Severity, Code: n.Code, Message: n.Message})
	}
}
