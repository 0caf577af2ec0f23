package cubeloom

import (
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"strings"

	"github.com/cubeloom/cubeloom/runtime/fault"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// userError gives every error that leaves the engine its SQLSTATE.
func userError(ctx context.Context, err error) error {
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

// internalError makes an error of a panic: of a fault in a mapped file, or of a
// defect, with where it happened.
func internalError(p any) error {
	if e := fault.Error(p); e != nil {
		return e
	}
	if err := value.EndOf(p); err != nil {
		return userError(context.Background(), err)
	}
	return &value.Error{Code: value.CodeInternal, Message: fmt.Sprintf("internal error: %v", p), Detail: panicSite(), Pos: value.NoPos}
}

// endedError is err, or the error of a statement that has been cancelled where ctx has
// ended.
func endedError(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	return userError(ctx, err)
}

// panicSite names the function and line of ours where a recovered panic came
// from, for the error that reports it.
func panicSite() string {
	pcs := make([]uintptr, 64)
	frames := goruntime.CallersFrames(pcs[:goruntime.Callers(3, pcs)])
	seenPanic := false
	for {
		frame, more := frames.Next()
		switch {
		case frame.Function == "runtime.gopanic":
			seenPanic = true
		case seenPanic && strings.HasPrefix(frame.Function, "github.com/cubeloom/cubeloom"):
			return fmt.Sprintf("%s (%s:%d)", frame.Function, frame.File[strings.LastIndexByte(frame.File, '/')+1:], frame.Line)
		}
		if !more {
			return ""
		}
	}
}

// withoutPos takes the place away that an error has in another text.
func withoutPos(err error) error {
	e, ok := err.(*value.Error)
	if !ok {
		return err
	}
	placed := *e
	placed.Pos = value.NoPos
	return &placed
}

// at gives a user error a place in the text where it has none.
func at(err error, pos sql.Pos) error { return value.At(err, int(pos)) }

// denied is an error of 42501.
func denied(format string, args ...any) error {
	return value.Errorf(value.CodeInsufficientPrivilege, format, args...)
}
