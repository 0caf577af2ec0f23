//go:build reference

package tests

import (
	"context"
	"flag"
	"os"
	"testing"

	"github.com/cubeloom/cubeloom/tests/reference"
	"github.com/cubeloom/cubeloom/tests/slt"
)

var update = flag.Bool("update", false, "record what PostgreSQL gives in testdata/slt")

// startPostgres starts a server for the time of a test.
func startPostgres(t *testing.T) *reference.Postgres {
	t.Helper()
	db, err := reference.StartPostgres(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// TestFilesAgreeWithPostgres holds that the expected results are PostgreSQL's;
// with -update it records them.
func TestFilesAgreeWithPostgres(t *testing.T) {
	ctx, db := context.Background(), startPostgres(t)
	for _, path := range sltFiles(t) {
		if err := db.Exec(ctx, "DROP SCHEMA public CASCADE; CREATE SCHEMA public"); err != nil {
			t.Fatal(err)
		}
		file, err := slt.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !*update {
			file.Check(ctx, db, false, func(message string) { t.Error(message) })
			continue
		}
		if err := file.Record(ctx, db); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(file.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
