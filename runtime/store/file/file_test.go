package file

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/csvfile"
	"github.com/cubeloom/cubeloom/runtime/store/fileaccess"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/tests/storetest"
)

var (
	ctx     = context.Background()
	machine = fileaccess.Machine{}
)

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
		"x.csv": header, "x.parquet": nil, "x.arrow": nil, "x": nil, "x.csv.gz": header, "z.gz": nil, "y": {{Name: "format", Value: "parquet"}},
	} {
		path := filepath.Join(t.TempDir(), name)
		if n, err := Write(ctx, machine, path, want, columns, options, Settings{Threads: 2}); err != nil || n != 1000 {
			t.Fatalf("%s: %d rows, %v", name, n, err)
		}
		app := table(t, 0, 0).Append()
		if n, err := Load(ctx, machine, path, app, []int{0, 1}, options, Settings{Threads: 2}); err != nil || n != 1000 {
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
			if _, err := Write(ctx, machine, filepath.Join(dir, fmt.Sprint("x", i, ext)), table(t, 10*i, 10), columns, options, Settings{Threads: 1}); err != nil {
				t.Fatal(err)
			}
		}
		s, err := Open(ctx, machine, filepath.Join(dir, "x*"+ext), nil)
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
	s, err := Open(ctx, machine, filepath.Join(dir, "*.csv"), []csvfile.Option{{Name: "header"}})
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
		if _, err := Write(ctx, machine, filepath.Join(dir, name), table(t, 0, 1), c, nil, Settings{Threads: 1}); err != nil {
			t.Fatal(err)
		}
	}
	_, err := Open(ctx, machine, filepath.Join(dir, "*.parquet"), nil)
	wantCode(t, err, value.CodeDatatypeMismatch)
}

func TestErrors(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.parquet")
	short := []store.Column{{Name: "i", Type: algebra.TInt16}}
	if _, err := Write(ctx, machine, path, table(t, 0, 1), columns, nil, Settings{Threads: 1}); err != nil {
		t.Fatal(err)
	}
	narrow, err := store.NewTable(store.Definition{Name: "t", Columns: append(short, columns[1])})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Load(ctx, machine, path, narrow.Append(), []int{0, 1}, nil, Settings{Threads: 1})
	wantCode(t, err, value.CodeDatatypeMismatch)
	_, err = Load(ctx, machine, path, narrow.Append(), []int{0}, nil, Settings{Threads: 1})
	wantCode(t, err, value.CodeBadCopyFormat)
	_, err = Load(ctx, machine, filepath.Join(dir, "none.csv"), narrow.Append(), []int{0}, nil, Settings{Threads: 1})
	wantCode(t, err, value.CodeUndefinedFile)
	_, err = Open(ctx, machine, filepath.Join(dir, "none*.csv"), nil)
	wantCode(t, err, value.CodeUndefinedFile)
	_, _, err = Options(path, []csvfile.Option{{Name: "delimiter", Value: ","}}, csvfile.CopyFrom)
	wantCode(t, err, value.CodeFeatureNotSupported)
	_, _, err = Options(path, []csvfile.Option{{Name: "format", Value: "xml"}}, csvfile.CopyFrom)
	wantCode(t, err, value.CodeInvalidParameter)
}

func TestFailedWriteLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.csv")
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Write(canceled, machine, path, table(t, 0, 10), columns, nil, Settings{Threads: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	_, err := Write(ctx, machine, filepath.Join(dir, "no", "x.csv"), table(t, 0, 10), columns, nil, Settings{Threads: 1})
	wantCode(t, err, value.CodeUndefinedFile)
}

// TestGzipFilesAreGzip reads what was written, and what is damaged.
func TestGzipFilesAreGzip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.csv.gz")
	if _, err := Write(ctx, machine, path, table(t, 0, 100), columns, nil, Settings{Threads: 1}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if plain, err := io.ReadAll(r); err != nil || !bytes.HasPrefix(plain, []byte("0,text 0\n1,text 1\n")) {
		t.Errorf("%q, %v", plain, err)
	}
	for name, damaged := range map[string][]byte{
		"cut": text[:len(text)-20], "changed": append(slices.Clone(text[:len(text)-6]), 1, 2, 3, 4, 5, 6), "plain": []byte("1,a\n"),
	} {
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Load(ctx, machine, path, table(t, 0, 0).Append(), []int{0, 1}, nil, Settings{Threads: 1})
		var e *value.Error
		if !errors.As(err, &e) || e.Code != value.CodeDataCorrupted {
			t.Errorf("%s: got %v", name, err)
		}
		_, err = Open(ctx, machine, path, nil)
		wantCode(t, err, value.CodeDataCorrupted)
	}
}

// TestEndingsThatSayNoFormat are refused, and not guessed.
func TestEndingsThatSayNoFormat(t *testing.T) {
	for _, name := range []string{"x.json", "x.ndjson", "x.csv.zst", "x.xlsx", "x.json.gz", "x.parquet.gz", "x.log"} {
		path := filepath.Join(t.TempDir(), name)
		_, err := Write(ctx, machine, path, table(t, 0, 1), columns, nil, Settings{Threads: 1})
		wantCode(t, err, value.CodeFeatureNotSupported)
		if err := os.WriteFile(path, []byte(`[{"a": 1}, {"a": 2}]`), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err = Load(ctx, machine, path, table(t, 0, 0).Append(), []int{0, 1}, nil, Settings{Threads: 1})
		wantCode(t, err, value.CodeFeatureNotSupported)
		_, err = Open(ctx, machine, path, nil)
		wantCode(t, err, value.CodeFeatureNotSupported)
	}
	path := filepath.Join(t.TempDir(), "x.log")
	csv := []csvfile.Option{{Name: "format", Value: "csv"}}
	if _, err := Write(ctx, machine, path, table(t, 0, 3), columns, csv, Settings{Threads: 1}); err != nil {
		t.Fatal(err)
	}
	if s, err := Open(ctx, machine, path, csv); err != nil || s.Rows() != 3 {
		t.Errorf("got %v", err)
	}
}

func wantCode(t *testing.T, err error, code string) {
	t.Helper()
	var e *value.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Errorf("got %v, want %s", err, code)
	}
}

// Folders key=value are columns, of texts in one dictionary where values are no numbers or dates.
func TestFoldersAreColumns(t *testing.T) {
	dir := t.TempDir()
	var want [][]value.Value
	for i, folders := range []string{"k=7/d=2020-01-31/t=a%2Fb", "k=-8/d=0900-02-01/t=" + nullPartition, "k=9/d=2020-01-31/t=a%2Fb"} {
		path := filepath.Join(dir, folders)
		if err := os.MkdirAll(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if _, err := Write(ctx, machine, filepath.Join(path, "x.parquet"), table(t, 10*i, 10), columns, nil, Settings{Threads: 1}); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Open(ctx, machine, filepath.Join(dir, "*/*/*/*.parquet"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []int64{-8, 7, 9} { // in the order of the names
		days, _ := value.ParseDate(map[bool]string{true: "0900-02-01", false: "2020-01-31"}[k == -8])
		text := value.Value{Kind: value.Text, S: "a/b"}
		if k == -8 {
			text = value.Value{}
		}
		for _, row := range rows(t, table(t, map[int64]int{7: 0, -8: 10, 9: 20}[k], 10)) {
			want = append(want, append(row, value.Value{Kind: value.Int, I: k}, value.Value{Kind: value.Int, I: int64(days)}, text))
		}
	}
	if got := rows(t, s); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
	if lo, hi, all, ok := s.Range(0, 2); lo != -8 || hi != -8 || !all || !ok {
		t.Errorf("range %d to %d, %v %v", lo, hi, all, ok)
	}
	if st := s.Stats(2); !st.HasBounds || st.Min != -8 || st.Max != 9 {
		t.Errorf("statistics %+v", st)
	}
	if st := s.Stats(4); !st.Dict || st.Codes != 1 || st.Nulls != 10 {
		t.Errorf("statistics of texts %+v", st)
	}
}

// A query reads a compressed file as the file that it was made of.
func TestCompressedFilesAreSources(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.csv.gz")
	if _, err := Write(ctx, machine, path, table(t, 0, 1000), columns, []csvfile.Option{{Name: "header"}}, Settings{Threads: 1}); err != nil {
		t.Fatal(err)
	}
	s, err := Open(ctx, machine, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := rows(t, s), rows(t, table(t, 0, 1000)); !reflect.DeepEqual(got, want) {
		t.Errorf("%d rows", len(got))
	}
}
