package cubeloom_test

import (
	"context"
	"errors"
	"testing"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/sql/value"
)

// TestErrorsOfDefaultsHaveNoPlace has defaults fail, which are in no text that a client
// has sent.
func TestErrorsOfDefaultsHaveNoPlace(t *testing.T) {
	db, err := cubeloom.Open(cubeloom.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s := db.Session()
	run(t, s, "CREATE TABLE t (a int, q int DEFAULT 1 / 0)")
	run(t, s, "CREATE TABLE u (a int, v varchar(2) DEFAULT 'abc')")
	for text, want := range map[string]string{"INSERT INTO t (a) VALUES (1)": "22012", "INSERT INTO u (a) VALUES (1)": "22001", "INSERT INTO u (a, v) VALUES (1, 'x'), (2, DEFAULT)": "22001"} {
		_, err := s.Query(context.Background(), text)
		var e *cubeloom.Error
		if !errors.As(err, &e) || e.Code != want || e.Pos != value.NoPos {
			t.Errorf("%s: %+v", text, err)
		}
	}
}
