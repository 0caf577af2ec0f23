package session

import (
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"strings"

	"github.com/cubeloom/cubeloom/runtime/fault"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// UserError adds an SQLSTATE to an error that leaves the engine without one.
func UserError(ctx context.Context, err error) error {
	var e *value.Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.DeadlineExceeded):
		return value.Errorf(value.CodeQueryCanceled, "canceling statement due to statement timeout")
	case errors.Is(err, context.Canceled), ctx.Err() != nil:
		return value.Errorf(value.CodeQueryCanceled, "canceling statement due to user request")
	}
	return value.Errorf(value.CodeInternal, "%v", err)
}

// InternalError makes an error of a panic: of a fault in a mapped file, or of a
// defect, with where it happened.
func InternalError(p any) error {
	if e := fault.Error(p); e != nil {
		return e
	}
	if err := sqlstate.Caught(p); err != nil {
		if e, ok := UserError(context.Background(), err).(*value.Error); ok && !e.IsDefect() {
			return e
		}
	}
	return &value.Error{Code: value.CodeInternal, Message: fmt.Sprintf("internal error: %v", p), Detail: panicSite(), Pos: value.NoPos}
}

// EndedError is err, or the error of a statement that has been cancelled where ctx has
// ended.
func EndedError(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	return UserError(ctx, err)
}

// panicSite names the function and line of ours where a recovered panic came
// from, for the error that reports it. What sqlstate passes on came from further in.
func panicSite() string {
	pcs := make([]uintptr, 64)
	frames := goruntime.CallersFrames(pcs[:goruntime.Callers(3, pcs)])
	seenPanic := false
	for {
		frame, more := frames.Next()
		switch {
		case frame.Function == "runtime.gopanic":
			seenPanic = true
		case seenPanic && strings.HasPrefix(frame.Function, "github.com/cubeloom/cubeloom") && !strings.Contains(frame.Function, "/sqlstate."):
			return fmt.Sprintf("%s (%s:%d)", frame.Function, frame.File[strings.LastIndexByte(frame.File, '/')+1:], frame.Line)
		}
		if !more {
			return ""
		}
	}
}

// At adds a place in the text to a user error that has none.
func At(err error, pos sql.Pos) error { return value.At(err, int(pos)) }

// Denied is an error of 42501.
func Denied(format string, args ...any) error {
	return value.Errorf(value.CodeInsufficientPrivilege, format, args...)
}

// IsLockNotAvailable reports whether an error is one of 55P03: a lock was not had in time.
func IsLockNotAvailable(err error) bool {
	var e *value.Error
	return errors.As(err, &e) && e.Code == value.CodeLockNotAvailable
}
