package store

import "github.com/cubeloom/cubeloom/sql/value"

// failure is the error of a transaction that has no place in a serial order, in
// PostgreSQL's words.
func (t *serial) failure() error {
	return &value.Error{
		Code: value.CodeSerializationFailure, Pos: value.NoPos,
		Message: "could not serialize access due to read/write dependencies among transactions",
		Detail:  "Reason code: " + t.reason,
		Hint:    "The transaction might succeed if retried.",
	}
}

// checkOut notes that a reader does not see what a writer of the same target
// has done, if that is so and matters.
func (m *serializer) checkOut(t, writer *serial) {
	if writer == t || writer.doomed || !t.overlaps(writer) {
		return
	}
	if writer.oldOut {
		if writer.prepared != 0 {
			t.fail("Canceled on conflict out to old pivot.")
		} else {
			writer.doomed = true
		}
		return
	}
	if t.readOnly && writer.commit != 0 && (writer.firstOut == 0 || t.snapshot < writer.firstOut) {
		return // the reader comes first, and nothing leads from the writer back to before it
	}
	m.flag(t, t, writer)
}

// checkOldOut is checkOut for the writers of which only a trace is left.
func (m *serializer) checkOldOut(t *serial, target string) {
	old := m.old[target]
	if target == everything {
		for _, o := range m.old {
			old.written = max(old.written, o.written)
			if o.firstOut != 0 && (old.firstOut == 0 || o.firstOut < old.firstOut) {
				old.firstOut = o.firstOut
			}
		}
	}
	if old.written <= t.snapshot {
		return
	}
	switch {
	case old.firstOut != 0 && (!t.readOnly || old.firstOut <= t.snapshot):
		t.fail("Canceled on conflict out to old pivot.")
	case t.oldIn || len(t.in) > 0:
		t.fail("Canceled on identification as a pivot, with conflict out to old committed transaction.")
	default:
		t.oldOut = true
	}
}

// flag notes a conflict. Where that makes a pivot of one of the two, one fails:
// me, which is one of them, or the writer.
func (m *serializer) flag(me, reader, writer *serial) {
	if _, known := reader.out[writer]; known {
		return
	}
	if dangerousWriter(reader, writer) || dangerousReader(reader, writer) {
		switch {
		case me == writer:
			me.fail("Canceled on identification as a pivot, during write.")
		case writer.prepared != 0:
			me.fail("Canceled on conflict out to pivot, during read.")
		default:
			writer.doomed = true
		}
	}
	reader.out[writer], writer.in[reader] = struct{}{}, struct{}{}
}

// dangerousWriter reports whether a conflict makes a pivot of the writer: one
// with a conflict out to a transaction that committed before both, and before the
// snapshot of the reader where that only reads.
func dangerousWriter(reader, writer *serial) bool {
	if writer.commit != 0 && writer.firstOut != 0 || writer.oldOut {
		return true
	}
	for last := range writer.out {
		if last.prepared != 0 &&
			(reader.commit == 0 || last.prepared <= reader.commit) &&
			(writer.commit == 0 || last.prepared <= writer.commit) &&
			(!reader.readOnly || last.prepared <= reader.snapshot) {
			return true
		}
	}
	return false
}

// dangerousReader reports whether a conflict makes a pivot of the reader, of
// which the writer committed before the transactions that have conflicts with the
// reader.
func dangerousReader(reader, writer *serial) bool {
	if writer.prepared == 0 || reader.readOnly {
		return false
	}
	if reader.oldIn {
		return true
	}
	for first := range reader.in {
		if !first.doomed &&
			(first.commit == 0 || first.commit >= writer.prepared) &&
			(!first.readOnly || first.snapshot >= writer.prepared) {
			return true
		}
	}
	return false
}

// prepare begins the commit of a transaction: from now on others fail and not
// it. It fails where the transaction itself has to.
func (t *serial) prepare() error {
	m := t.of
	m.mu.Lock()
	defer m.mu.Unlock()
	if t.safe {
		return nil
	}
	if t.doomed {
		t.fail("Canceled on identification as a pivot, during commit attempt.")
		return t.failure()
	}
	for pivot := range t.in {
		if pivot.commit != 0 || pivot.doomed || !pivot.leadsTo(t) {
			continue
		}
		if pivot.prepared != 0 {
			t.fail("Canceled on commit attempt with conflict in from prepared pivot.")
			return t.failure()
		}
		pivot.doomed = true
	}
	m.sequence++
	t.prepared = m.sequence
	return nil
}

// leadsTo reports whether a pivot with a conflict out to last has a conflict in
// that is dangerous once last has committed.
func (t *serial) leadsTo(last *serial) bool {
	for first := range t.in {
		if first == last || first.commit == 0 && !first.readOnly && !first.doomed {
			return true
		}
	}
	return false
}

// committed ends a transaction that has changed nothing.
func (t *serial) committed() {
	t.of.mu.Lock()
	defer t.of.mu.Unlock()
	t.of.finish(t, true)
}
