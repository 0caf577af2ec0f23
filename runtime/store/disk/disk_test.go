package disk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	goruntime "runtime"
	"testing"
	"weak"

	"pgregory.net/rapid"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/disk/vfs"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/tests/storetest"
)

var ctx = context.Background()

// Open opens a data directory of the machine, which it makes where there is none.
func Open(path string) (*store.Catalog, error) {
	dir, err := Make(path)
	if err != nil {
		return nil, err
	}
	return OpenDir(dir, 0)
}

// newTable makes an empty table.
func newTable(name string, types []algebra.Type) (*store.Table, error) {
	def := store.Definition{Name: name, Keys: []store.Key{{Name: "k", Columns: []int{0}, Comment: "a key", IndexComment: "its index"}, {Columns: []int{1, 0}, Primary: true},
		{Name: "i", Columns: []int{1, 0}, Index: &algebra.Index{Method: "brin", Terms: []string{"DESC", ""}}},
		{Name: "j", Columns: []int{1}, Index: &algebra.Index{Unique: true, Method: "btree", Terms: []string{""}, Exprs: []string{"lower(s)"}, Where: "s > ''", Include: []string{"a"}}, IndexComment: "computed"}}}
	for i, t := range types {
		def.Columns = append(def.Columns, store.Column{Name: fmt.Sprint("c", i), Type: t})
	}
	return store.NewTable(def)
}

// insert appends rows to a table of a transaction.
func insert(tx *store.Tx, name string, rows [][]value.Value) error {
	app, err := tx.Append(ctx, name)
	if err != nil {
		return err
	}
	batch := app.NewBatch()
	for _, row := range rows {
		if err := batch.AppendRow(row); err != nil {
			return err
		}
	}
	part, err := batch.Seal()
	if err != nil {
		return err
	}
	if err := app.Add(part); err != nil {
		return err
	}
	table, err := app.Finish()
	if err == nil {
		tx.Update(table)
	}
	return err
}

// commit runs f in a transaction.
func commit(c *store.Catalog, f func(tx *store.Tx) error) error {
	tx := c.Begin()
	defer tx.Rollback()
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// contents reads all of a state: the rows of tables, the text of views.
func contents(s *store.State) (map[string]any, error) {
	out := map[string]any{}
	for _, o := range s.Objects() {
		switch o := o.(type) {
		case *store.View:
			out[o.Name()] = fmt.Sprint(o.Text, o.Columns, o.Depends)
		case *store.Table:
			var types []algebra.Type
			for _, c := range o.Columns() {
				types = append(types, c.Type)
			}
			rows, err := storetest.Rows(o, types)
			if err != nil {
				return nil, err
			}
			out[o.Name()] = append([][]value.Value{}, rows...)
		}
	}
	return out, nil
}

func TestStatesSurviveReopening(t *testing.T) {
	base := t.TempDir()
	runs := 0
	rapid.Check(t, func(t *rapid.T) {
		runs++
		dir := filepath.Join(base, fmt.Sprint(runs))
		c, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { c.Close() }()
		for range rapid.IntRange(1, 3).Draw(t, "steps") {
			if err := commit(c, func(tx *store.Tx) error { return step(t, tx) }); err != nil {
				t.Fatal(err)
			}
			want, err := contents(c.State())
			if err != nil {
				t.Fatal(err)
			}
			old := c.State()
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
			if c, err = Open(dir); err != nil {
				t.Fatal(err)
			}
			got, err := contents(c.State())
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("after reopening: %v, before: %v", got, want)
			}
			sameStats(t, old, c.State())
		}
	})
}

// step changes the catalog in one of several ways.
func step(t *rapid.T, tx *store.Tx) error {
	var tables []*store.Table
	for _, o := range tx.State().Objects() {
		if table, ok := o.(*store.Table); ok {
			tables = append(tables, table)
		}
	}
	kind := rapid.IntRange(0, 5).Draw(t, "step")
	if len(tables) == 0 || kind == 0 {
		name := fmt.Sprint("t", rapid.IntRange(0, 3).Draw(t, "name"))
		types := storetest.Types(t, storetest.All)
		table, err := newTable(name, types)
		if err != nil {
			return err
		}
		if err := tx.Create(ctx, table, true); err != nil {
			return err
		}
		return insert(tx, name, storetest.Table(t, types, 20))
	}
	table := rapid.SampledFrom(tables).Draw(t, "table")
	switch kind {
	case 1:
		return tx.Drop(ctx, store.KindTable, []string{table.Name()}, true)
	case 2:
		return tx.Create(ctx, store.NewView("v", "SELECT 1", []string{"a"}, []string{table.Name()}), true)
	case 3:
		if tx.State().Lookup(table.Name()+"x") != nil {
			return nil
		}
		return tx.Rename(ctx, store.KindTable, table.Name(), table.Name()+"x")
	}
	var types []algebra.Type
	for _, c := range table.Columns() {
		types = append(types, c.Type)
	}
	return insert(tx, table.Name(), storetest.Table(t, types, 20))
}

