package store

import (
	"cmp"
	"slices"
	"sync"
)

// serializer finds serializable transactions that may have no serial order, by
// the method of Cahill, Röhm and Fekete as PostgreSQL has refined it. A
// transaction that reads what a concurrent one replaces has to stand before
// that one: a conflict, from the reader to the writer. Wherever snapshots leave
// no serial order, some transaction, the pivot, has a conflict in and a conflict
// out, and what the latter leads to committed first of the three. One of the
// three is made to fail.
//
// Targets of reads and writes are names of the catalog, and catalogTarget.
type serializer struct {
	mu sync.Mutex
	// sequence numbers what transactions do to commit.
	sequence uint64
	active   map[*serial]struct{}
	// finished are committed transactions which overlap active ones, the first
	// to commit first.
	finished []*serial
	readers  map[string]map[*serial]struct{}
	writers  map[string]map[*serial]struct{}
	// old is what is left of finished transactions beyond maxFinished, by target.
	old map[string]oldTarget
}

// The limits of what is kept of transactions. Beyond them conflicts are assumed
// where there may be none.
const (
	maxFinished = 4096  // committed transactions kept one by one
	maxTargets  = 10000 // targets that one transaction keeps one by one
)

// The targets that are no names of tables.
const (
	catalogTarget = "pg_catalog." // which names there are, and what they are
	everything    = "."           // read by a transaction with too many targets
)

// oldTarget is what is left of the transactions that read or wrote a target.
type oldTarget struct {
	read, written uint64 // their last commits; 0 for none
	// firstOut is the first commit that a writer has a conflict out to; 0 for none.
	firstOut uint64
}

// serial is what the serializer knows of a transaction. The mutex of the
// serializer guards it.
type serial struct {
	of       *serializer
	snapshot uint64 // it sees what committed up to here
	prepared uint64 // when it began to commit; 0: it has not
	commit   uint64 // when its changes were published; 0: they are not
	readOnly bool   // declared, or found when it committed
	doomed   bool   // it must fail
	safe     bool   // what it sees needs no watching any more
	reason   string // why it failed; "" while it has not

	in, out map[*serial]struct{} // conflicts with transactions that are kept
	// oldIn and oldOut say that there are conflicts with others.
	oldIn, oldOut bool
	firstOut      uint64 // of a committed one: the first commit it has a conflict out to
	reads, writes map[string]struct{}

	// mayHarm are, of a read-only transaction, the writers that ran when it took
	// its snapshot, and of a writer the read-only ones that wait for its end.
	mayHarm map[*serial]struct{}
	unsafe  bool          // one of mayHarm has made the snapshot unsafe
	decided chan struct{} // closed when it is known whether the snapshot is safe
}

// register starts to watch a transaction whose snapshot is taken now, under the
// mutex.
func (m *serializer) register(readOnly bool) *serial {
	t := &serial{
		of: m, snapshot: m.sequence, readOnly: readOnly, decided: make(chan struct{}),
		in: map[*serial]struct{}{}, out: map[*serial]struct{}{}, reads: map[string]struct{}{}, writes: map[string]struct{}{},
		mayHarm: map[*serial]struct{}{},
	}
	if readOnly {
		for other := range m.active {
			if !other.readOnly && !other.doomed {
				t.mayHarm[other], other.mayHarm[t] = struct{}{}, struct{}{}
			}
		}
		if len(t.mayHarm) == 0 {
			t.safe = true
			close(t.decided)
			return t
		}
	}
	if m.active == nil {
		m.active = map[*serial]struct{}{}
		m.readers, m.writers = map[string]map[*serial]struct{}{}, map[string]map[*serial]struct{}{}
		m.old = map[string]oldTarget{}
	}
	m.active[t] = struct{}{}
	return t
}

// overlaps reports whether the transaction does not see what another has done.
func (t *serial) overlaps(other *serial) bool { return other.commit == 0 || other.commit > t.snapshot }

func note(index map[string]map[*serial]struct{}, target string, t *serial) {
	if index[target] == nil {
		index[target] = map[*serial]struct{}{}
	}
	index[target][t] = struct{}{}
}

