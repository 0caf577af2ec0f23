package exec

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/cubeloom/cubeloom/runtime/fault"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// ErrEnough ends a run whose sink needs no further rows.
var ErrEnough = errors.New("no further rows are needed")

// Internalf is a defect of the engine.
func Internalf(format string, args ...any) error {
	return value.Errorf(value.CodeInternal, format, args...)
}

// Canceled is the error of a run whose context has ended.
func Canceled(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	return context.Canceled
}

// RecoverTo turns a panic into an error; it is to be deferred. Where it is a defect
// the stack goes into the error's detail.
func RecoverTo(err *error, kernelName string) {
	if p := recover(); p != nil {
		if e := fault.Error(p); e != nil {
			*err = e
			return
		}
		if *err = sqlstate.Caught(p); *err != nil {
			return
		}
		e := value.Errorf(value.CodeInternal, "kernel %s panicked: %s", kernelName, fmt.Sprint(p))
		e.Detail = string(debug.Stack())
		*err = e
	}
}