// sameStats compares the statistics of two states.
func sameStats(t *rapid.T, a, b *store.State) {
	for _, o := range a.Objects() {
		x, ok := o.(*store.Table)
		if !ok {
			continue
		}
		y := b.Lookup(x.Name()).(*store.Table)
		if !reflect.DeepEqual(x.Keys(), y.Keys()) || !reflect.DeepEqual(x.Types(), y.Types()) {
			t.Fatalf("keys %v and %v, types %v and %v", x.Keys(), y.Keys(), x.Types(), y.Types())
		}
		if got, want := fmt.Sprint(y.Sample().Rows()), fmt.Sprint(x.Sample().Rows()); got != want {
			t.Fatalf("samples %s and %s", want, got)
		}
		for i := range x.Columns() {
			if x.Stats(i) != y.Stats(i) {
				t.Fatalf("statistics of column %d: %+v and %+v", i, x.Stats(i), y.Stats(i))
			}
		}
	}
}

// sample makes a directory with a table t and a view v.
func sample(t *testing.T) (dir string, want map[string]any) {
	t.Helper()
	dir = t.TempDir()
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for i := range 2 {
		err := commit(c, func(tx *store.Tx) error {
			if i == 0 {
				table, err := newTable("t", []algebra.Type{algebra.TInt32, algebra.TText, algebra.TFloat64})
				if err != nil {
					return err
				}
				if err := tx.Create(ctx, table, false); err != nil {
					return err
				}
				if err := tx.Create(ctx, store.NewView("v", "SELECT c0 FROM t", nil, []string{"t"}), false); err != nil {
					return err
				}
			}
			var rows [][]value.Value
			for k := range int64(100 - 80*i) {
				rows = append(rows, []value.Value{{Kind: value.Int, I: k * 1000}, {Kind: value.Text, S: fmt.Sprint(k % 7)}, {}})
			}
			return insert(tx, "t", rows)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	want, err = contents(c.State())
	if err != nil {
		t.Fatal(err)
	}
	return dir, want
}

// openVFS opens a directory without locking it.
func openVFS(t testing.TB, path string) vfs.Dir {
	t.Helper()
	dir, err := vfs.Open(path, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	return dir
}

// files lists a directory.
func files(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func TestDroppedTablesLeaveNoFiles(t *testing.T) {
	dir, _ := sample(t)
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	old := c.State().Lookup("t").(*store.Table)
	if err := commit(c, func(tx *store.Tx) error { return tx.Drop(ctx, store.KindTable, []string{"t"}, true) }); err != nil {
		t.Fatal(err)
	}
	if got := files(t, dir); !reflect.DeepEqual(got, []string{"LOCK", manifestName}) {
		t.Errorf("left: %v", got)
	}
	block, err := old.Load(0, []int{0, 1})
	if err != nil || block.Cols[1].TextAt(3) != "3" {
		t.Errorf("a reader's version: %v", err)
	}
}

func TestChunksKeepTheirFileMapped(t *testing.T) {
	dir, _ := sample(t)
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	block, err := c.State().Lookup("t").(*store.Table).Load(0, []int{0})
	if err != nil {
		t.Fatal(err)
	}
	chunk := block.Cols[0]
	block.Cols = nil
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	c = nil
	for range 5 {
		goruntime.GC()
	}
	if got := chunk.Int(99); got != 99000 {
		t.Errorf("row 99 is %d", got)
	}
	goruntime.KeepAlive(chunk)
}

func TestOneProcessAtATime(t *testing.T) {
	dir, _ := sample(t)
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Open(dir)
	var e *value.Error
	if !errors.As(err, &e) || e.Code != value.CodeObjectInUse {
		t.Errorf("got %v", err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := reopen(dir); err != nil {
		t.Errorf("after Close: %v", err)
	}
	if err := commit(c, func(tx *store.Tx) error { return tx.Drop(ctx, store.KindView, []string{"v"}, false) }); err == nil {
		t.Error("a commit after Close")
	}
}

func TestManySmallCommitsKeepFewFiles(t *testing.T) {
	dir := t.TempDir()
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	err = commit(c, func(tx *store.Tx) error {
		table, err := newTable("t", []algebra.Type{algebra.TInt32})
		if err != nil {
			return err
		}
		return tx.Create(ctx, table, false)
	})
	for i := 0; i < 40 && err == nil; i++ {
		err = commit(c, func(tx *store.Tx) error { return insert(tx, "t", [][]value.Value{{{Kind: value.Int, I: int64(i)}}}) })
	}
	if err != nil {
		t.Fatal(err)
	}
	if n := len(files(t, dir)); n > 12 {
		t.Errorf("%d files", n)
	}
}

// Mapped segments must not keep themselves mapped.
func TestClosedDirectoryIsForgotten(t *testing.T) {
	dir, _ := sample(t)
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	table := c.State().Lookup("t").(*store.Table)
	segment := weak.Make(table.Stored().Blocks[0].File.(*segment))
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	c, table = nil, nil
	for range 5 {
		goruntime.GC()
	}
	if segment.Value() != nil {
		t.Error("a segment of a closed directory stays")
	}
}