// fail makes the transaction one that cannot go on.
func (t *serial) fail(reason string) {
	t.doomed = true
	if t.reason == "" {
		t.reason = reason
	}
}

// finish ends the transaction, under the mutex, and forgets what nobody needs
// any more.
func (m *serializer) finish(t *serial, committed bool) {
	if t.safe {
		return
	}
	delete(m.active, t)
	if committed {
		m.sequence++
		t.commit = m.sequence
		t.readOnly = t.readOnly || len(t.writes) == 0
		m.prune(t)
		m.finished = append(m.finished, t)
	} else {
		m.forget(t, false)
	}
	t.judge(committed)
	m.clean()
}

// prune keeps of a committed transaction's conflicts those that still matter.
func (m *serializer) prune(t *serial) {
	for writer := range t.out {
		if writer.commit == 0 {
			continue
		}
		if !t.readOnly && (t.firstOut == 0 || writer.prepared < t.firstOut) {
			t.firstOut = writer.prepared
		}
		t.unlink(writer)
	}
	for reader := range t.in {
		if reader.commit != 0 || reader.readOnly {
			reader.unlink(t)
		}
	}
}

// unlink removes the conflict of a reader with a writer.
func (t *serial) unlink(writer *serial) {
	delete(t.out, writer)
	delete(writer.in, t)
}

// judge says what the end of a transaction means for the snapshots of read-only
// ones that wait for it, or lets go of those that it waited for.
func (t *serial) judge(committed bool) {
	for other := range t.mayHarm {
		delete(other.mayHarm, t)
		if !other.waits() {
			continue
		}
		if committed && !t.readOnly && (t.oldOut || t.firstOut != 0 && t.firstOut <= other.snapshot) {
			other.unsafe = true
			close(other.decided)
			continue
		}
		if len(other.mayHarm) == 0 {
			other.safe = true
			close(other.decided)
			other.of.forget(other, false)
			delete(other.of.active, other)
		}
	}
	clear(t.mayHarm)
}

// waits reports whether the transaction is a read-only one of which it is not
// known whether its snapshot is safe.
func (t *serial) waits() bool { return t.readOnly && !t.safe && !t.unsafe }

// forget takes a transaction out of all that the serializer keeps. With
// summarize a trace of it is left, so that others see their conflicts with it.
func (m *serializer) forget(t *serial, summarize bool) {
	for target := range t.reads {
		remove(m.readers, target, t)
		if old := m.old[target]; summarize {
			old.read = max(old.read, t.commit)
			m.old[target] = old
		}
	}
	for target := range t.writes {
		remove(m.writers, target, t)
		if old := m.old[target]; summarize {
			old.written = max(old.written, t.commit)
			if t.firstOut != 0 && (old.firstOut == 0 || t.firstOut < old.firstOut) {
				old.firstOut = t.firstOut
			}
			m.old[target] = old
		}
	}
	for writer := range t.out {
		t.unlink(writer)
		writer.oldIn = writer.oldIn || summarize
	}
	for reader := range t.in {
		reader.unlink(t)
		reader.oldOut = reader.oldOut || summarize
	}
}

func remove(index map[string]map[*serial]struct{}, target string, t *serial) {
	delete(index[target], t)
	if len(index[target]) == 0 {
		delete(index, target)
	}
}

// clean forgets the committed transactions that no active one overlaps, and
// keeps traces of the first where there are too many.
func (m *serializer) clean() {
	oldest := m.sequence
	for t := range m.active {
		oldest = min(oldest, t.snapshot)
	}
	n, _ := slices.BinarySearchFunc(m.finished, oldest+1, func(t *serial, seq uint64) int { return cmp.Compare(t.commit, seq) })
	for _, t := range m.finished[:n] {
		m.forget(t, false)
	}
	for len(m.finished)-n > maxFinished {
		m.forget(m.finished[n], true)
		n++
	}
	if n > 0 {
		m.finished = slices.Delete(m.finished, 0, n)
	}
	for target, old := range m.old {
		if old.read <= oldest && old.written <= oldest {
			delete(m.old, target)
		}
	}
}
