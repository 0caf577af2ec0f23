package tests

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cubeloom/cubeloom/tests/share"
	"github.com/cubeloom/cubeloom/tests/slt"
)

// sltFiles lists the files of SQL statements with their results.
func sltFiles(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("testdata/slt/*.slt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files in testdata/slt: %v", err)
	}
	return paths
}

// TestFiles runs every file under every configuration; of these a share, where one is asked for.
func TestFiles(t *testing.T) {
	for _, c := range configurations() {
		t.Run(c.String(), func(t *testing.T) {
			for _, path := range sltFiles(t) {
				if !slices.Contains(share.Some(t, path, configurations()), c) {
					continue
				}
				file, err := slt.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				t.Run(filepath.Base(path), func(t *testing.T) {
					db := openEngine(t)
					db.configure(t, c)
					file.Check(context.Background(), db, true, func(message string) { t.Error(message) })
				})
			}
		})
	}
}
