package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// OwnedBy are the sequences that a table owns, or with a column that column.
func (s *State) OwnedBy(table, column string) []*Sequence {
	var out []*Sequence
	for _, o := range s.Objects() {
		if q, ok := o.(*Sequence); ok && q.OwnerTable == table && (column == "" || q.OwnerColumn == column) {
			out = append(out, q)
		}
	}
	return out
}

// users calls f with the columns that take the values of a sequence by default.
func (s *State) users(sequence string, f func(t *Table, column int)) {
	for _, o := range s.Objects() {
		t, ok := o.(*Table)
		if !ok {
			continue
		}
		for i := range t.def.Columns {
			if t.def.Columns[i].SequenceOf() == sequence {
				f(t, i)
			}
		}
	}
}

// takers says of each default that takes the values of a sequence which goes with dropped objects
// on what it depends.
func (tx *Tx) takers(gone map[string]bool) (lines []string) {
	state := tx.State()
	for _, o := range state.Objects() {
		q, ok := o.(*Sequence)
		if !ok || !gone[KeyOf(q)] && !gone[q.OwnerTable] {
			continue
		}
		state.users(KeyOf(q), func(t *Table, column int) {
			if !gone[KeyOf(t)] && (q.Identity == "" || gone[q.OwnerTable]) {
				lines = append(lines, fmt.Sprintf("default value for column %s of table %s depends on sequence %s",
					t.def.Columns[column].Name, tx.written(t), tx.written(q)))
			}
		})
	}
	return lines
}

// dropSequences adds the sequences that dropped tables own to gone, and takes dropped ones
// from the defaults of other tables.
func (tx *Tx) dropSequences(ctx context.Context, gone map[string]bool) {
	state := tx.State()
	for _, o := range state.Objects() {
		if q, ok := o.(*Sequence); ok && gone[q.OwnerTable] && !gone[KeyOf(q)] {
			sqlstate.Check(tx.LockToDefine(ctx, KeyOf(q)))
			gone[KeyOf(q)] = true
		}
	}
	for name := range gone {
		q, ok := state.Lookup(name).(*Sequence)
		if !ok {
			continue
		}
		if q.Identity != "" && !gone[q.OwnerTable] {
			err := value.Errorf(value.CodeDependentObjects, "cannot drop sequence %s because column %s of table %s requires it", tx.written(q), q.OwnerColumn, tx.written(state.Lookup(q.OwnerTable)))
			err.Hint = fmt.Sprintf("You can drop column %s of table %s instead.", q.OwnerColumn, tx.written(state.Lookup(q.OwnerTable)))
			panic(err)
		}
		sqlstate.Check(tx.dropDefaults(ctx, q, gone))
	}
}

// dropDefaults removes the defaults that take the values of a sequence.
func (tx *Tx) dropDefaults(ctx context.Context, q *Sequence, gone map[string]bool) (err error) {
	tx.State().users(KeyOf(q), func(t *Table, column int) {
		key := KeyOf(t)
		if gone[key] || err != nil {
			return
		}
		if err = tx.LockToDefine(ctx, key); err == nil {
			tx.setDefault(key, column, "")
		}
	})
	return err
}

// setDefault gives a column of a table another default.
func (tx *Tx) setDefault(table string, column int, text string) {
	t := tx.State().Lookup(table).(*Table)
	columns := slices.Clone(t.Columns())
	columns[column].Default = text
	tx.Update(t.Redefined(columns))
}

// renameInSequences has what names a table or sequence name it by another key.
func (tx *Tx) renameInSequences(from, to string) {
	state := tx.State()
	for _, q := range state.OwnedBy(from, "") {
		def := q.SequenceDef
		def.OwnerTable = to
		tx.Replace(q.Redefined(def))
	}
	if _, ok := state.Lookup(from).(*Sequence); ok {
		state.users(from, func(t *Table, column int) { tx.setDefault(KeyOf(t), column, NextOf(to)) })
	}
}

// DropOwned drops the sequences that a table owns, or with a column that column, which does
// not take their values any more.
func (tx *Tx) DropOwned(ctx context.Context, table, column string) (err error) {
	defer sqlstate.Catch(&err)
	for _, q := range tx.State().OwnedBy(table, column) {
		sqlstate.Check(tx.LockToDefine(ctx, KeyOf(q)))
		gone := map[string]bool{table: true}
		if lines := tx.takers(gone); len(lines) > 0 {
			return StillRead("sequence "+tx.written(q), lines)
		}
		sqlstate.Check(tx.dropDefaults(ctx, q, gone))
		tx.disown(ctx, AccessTo(KindSequence, KeyOf(q)))
		tx.set(KeyOf(q), nil)
	}
	return nil
}

// RenameOwner has the sequences of a column name it by another name.
func (tx *Tx) RenameOwner(table, from, to string) {
	for _, q := range tx.State().OwnedBy(table, from) {
		def := q.SequenceDef
		def.OwnerColumn = to
		tx.Replace(q.Redefined(def))
	}
}

// RestartOwned has the sequences that a table owns start anew.
func (tx *Tx) RestartOwned(table string) {
	for _, q := range tx.State().OwnedBy(table, "") {
		tx.Replace(q.Restarted(q.Start))
	}
}
