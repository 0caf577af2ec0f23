package server

import (
	"context"
	"errors"
	"unicode/utf8"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/jackc/pgproto3/v2"
)

func errProtocol(format string, args ...any) *cubeloom.Error {
	return value.Errorf(value.CodeProtocolViolation, format, args...)
}

// errorResponse makes the message of an error.
func errorResponse(severity string, err error, text string) *pgproto3.ErrorResponse {
	e := userError(err)
	return &pgproto3.ErrorResponse{
		Severity: severity, SeverityUnlocalized: severity,
		Code: e.Code, Message: e.Message, Detail: e.Detail, Hint: e.Hint, Where: e.Where,
		SchemaName: e.Object.Schema, TableName: e.Object.Table, ColumnName: e.Object.Column, ConstraintName: e.Object.Constraint, DataTypeName: e.Object.Type,
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

// endOf is the error of a statement whose context has ended.
func endOf(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return value.Errorf(value.CodeQueryCanceled, "canceling statement due to statement timeout")
	}
	return value.Errorf(value.CodeQueryCanceled, "canceling statement due to user request")
}

func errShutdown() error {
	return value.Errorf(value.CodeAdminShutdown, "terminating connection due to administrator command")
}
