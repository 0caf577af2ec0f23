package file

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/value"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/csvfile"
	"github.com/cubeloom/cubeloom/runtime/store/storetest"
)

var ctx = context.Background()

var columns = []store.Column{{Name: "i", Type: algebra.TInt32}, {Name: "s", Type: algebra.TText}}

// table makes a table of n rows that start with from.
func table(t *testing.T, from, n int) *store.Table {
	t.Helper()
	empty, err := store.NewTable(store.Definition{Name: "t", Columns: columns})
	if err != nil {
		t.Fatal(err)
	}
	app := empty.Append()
	batch := app.NewBatch()
	for i := range n {
		batch.Col(0).Int(int64(from + i))
		batch.Col(1).Text(fmt.Sprint("text ", from+i))
	}
	part, err := batch.Seal()
	if err == nil {
		err = app.Add(part)
	}
	if err != nil {
		t.Fatal(err)
	}
	full, err := app.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return full
}

// rows reads a source.
func rows(t *testing.T, s store.Source) [][]value.Value {
	t.Helper()
	var types []algebra.Type
	for _, c := range s.Columns() {
		types = append(types, c.Type)
	}
	out, err := storetest.Rows(s, types)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestEveryFormatIsWrittenAndLoaded(t *testing.T) {
	want := table(t, 0, 1000)
	header := []csvfile.Option{{Name: "header"}}
	for name, options := range map[string][]csvfile.Option{
		"x.csv": header, "x.parquet": nil, "x.arrow": nil, "x": nil, "y": {{Name: "format", Value: "parquet"}},
	} {
		path := filepath.Join(t.TempDir(), name)
		if n, err := Write(ctx, path, want, columns, options, Settings{Threads: 2}); err != nil || n != 1000 {
			t.Fatalf("%s: %d rows, %v", name, n, err)
		}
		app := table(t, 0, 0).Append()
		if n, err := Load(ctx, path, app, []int{0, 1}, options, Settings{Threads: 2}); err != nil || n != 1000 {
			t.Fatalf("%s: %d rows, %v", name, n, err)
		}
		got, err := app.Finish()
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(rows(t, got), rows(t, want)) {
			t.Errorf("%s: rows differ", name)
		}
	}
}

func TestGlobsAreReadInOrder(t *testing.T) {
	for _, ext := range []string{".csv", ".parquet", ".arrow"} {
		dir := t.TempDir()
		var options []csvfile.Option
		if ext == ".csv" {
			options = []csvfile.Option{{Name: "header"}}
		}
		for i := range 3 {
			if _, err := Write(ctx, filepath.Join(dir, fmt.Sprint("x", i, ext)), table(t, 10*i, 10), columns, options, Settings{Threads: 1}); err != nil {
				t.Fatal(err)
			}
		}
		s, err := Open(filepath.Join(dir, "x*"+ext), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := rows(t, s), rows(t, table(t, 0, 30)); !reflect.DeepEqual(got, want) || s.Rows() != 30 {
			t.Errorf("%s: %v", ext, got)
		}
		if st := s.Stats(0); ext == ".parquet" && (!st.HasBounds || st.Min != 0 || st.Max != 29) {
			t.Errorf("%s: statistics %+v", ext, st)
		}
	}
}

func TestGuessedTypesAreWidened(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.csv": "v,w\n1,1\n", "b.csv": "v,w\n2.5,x\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Open(filepath.Join(dir, "*.csv"), []csvfile.Option{{Name: "header"}})
	if err != nil {
		t.Fatal(err)
	}
	if c := s.Columns(); c[0].Type != algebra.TFloat64 || c[1].Type != algebra.TText {
		t.Errorf("types %v and %v", c[0].Type, c[1].Type)
	}
	rows(t, s)
}

func TestFilesOfOnePatternMustAgree(t *testing.T) {
	dir := t.TempDir()
	other := []store.Column{{Name: "j", Type: algebra.TInt32}, {Name: "s", Type: algebra.TText}}
	for name, c := range map[string][]store.Column{"a.parquet": columns, "b.parquet": other} {
		if _, err := Write(ctx, filepath.Join(dir, name), table(t, 0, 1), c, nil, Settings{Threads: 1}); err != nil {
			t.Fatal(err)
		}
	}
	_, err := Open(filepath.Join(dir, "*.parquet"), nil)
	wantCode(t, err, value.CodeDatatypeMismatch)
}

func TestErrors(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.parquet")
	wide := []store.Column{{Name: "i", Type: algebra.TInt64}}
	if _, err := Write(ctx, path, table(t, 0, 1), columns, nil, Settings{Threads: 1}); err != nil {
		t.Fatal(err)
	}
	narrow, err := store.NewTable(store.Definition{Name: "t", Columns: append(wide, columns[1])})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Load(ctx, path, narrow.Append(), []int{0, 1}, nil, Settings{Threads: 1})
	wantCode(t, err, value.CodeDatatypeMismatch)
	_, err = Load(ctx, path, narrow.Append(), []int{0}, nil, Settings{Threads: 1})
	wantCode(t, err, value.CodeBadCopyFormat)
	_, err = Load(ctx, filepath.Join(dir, "none.csv"), narrow.Append(), []int{0}, nil, Settings{Threads: 1})
	wantCode(t, err, value.CodeUndefinedFile)
	_, err = Open(filepath.Join(dir, "none*.csv"), nil)
	wantCode(t, err, value.CodeUndefinedFile)
	_, _, err = TakeFormat(path, []csvfile.Option{{Name: "delimiter", Value: ","}})
	wantCode(t, err, value.CodeFeatureNotSupported)
	_, _, err = TakeFormat(path, []csvfile.Option{{Name: "format", Value: "xml"}})
	wantCode(t, err, value.CodeInvalidParameter)
}

func TestFailedWriteLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.csv")
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Write(canceled, path, table(t, 0, 10), columns, nil, Settings{Threads: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	_, err := Write(ctx, filepath.Join(dir, "no", "x.csv"), table(t, 0, 10), columns, nil, Settings{Threads: 1})
	wantCode(t, err, value.CodeIO)
}

func wantCode(t *testing.T, err error, code string) {
	t.Helper()
	var e *value.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Errorf("got %v, want %s", err, code)
	}
}
