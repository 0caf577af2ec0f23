package cpu

import (
	"context"
	"sync/atomic"

	"github.com/cubeloom/cubeloom/runtime"
)

// memory is what one run holds of its query's account. Whatever is still held
// when a run fails is given back at once, so that those who grow need not clean
// up after an error. Safe for concurrent use.
type memory struct {
	ctx     context.Context  // of the run; nil: there is none
	account *runtime.Account // nil: nothing is charged
	held    atomic.Int64
}

// grow charges n more bytes, or fails with 53200.
func (m *memory) grow(n int64) error {
	if m.account == nil {
		return nil
	}
	if err := m.account.Grow(n); err != nil {
		return err
	}
	m.held.Add(n)
	return nil
}

// ended is the error of a run that is to end, nil while it may go on.
func (m *memory) ended() error {
	if m.ctx == nil || m.ctx.Err() == nil {
		return nil
	}
	return canceled(m.ctx)
}

// shrink takes n charged bytes back.
func (m *memory) shrink(n int64) {
	if m.account == nil {
		return
	}
	m.account.Shrink(n)
	m.held.Add(-n)
}

// releaseAll takes back all that is still charged, at the end of a run.
func (m *memory) releaseAll() {
	if m.account != nil {
		m.account.Shrink(m.held.Swap(0))
	}
}

// handOver passes n held bytes on to an output, whose Release is to call
// release.
func (m *memory) handOver(n int64) *charge {
	if m.account == nil {
		return &charge{}
	}
	m.held.Add(-n)
	return &charge{account: m.account, bytes: n}
}

// charge is the memory of an output.
type charge struct {
	account  *runtime.Account
	bytes    int64
	released atomic.Bool
}

// release takes the charged bytes back, once.
func (c *charge) release() {
	if c.account != nil && !c.released.Swap(true) {
		c.account.Shrink(c.bytes)
	}
}
