package pgcatalog

import "github.com/cubeloom/cubeloom/sql/value"

// The functions that act on other sessions.
const (
	CancelBackend    = "pg_cancel_backend"
	TerminateBackend = "pg_terminate_backend"
)

func IsSignal(name string) bool { return name == CancelBackend || name == TerminateBackend }

// describeSignal stands for a call while a statement is described. No other call
// gets here but those in places where acting does not find them.
func (v *View) describeSignal(name string) (string, error) {
	if v.Describing {
		return "$1::integer IS NULL", nil
	}
	return "", value.Errorf(value.CodeFeatureNotSupported, "%s elsewhere than as an item of a SELECT list is not supported", name)
}
