package store

import "context"

// Serialize is Pin for a transaction that is to have a place in a serial order
// of all such: what it looks up and changes is watched, and Err fails once it
// has to give way to others. One that says that it only reads is watched no
// longer than others can still harm it; with deferrable Serialize returns when
// none can, or with ctx's error when ctx ends.
func (tx *Tx) Serialize(ctx context.Context, readOnly, deferrable bool) error {
	m := &tx.cat.serial
	for {
		m.mu.Lock()
		tx.pinned = tx.cat.State()
		tx.serial = m.register(readOnly)
		m.mu.Unlock()
		if !readOnly || !deferrable {
			return nil
		}
		select {
		case <-tx.serial.decided:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if tx.serial.safe {
			return nil
		}
		tx.unwatch()
	}
}

// unwatch has the serializer forget a transaction that does not commit.
func (tx *Tx) unwatch() {
	if tx.serial == nil {
		return
	}
	m := &tx.cat.serial
	m.mu.Lock()
	defer m.mu.Unlock()
	if tx.serial.commit == 0 {
		m.finish(tx.serial, false)
	}
	tx.serial = nil
}

// Err is the error of 40001 with which a transaction that Serialize began has to
// end, since it would not fit in a serial order with others; nil for none.
func (tx *Tx) Err() error {
	if tx.serial == nil {
		return nil
	}
	return tx.serial.err()
}
