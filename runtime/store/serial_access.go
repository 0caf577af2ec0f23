package store

// err is the error that ends the transaction; nil for none.
func (t *serial) err() error {
	t.of.mu.Lock()
	defer t.of.mu.Unlock()
	if !t.doomed {
		return nil
	}
	t.fail("Canceled on identification as a pivot, during conflict out checking.")
	return t.failure()
}

// read notes that the transaction has looked at a target.
func (t *serial) read(target string) {
	m := t.of
	m.mu.Lock()
	defer m.mu.Unlock()
	if t.safe {
		return
	}
	if t.doomed {
		t.fail("Canceled on identification as a pivot, during conflict out checking.")
		return
	}
	if _, known := t.reads[target]; !known && len(t.reads) >= maxTargets {
		target = everything
	}
	if _, known := t.reads[target]; known {
		return
	}
	note(m.readers, target, t)
	t.reads[target] = struct{}{}
	for writer := range m.writers[target] {
		m.checkOut(t, writer)
	}
	if target == everything {
		for name := range m.writers {
			for writer := range m.writers[name] {
				m.checkOut(t, writer)
			}
		}
	}
	m.checkOldOut(t, target)
}

// write notes that the transaction changes a target.
func (t *serial) write(target string) {
	m := t.of
	m.mu.Lock()
	defer m.mu.Unlock()
	if t.safe {
		return
	}
	if t.doomed {
		t.fail("Canceled on identification as a pivot, during conflict in checking.")
		return
	}
	if _, known := t.writes[target]; !known {
		note(m.writers, target, t)
		t.writes[target] = struct{}{}
	}
	for _, read := range []string{target, everything} {
		for reader := range m.readers[read] {
			if reader != t && !reader.doomed && t.overlaps(reader) {
				m.flag(t, reader, t)
			}
		}
		if m.old[read].read > t.snapshot {
			t.oldIn = true
		}
	}
}
