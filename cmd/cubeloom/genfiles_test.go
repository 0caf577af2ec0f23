package main

import (
	"context"
	"fmt"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/cubeloom/cubeloom"
)

// TestAlternatingTables holds that the files are whole where the batches of
// tables alternate.
func TestAlternatingTables(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{{Name: "n", Type: arrow.PrimitiveTypes.Int32}}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	b.Field(0).(*array.Int32Builder).AppendValues([]int32{1, 2, 3}, nil)
	rec := b.NewRecord()
	defer rec.Release()
	dir := t.TempDir()
	files := &tableFiles{dir: dir, format: "parquet", open: make(map[string]*tableFile)}
	for range 4 {
		for _, table := range []string{"orders", "lineitem"} {
			if err := files.write(table, rec); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := files.close(true); err != nil {
		t.Fatal(err)
	}
	db, err := cubeloom.Open(cubeloom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, table := range []string{"orders", "lineitem"} {
		res, err := db.Session().Query(context.Background(), fmt.Sprintf("SELECT count(*) FROM '%s/%s.parquet'", dir, table))
		if err != nil {
			t.Fatal(err)
		}
		if cur := res.Cursor(); !cur.Next() || cur.Text(0) != "12" {
			t.Errorf("%s has %s rows, want 12", table, cur.Text(0))
		}
	}
}
