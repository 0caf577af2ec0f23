package scope

import (
	"time"

	"github.com/cubeloom/cubeloom/sql/value"
)

// A timestamp with time zone is bound to functions of a timestamp without one
// where the session's zone is UTC, in which both are the same number: the cast
// between the two only changes the type. In other zones routines convert, which
// have the zone's name as their last argument.

// Zone is the session's time zone.
func (b *Binder) Zone() *time.Location {
	if b.Opts.Zone == nil {
		return time.UTC
	}
	return b.Opts.Zone
}

func (b *Binder) InUTC() bool { return value.IsUTC(b.Zone()) }
