package cubeloom_test

import (
	"context"
	"testing"
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
