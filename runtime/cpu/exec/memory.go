package exec

import (
	"context"
	"sync/atomic"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
)

// Memory is what one run holds of its query's account. Whatever is still held
// when a run fails is given back at once, so that those who grow need not clean
// up after an error. Safe for concurrent use.
type Memory struct {
	ctx     context.Context  // of the run; nil: there is none
	Account *runtime.Account // nil: nothing is charged
	held    atomic.Int64
	Arrays  *spare.Arrays // those that are used again; nil: none are
}

// Grow charges n more bytes, or fails with 53200.
func (m *Memory) Grow(n int64) error {
	if m.Account == nil {
		return nil
	}
	if err := m.Account.Grow(n); err != nil {
		return err
	}
	m.held.Add(n)
	return nil
}

// Ended is the error of a run that is to end, nil while it may go on.
func (m *Memory) Ended() error {
	if m.ctx == nil || m.ctx.Err() == nil {
		return nil
	}
	return Canceled(m.ctx)
}

// Shrink takes n charged bytes back.
func (m *Memory) Shrink(n int64) {
	if m.Account == nil {
		return
	}
	m.Account.Shrink(n)
	m.held.Add(-n)
}

// ReleaseAll takes back all that is still charged, at the end of a run.
func (m *Memory) ReleaseAll() {
	if m.Account != nil {
		m.Account.Shrink(m.held.Swap(0))
	}
}

// HandOver passes n held bytes on to an output, whose Release is to call
// release. It has some of the arrays, nil for none.
func (m *Memory) HandOver(n int64, arrays *spare.Arrays) *Charge {
	arrays.Share()
	if m.Account == nil {
		return &Charge{arrays: arrays}
	}
	m.held.Add(-n)
	return &Charge{account: m.Account, bytes: n, arrays: arrays}
}

// HandOverAll passes all held bytes on to an output that has arrays of the run.
func (m *Memory) HandOverAll() *Charge { return m.HandOver(m.held.Load(), m.Arrays) }

// Charge is the memory of an output.
type Charge struct {
	account  *runtime.Account
	bytes    int64
	arrays   *spare.Arrays // nil: it has no arrays of the run
	released atomic.Bool
}

// Release takes the charged bytes back, once.
func (c *Charge) Release() {
	if c.released.Swap(true) {
		return
	}
	if c.account != nil {
		c.account.Shrink(c.bytes)
	}
	c.arrays.End()
}
