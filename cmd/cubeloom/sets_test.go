package main

import (
	"io"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
)

// TestLoadSetKeepsTables loads a set twice into a data directory: the second time it finds its tables, unless
// they hold other rows, or some of them are gone.
func TestLoadSetKeepsTables(t *testing.T) {
	dir := t.TempDir()
	load := func(set workload.Set, seed uint64, statement string) error {
		db, err := cubeloom.Open(cubeloom.Options{DataDir: dir})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if _, err := db.Session().Query(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
		return loadSet(t.Context(), db, set, seed, io.Discard)
	}
	set := workload.SSB{SF: 0.001}
	for _, step := range []struct {
		set       workload.Set
		seed      uint64
		statement string // before
		want      string // what the error has; "": there is none
	}{
		{set, 1, "SELECT 1", ""},
		{set, 1, "DELETE FROM date", ""}, // rows would be there again if they were generated
		{set, 1, "SELECT 1 / (count(*) = 0)::integer FROM date", ""},
		{set, 2, "SELECT 1", "holds other rows"},
		{workload.SSB{SF: 0.002}, 1, "SELECT 1", "holds other rows"},
		{set, 1, "DROP TABLE part", "only 4 of the 5 tables"},
	} {
		err := load(step.set, step.seed, step.statement)
		if step.want == "" && err != nil || step.want != "" && (err == nil || !strings.Contains(err.Error(), step.want)) {
			t.Errorf("%+v of seed %d after %s: %v, want %q", step.set, step.seed, step.statement, err, step.want)
		}
	}
}
