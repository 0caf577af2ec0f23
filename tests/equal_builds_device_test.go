//go:build device

package tests

import (
	"flag"
	"testing"

	"github.com/cubeloom/cubeloom/tests/device"
	"github.com/cubeloom/cubeloom/tests/reference"
)

var lookups = flag.Int("lookups.queries", 6, "number of random queries over equal hash tables that the device answers beside the CPU")

// TestDeviceEqualBuilds has probes of several joins look into one hash table on the device, also of one
// kernel, and compares with the CPU, which looks into tables with equal rows.
func TestDeviceEqualBuilds(t *testing.T) {
	t.Parallel()
	db := openDeviceEngine(t)
	host := &engine{db.db, db.db.Session()}
	for _, sql := range append([]string{"SET device = cpu"}, lookupTables()...) {
		if _, err := host.Query(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	rng := device.Draw(t.Name())
	for range *lookups {
		query := lookupQuery(rng)
		want, err := host.Query(t.Context(), tablesOf(query, true))
		if err != nil {
			t.Fatalf("%s\n%v", query, err)
		}
		got, err := db.Query(t.Context(), tablesOf(query, false))
		if err != nil {
			t.Errorf("%s\n%v", query, err)
			continue
		}
		if err := reference.Compare(got, want, false); err != nil {
			t.Errorf("%s\n%v", tablesOf(query, false), err)
		}
	}
	if db.log(t); db.onDevice == 0 {
		t.Error("nothing ran on the device")
	}
}
