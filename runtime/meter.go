package runtime

import (
	"context"

	"github.com/cubeloom/cubeloom/sql/value"
)

// NewMeter makes a meter of what is computed for ctx: it charges ctx's account and
// fails when ctx ends.
func NewMeter(ctx context.Context) *value.Meter {
	return value.NewMeter(contextSource{ctx, AccountOf(ctx)})
}

// contextSource is a context as the source of a meter.
type contextSource struct {
	ctx     context.Context
	account *Account
}

// Grow implements value.MeterSource.
func (s contextSource) Grow(n int64) error { return s.account.Grow(n) }

// Shrink implements value.MeterSource.
func (s contextSource) Shrink(n int64) { s.account.Shrink(n) }

// Err implements value.MeterSource.
func (s contextSource) Err() error { return s.ctx.Err() }
