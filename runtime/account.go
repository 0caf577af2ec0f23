package runtime

import (
	"context"
	goruntime "runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cubeloom/cubeloom/sql/value"
)

// Account charges memory against a limit, and to an account above it that all
// share, where there is one: a statement's and a session's stand below that of the
// whole database. Safe for concurrent use.
type Account struct {
	limit  int64 // bytes; 0: none
	above  *Account
	used   atomic.Int64
	peak   atomic.Int64
	closed atomic.Bool
	shared *shared // of an account that others stand below; nil: none do
	// onDevice is what the query holds of a device's memory, which is not charged: the
	// device has a limit of its own.
	onDevice atomic.Int64
}

// The part of a shared account that only those may take who hold little, so that
// small statements run while large ones have taken all the rest: one sixteenth, at
// most maxReserve. Little is smallAccount, or less where the reserve is small.
const (
	reservedPart = 16
	maxReserve   = 64 << 20
	smallAccount = 1 << 20
)

// NewAccount makes an account with a limit in bytes, 0 for none.
func NewAccount(limit int64) *Account { return &Account{limit: limit} }

// NewSharedAccount makes an account for others to stand below, with a limit in
// bytes for all of them together, 0 for none.
func NewSharedAccount(limit int64) *Account {
	reserve := min(limit/reservedPart, maxReserve)
	return &Account{limit: limit, shared: &shared{reserve: reserve, small: min(smallAccount, reserve/4)}}
}

// Below makes an account with a limit of its own, 0 for none, whose charges are
// charges to a too, which is shared.
func (a *Account) Below(limit int64) *Account { return &Account{limit: limit, above: a} }

// Grow charges n more bytes, or fails with 53200 and charges nothing.
func (a *Account) Grow(n int64) error {
	used := a.used.Add(n)
	if a.limit > 0 && used > a.limit && n > 0 {
		a.used.Add(-n)
		return value.Errorf(value.CodeOutOfMemory,
			"out of memory: the query needs more than its limit of %d bytes", a.limit)
	}
	if a.above != nil && !a.closed.Load() && !a.above.take(n, used) {
		a.used.Add(-n)
		return value.Errorf(value.CodeOutOfMemory,
			"out of memory: the queries that run need more than the limit of %d bytes for all of them", a.above.limit)
	}
	for {
		peak := a.peak.Load()
		if used <= peak || a.peak.CompareAndSwap(peak, used) {
			return nil
		}
	}
}

// Shrink takes n charged bytes back.
func (a *Account) Shrink(n int64) {
	a.used.Add(-n)
	if a.above != nil && !a.closed.Load() {
		a.above.used.Add(-n)
	}
}

// HoldOnDevice adds n bytes, less where it is negative, to what is held of a device's
// memory and returns all of it.
func (a *Account) HoldOnDevice(n int64) int64 { return a.onDevice.Add(n) }

// Close takes everything back from the account above. What is charged or taken back
// after it counts for this account alone. Nobody else uses the account meanwhile.
func (a *Account) Close() {
	if a.above != nil && !a.closed.Swap(true) {
		a.above.used.Add(-a.used.Load())
	}
}

// Used is what is charged now, in bytes.
func (a *Account) Used() int64 { return a.used.Load() }

// Peak is the most that was charged at one time, in bytes.
func (a *Account) Peak() int64 { return a.peak.Load() }

// accountKey is the key of a context's account.
type accountKey struct{}

// WithAccount makes a context whose work is charged to an account.
func WithAccount(ctx context.Context, a *Account) context.Context {
	return context.WithValue(ctx, accountKey{}, a)
}

// AccountOf is the account that ctx's work is charged to; one without a limit where
// nothing says which.
func AccountOf(ctx context.Context) *Account {
	if a, ok := ctx.Value(accountKey{}).(*Account); ok {
		return a
	}
	return NewAccount(0)
}

// shared is what an account knows that others stand below.
type shared struct {
	reserve int64 // bytes that only small accounts take
	small   int64 // what makes an account a small one
	// step has others compute in the place of a goroutine that waits for garbage to be
	// collected, until back is called; nil: nobody waits for it.
	step func() (back func())
	// kept is what Holds have charged that end when nothing refers to them any more.
	kept atomic.Int64

	mu        sync.Mutex
	collected time.Time // when garbage was last collected for want of room
	left      int64     // what was kept then
}

// StepAside has step called before somebody who charges a, a shared account, or one below
// it waits until garbage is collected, and the function that it returns afterwards: who
// waits may have what others wait for, such as a core. It is for the time before anything
// is charged.
func (a *Account) StepAside(step func() (back func())) { a.shared.step = step }

// take charges n bytes of an account below, which then holds so many.
func (a *Account) take(n, held int64) bool {
	if a.limit <= 0 || n <= 0 {
		a.used.Add(n)
		return true
	}
	limit := a.limit
	if held > a.shared.small {
		limit -= a.shared.reserve
	}
	return a.tryTake(n, limit) || a.collect() && a.tryTake(n, limit)
}

func (a *Account) tryTake(n, limit int64) bool {
	if a.used.Add(n) <= limit {
		return true
	}
	a.used.Add(-n)
	return false
}

// collect collects garbage where much is charged for what may be garbage, and
// reports whether it did.
func (a *Account) collect() bool {
	s := a.shared
	if s.kept.Load() < a.limit/reservedPart {
		return false
	}
	if s.step != nil {
		defer s.step()()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.collected) < collectEvery && s.kept.Load()-s.left < a.limit/collectPart {
		return true // somebody else has just done it
	}
	goruntime.GC()
	s.left = s.settled()
	s.collected = time.Now()
	return true
}

// settled is what is kept when what ends with objects, which runs a little after they
// have been collected, has run: when it has not changed for some milliseconds.
func (s *shared) settled() int64 {
	const still, longest = 3, 50
	kept := s.kept.Load()
	for i, same := 0, 0; i < longest && same < still; i++ {
		time.Sleep(time.Millisecond)
		same++
		if now := s.kept.Load(); now != kept {
			kept, same = now, 0
		}
	}
	return kept
}

// Garbage is not collected again for want of room within collectEvery, unless a
// collectPart of the limit has been kept since.
const (
	collectEvery = 500 * time.Millisecond
	collectPart  = 16
)
