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

// set notes what a name stands for from now on; nil: nothing.
func (tx *Tx) set(name string, o Object) {
	if tx.serial != nil && !IsTemporary(name) {
		tx.serial.write(name)
		old, own := tx.objects[name]
		if !own {
			old = tx.pinned.objects[name]
		}
		if !sameDefinition(old, o) {
			tx.serial.write(catalogTarget)
		}
	}
	tx.objects[name] = o
}

// sameDefinition reports whether two objects are versions of a table that differ
// in nothing but their rows: such versions share the slices of the definition.
func sameDefinition(a, b Object) bool {
	t, ok := a.(*Table)
	u, other := b.(*Table)
	return ok && other && t.def.Name == u.def.Name && &t.def.Columns[0] == &u.def.Columns[0] &&
		len(t.def.Columns) == len(u.def.Columns) && len(t.def.Keys) == len(u.def.Keys) &&
		(len(t.def.Keys) == 0 || &t.def.Keys[0] == &u.def.Keys[0])
}
