package cubeloom_test

import (
	"context"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/array"
)

// TestRecordsWithoutRows reads what statements without rows give, as Arrow.
func TestRecordsWithoutRows(t *testing.T) {
	_, s, _ := twoSessions(t)
	for _, text := range []string{"CREATE TABLE v (n integer)", "INSERT INTO v VALUES (1)", "SET threads = 1"} {
		res, err := s.Query(context.Background(), text)
		if err != nil {
			t.Fatal(err)
		}
		records, err := res.Records()
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if res.HasRows() || records.Next() || records.Schema().NumFields() > 0 {
			t.Errorf("%s gives rows", text)
		}
		records.Release()
	}
}

// TestRecordsAhead reads some of many records, and all of them, in order.
func TestRecordsAhead(t *testing.T) {
	_, s, _ := twoSessions(t)
	run(t, s, "SET vector_rows = 16")
	res, err := s.Query(context.Background(), "SELECT g, g / 8.0::float8, 'text' || g FROM generate_series(1, 300000) AS x(g)")
	if err != nil {
		t.Fatal(err)
	}
	for _, most := range []int64{1, 100_000, 300_000} {
		records, err := res.Records()
		if err != nil {
			t.Fatal(err)
		}
		rows := int64(0)
		for rows < most && records.Next() {
			column := records.Record().Column(0).(*array.Int32)
			for i := range column.Len() {
				if rows++; int64(column.Value(i)) != rows {
					t.Fatalf("row %d is %d", rows, column.Value(i))
				}
			}
		}
		if rows < most || most == 300_000 && records.Next() || records.Err() != nil {
			t.Errorf("%d rows of %d, %v", rows, most, records.Err())
		}
		records.Release()
	}
}

// TestSetSeedRepeats holds that random() gives the same values behind setseed().
func TestSetSeedRepeats(t *testing.T) {
	_, s, _ := twoSessions(t)
	draw := func() string {
		run(t, s, "SELECT setseed(0.25)")
		res, err := s.Query(context.Background(), "SELECT random(), random()")
		if err != nil {
			t.Fatal(err)
		}
		cur := res.Cursor()
		cur.Next()
		if cur.Text(0) == cur.Text(1) {
			t.Errorf("two calls give %s", cur.Text(0))
		}
		return cur.Text(0) + " " + cur.Text(1)
	}
	if first, again := draw(), draw(); first != again {
		t.Errorf("%s became %s", first, again)
	}
}
