package cubeloom

import "github.com/cubeloom/cubeloom/sql/value"

// The functions that act on other sessions.
const (
	cancelBackend    = "pg_cancel_backend"
	terminateBackend = "pg_terminate_backend"
)

func isSignal(name string) bool { return name == cancelBackend || name == terminateBackend }

// describeSignal stands for a call while a statement is described. No other call
// gets here but those in places where acting does not find them.
func (v *sysView) describeSignal(name string) (string, error) {
	if v.describing {
		return "$1::integer IS NULL", nil
	}
	return "", value.Errorf(value.CodeFeatureNotSupported, "%s elsewhere than as an item of a SELECT list is not supported", name)
}
