package file

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/csvfile"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/tests/storetest"
)

// TestExactFilesKeepEveryValue writes random tables as Parquet files without loss, and
// loads them.
func TestExactFilesKeepEveryValue(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.parquet")
	rapid.Check(t, func(t *rapid.T) {
		types := storetest.Types(t, storetest.All)
		var columns []store.Column
		for i, typ := range types {
			columns = append(columns, store.Column{Name: fmt.Sprint("c", i), Type: typ})
		}
		empty, err := store.NewTable(store.Definition{Name: "t", Columns: columns})
		if err != nil {
			t.Fatal(err)
		}
		app := empty.Append()
		batch := app.NewBatch()
		for _, row := range storetest.Table(t, types, 30) {
			for i := range row {
				row[i].S = strings.ReplaceAll(row[i].S, "\x00", "0") // which no text has
				if types[i] == algebra.TDate && rapid.IntRange(0, 20).Draw(t, "infinite") == 0 {
					row[i] = value.Value{Kind: value.Int, I: value.InfinityDate}
				}
				if types[i] == algebra.TTimestampTZ && rapid.IntRange(0, 20).Draw(t, "infinite") == 0 {
					row[i] = value.Value{Kind: value.Int, I: value.MinusInfinity}
				}
			}
			if err := batch.AppendRow(row); err != nil {
				t.Fatal(err)
			}
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
		rel, written := Exact(full, columns)
		if _, err := Write(ctx, machine, path, rel, written, nil, Settings{Threads: 1}); err != nil {
			t.Fatal(err)
		}
		again := empty.Append()
		if _, err := Load(ctx, machine, path, again, ordinals(len(types)), nil, Settings{Threads: 2}); err != nil {
			t.Fatal(err)
		}
		loaded, err := again.Finish()
		if err != nil {
			t.Fatal(err)
		}
		got, err := storetest.Rows(loaded, types)
		if err != nil {
			t.Fatal(err)
		}
		want, err := storetest.Rows(full, types)
		if err != nil || !reflect.DeepEqual(got, want) && fmt.Sprint(got) != fmt.Sprint(want) { // NaN is not equal to itself
			t.Fatalf("%v, got %v, want %v", err, got, want)
		}
	})
}

// ordinals are 0, 1, … n-1.
func ordinals(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// TestTextsOfFilesAreValues loads texts of a Parquet file into columns of other types,
// and ones that are no values of them or too long.
func TestTextsOfFilesAreValues(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.parquet")
	for _, c := range []struct {
		typ         algebra.Type
		text, where string
	}{
		{algebra.TInterval, "1 day 02:00:00", ""},
		{algebra.TArray(algebra.TInt32), "{1,NULL,2}", ""},
		{algebra.TNumeric, "1.500", ""},
		{algebra.TDate, "2024-02-29", ""},
		{algebra.TDate, "2024-02-30", `file "` + path + `", line 2, column c: "2024-02-30"`},
		{algebra.TInterval, "long", `file "` + path + `", line 2, column c: "long"`},
		{algebra.Type{Kind: algebra.Text, Length: 3}, "abcd", `file "` + path + `", line 2, column c: "abcd"`},
	} {
		texts, err := csvTable(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Write(ctx, machine, path, texts, texts.Columns(), nil, Settings{Threads: 1}); err != nil {
			t.Fatal(err)
		}
		target, err := store.NewTable(store.Definition{Name: "t", Columns: []store.Column{{Name: "c", Type: c.typ}}})
		if err != nil {
			t.Fatal(err)
		}
		n, err := Load(ctx, machine, path, target.Append(), []int{0}, nil, Settings{Threads: 1})
		if e, _ := err.(*value.Error); c.where == "" && (err != nil || n != 2) || c.where != "" && (e == nil || e.Where != c.where) {
			t.Errorf("%q as %v: %d rows, %+v", c.text, c.typ, n, err)
		}
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

// csvTable is a table with a column of texts: NULL and another one.
func csvTable(text string) (*store.Table, error) {
	empty, err := store.NewTable(store.Definition{Name: "t", Columns: []store.Column{{Name: "c", Type: algebra.TText}}})
	if err != nil {
		return nil, err
	}
	app := empty.Append()
	if _, err := LoadFrom(ctx, strings.NewReader("\\N\n"+text+"\n"), app, []int{0}, []csvfile.Option{}, Settings{Threads: 1}); err != nil {
		return nil, err
	}
	return app.Finish()
}
