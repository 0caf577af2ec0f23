package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/tests/storetest"
)

// intTable makes a table with a column of integers.
func intTable(t *testing.T, name string) *Table {
	t.Helper()
	table, err := NewTable(Definition{Name: name, Columns: []Column{{Name: "i", Type: algebra.TInt64}}})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// insert appends one integer within a transaction.
func insert(tx *Tx, name string, v int64) error {
	a, err := tx.Append(context.Background(), name)
	if err != nil {
		return err
	}
	b := a.NewBatch()
	b.Col(0).Int(v)
	p, err := b.Seal()
	if err != nil {
		return err
	}
	if err := a.Add(p); err != nil {
		return err
	}
	table, err := a.Finish()
	if err != nil {
		return err
	}
	tx.Update(table)
	return nil
}

// committed runs f in a transaction of its own.
func committed(t *testing.T, c *Catalog, f func(tx *Tx) error) {
	t.Helper()
	tx := c.Begin()
	if err := f(tx); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}

// rowsOf is the number of rows of a table.
func rowsOf(s *State, name string) int64 { return s.Lookup(name).(*Table).Rows() }

var ctx = context.Background()

func TestTransactionIsSeenWholeOrNotAtAll(t *testing.T) {
	c := NewCatalog(NewState(nil), nil)
	before := c.State()
	tx := c.Begin()
	for _, name := range []string{"a", "b"} {
		if err := tx.Create(ctx, intTable(t, name), false); err != nil {
			t.Fatal(err)
		}
		if err := insert(tx, name, 1); err != nil {
			t.Fatal(err)
		}
	}
	if n := rowsOf(tx.State(), "b"); n != 1 {
		t.Errorf("the transaction sees %d rows of its own", n)
	}
	if len(c.State().Objects()) != 0 {
		t.Error("others see what is not committed")
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if n := rowsOf(c.State(), "a"); n != 1 || len(before.Objects()) != 0 {
		t.Errorf("after the commit there are %d rows, and the old state has %d objects", n, len(before.Objects()))
	}
	tx = c.Begin()
	if err := insert(tx, "a", 2); err != nil {
		t.Fatal(err)
	}
	tx.Rollback()
	if n := rowsOf(c.State(), "a"); n != 1 {
		t.Errorf("%d rows after a rollback", n)
	}
}

func TestSavepointTakesLaterChangesBack(t *testing.T) {
	c := NewCatalog(NewState(nil), nil)
	committed(t, c, func(tx *Tx) error { return tx.Create(ctx, intTable(t, "a"), false) })
	committed(t, c, func(tx *Tx) error {
		if err := insert(tx, "a", 1); err != nil {
			return err
		}
		mark := tx.Savepoint()
		for range 2 {
			if err := tx.Drop(ctx, KindTable, []string{"a"}, false); err != nil {
				return err
			}
			tx.RollbackTo(mark)
		}
		return insert(tx, "a", 2)
	})
	if n := rowsOf(c.State(), "a"); n != 2 {
		t.Errorf("%d rows", n)
	}
}

func TestConcurrentWritersOfOneTableLoseNothing(t *testing.T) {
	c := NewCatalog(NewState(nil), nil)
	committed(t, c, func(tx *Tx) error { return tx.Create(ctx, intTable(t, "a"), false) })
	const writers, each = 4, 50
	errs := make(chan error, writers)
	for range writers {
		go func() {
			var err error
			for i := 0; i < each && err == nil; i++ {
				tx := c.Begin()
				if err = insert(tx, "a", int64(i)); err == nil {
					err = tx.Commit()
				}
				tx.Rollback()
			}
			errs <- err
		}()
	}
	for range writers {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if n := rowsOf(c.State(), "a"); n != writers*each {
		t.Errorf("%d rows, want %d", n, writers*each)
	}
}

func TestDeadlockIsFound(t *testing.T) {
	c := NewCatalog(NewState([]Object{intTable(t, "a"), intTable(t, "b")}), nil)
	x, y := c.Begin(), c.Begin()
	if err := insert(x, "a", 1); err != nil {
		t.Fatal(err)
	}
	if err := insert(y, "b", 1); err != nil {
		t.Fatal(err)
	}
	errs := make(chan error, 2)
	for tx, name := range map[*Tx]string{x: "b", y: "a"} {
		go func() {
			err := insert(tx, name, 2)
			if err != nil {
				tx.Rollback()
			}
			errs <- err
		}()
	}
	var failed []error
	for range 2 {
		if err := <-errs; err != nil {
			failed = append(failed, err)
		}
	}
	if len(failed) != 1 {
		t.Fatalf("errors: %v", failed)
	}
	wantError(t, failed[0], value.CodeDeadlock, "deadlock detected")
	x.Rollback()
	y.Rollback()
}

func TestWaitingForALockEndsWithItsContext(t *testing.T) {
	c := NewCatalog(NewState([]Object{intTable(t, "a")}), nil)
	x, y := c.Begin(), c.Begin()
	if err := insert(x, "a", 1); err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeout(ctx, time.Millisecond)
	defer cancel()
	if _, err := y.Append(short, "a"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	x.Rollback()
	if err := insert(y, "a", 1); err != nil {
		t.Errorf("after the lock was released: %v", err)
	}
}

func TestNamesAreChecked(t *testing.T) {
	c := NewCatalog(NewState([]Object{intTable(t, "t"), NewView("v", "SELECT 1", nil, nil)}), nil)
	tx := c.Begin()
	defer tx.Rollback()
	create := func(o Object, replace bool) error { return tx.Create(ctx, o, replace) }
	drop := func(kind Kind, name string) error { return tx.Drop(ctx, kind, []string{name}, false) }
	_, errAppend := tx.Append(ctx, "v")
	_, errMissing := tx.Append(ctx, "x")
	tests := []struct {
		err           error
		code, message string
	}{
		{create(intTable(t, "t"), false), value.CodeDuplicateTable, `relation "t" already exists`},
		{create(intTable(t, "v"), true), value.CodeWrongObjectType, `"v" is not a table`},
		{create(NewView("t", "", nil, nil), true), value.CodeWrongObjectType, `"t" is not a view`},
		{drop(KindTable, "x"), value.CodeUndefinedTable, `table "x" does not exist`},
		{drop(KindTable, "v"), value.CodeWrongObjectType, `"v" is not a table`},
		{drop(KindView, "t"), value.CodeWrongObjectType, `"t" is not a view`},
		{tx.Rename(ctx, KindTable, "t", "v"), value.CodeDuplicateTable, `relation "v" already exists`},
		{errAppend, value.CodeWrongObjectType, `cannot insert into view "v"`},
		{errMissing, value.CodeUndefinedTable, `relation "x" does not exist`},
	}
	for _, tt := range tests {
		wantError(t, tt.err, tt.code, tt.message)
	}
	if err := create(NewView("v", "SELECT 2", nil, nil), true); err != nil {
		t.Errorf("replacing a view: %v", err)
	}
}

func TestDropMindsDependentViews(t *testing.T) {
	c := NewCatalog(NewState([]Object{
		intTable(t, "t"), NewView("v", "", nil, []string{"t"}), NewView("w", "", nil, []string{"v"}), intTable(t, "u"),
	}), nil)
	tx := c.Begin()
	wantError(t, tx.Drop(ctx, KindTable, []string{"u", "t"}, false), value.CodeDependentObjects,
		"cannot drop desired object(s) because other objects depend on them")
	wantError(t, tx.Drop(ctx, KindTable, []string{"t"}, false), value.CodeDependentObjects,
		"cannot drop table t because other objects depend on it")
	if tx.State().Lookup("u") == nil {
		t.Error("a failed drop has removed something")
	}
	if err := tx.Drop(ctx, KindTable, []string{"t"}, true); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(names(c.State())); got != "[u]" {
		t.Errorf("left: %s", got)
	}
}

func names(s *State) []string {
	var out []string
	for _, o := range s.Objects() {
		out = append(out, o.Name())
	}
	return out
}

func TestResolveKnowsTheSchema(t *testing.T) {
	s := NewState([]Object{intTable(t, "t")})
	for _, name := range [][]string{{"t"}, {"public", "t"}} {
		if s.Resolve(name, []string{Schema}) == nil {
			t.Errorf("%v not found", name)
		}
	}
	for _, name := range [][]string{{"other", "t"}, {"public", "public", "t"}, {"T"}, {}} {
		if s.Resolve(name, []string{Schema}) != nil {
			t.Errorf("%v found", name)
		}
	}
}

// memoryStorage gives what it is to keep back taken apart and put together.
type memoryStorage struct{ spilled int }

type memorySegment struct{}

func (memorySegment) Verify(block, column int) error { return nil }

func (*memoryStorage) SpillBytes() int64 { return 64 << 20 }

func (m *memoryStorage) Spill(blocks []StoredBlock) ([]StoredBlock, error) {
	seg := memorySegment{}
	for i := range blocks {
		blocks[i].File, blocks[i].At = seg, i
	}
	m.spilled += len(blocks)
	return blocks, nil
}

func (m *memoryStorage) Save(next *State) (*State, error) {
	var objects []Object
	for _, o := range next.Objects() {
		if t, ok := o.(*Table); ok {
			restored, err := Restore(t.Stored())
			if err != nil {
				return nil, err
			}
			o = restored
		}
		objects = append(objects, o)
	}
	return NewState(objects), nil
}

func (m *memoryStorage) Close() error { return nil }

func TestStorageGivesTablesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		columns := drawColumns(t)
		table, err := NewTable(Definition{Name: "t", Columns: columns})
		if err != nil {
			t.Fatal(err)
		}
		rows := storetest.Table(t, columnTypes(columns), 50)
		if table, err = appended(table, rows); err != nil {
			t.Fatal(err)
		}
		c := NewCatalog(NewState(nil), &memoryStorage{})
		tx := c.Begin()
		if err := tx.Create(ctx, table, false); err != nil {
			t.Fatal(err)
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		checkTable(t, c.State().Lookup("t").(*Table), rows)
	})
}

func TestLargeAppendsSpill(t *testing.T) {
	m := &memoryStorage{}
	c := NewCatalog(NewState([]Object{textTableOf(t, nil)}), m)
	tx := c.Begin()
	a, err := tx.Append(ctx, "t")
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("a text that fills the memory ", 10)
	text := func(i int) string {
		if i < 1<<18 {
			return fmt.Sprint(i % 100)
		}
		return fmt.Sprint(long, i)
	}
	const rows = 5 << 17
	addTexts(t, a, rows, text)
	table, err := a.Finish()
	if err != nil {
		t.Fatal(err)
	}
	if m.spilled == 0 {
		t.Error("nothing was spilled")
	}
	checkTexts(t, table, rows, text)
}
