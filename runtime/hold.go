package runtime

import (
	goruntime "runtime"
	"sync/atomic"

	"github.com/cubeloom/cubeloom/sql/value"
)

// Hold keeps memory charged to a shared account, or to one below it, until it is
// released or nothing refers to it any more. What refers to the memory refers to the
// Hold: a result, a cursor, the chunks of a table.
type Hold struct {
	of    *held
	ended *atomic.Bool
	stop  goruntime.Cleanup
}

// held is what one Hold, or several that share it, keep charged.
type held struct {
	refs    atomic.Int64
	release func()
	account *Account     // of Account.Hold
	bytes   atomic.Int64 // likewise
}

// end ends one of the Holds.
func (h *held) end(ended *atomic.Bool) {
	if !ended.Swap(true) && h.refs.Add(-1) == 0 {
		h.release()
	}
}

// newHold makes a Hold.
func newHold(of *held) *Hold {
	of.refs.Add(1)
	h := &Hold{of: of, ended: new(atomic.Bool)}
	ended := h.ended
	h.stop = goruntime.AddCleanup(h, func(of *held) { of.end(ended) }, of)
	return h
}

// Hold charges n bytes to a shared account for as long as the Hold lasts, or fails
// with 53200. A nil account charges nothing, and its Hold is nil.
func (a *Account) Hold(n int64) (*Hold, error) {
	if a == nil {
		return nil, nil
	}
	of := &held{account: a}
	of.release = func() { of.give(of.bytes.Load()) }
	if err := of.take(n); err != nil {
		return nil, err
	}
	return newHold(of), nil
}

// Grow charges n more bytes to a Hold of a shared account, or fails with 53200 and
// charges nothing. A nil Hold charges nothing.
func (h *Hold) Grow(n int64) error {
	if h == nil {
		return nil
	}
	return h.of.take(n)
}

// take charges bytes of what is kept.
func (h *held) take(n int64) error {
	if !h.account.take(n, h.account.shared.small+1) {
		return errTablesFull(h.account.limit)
	}
	h.account.shared.kept.Add(n)
	h.bytes.Add(n)
	return nil
}

// give takes n charged bytes back.
func (h *held) give(n int64) {
	h.account.used.Add(-n)
	h.account.shared.kept.Add(-n)
}

func errTablesFull(limit int64) error {
	return value.Errorf(value.CodeOutOfMemory,
		"out of memory: what is kept needs more than the limit of %d bytes for everything", limit)
}

// Keep makes the Hold of an account below a shared one: when it ends the account is
// closed.
func (a *Account) Keep() *Hold {
	if a.above == nil || a.above.shared == nil {
		return newHold(&held{release: a.Close})
	}
	s, n := a.above.shared, a.used.Load()
	s.kept.Add(n)
	return newHold(&held{release: func() {
		s.kept.Add(-n)
		a.Close()
	}})
}

// Share makes another Hold of the same memory, which stays charged until both have
// ended. A nil Hold holds nothing.
func (h *Hold) Share() *Hold {
	if h == nil {
		return nil
	}
	return newHold(h.of)
}

// Release ends the Hold. It may be called again, and for nil.
func (h *Hold) Release() {
	if h != nil {
		h.stop.Stop()
		h.of.end(h.ended)
	}
}
