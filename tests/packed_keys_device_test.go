//go:build device

package tests

import (
	"testing"

	"github.com/cubeloom/cubeloom/tests/reference"
)

// TestGrowingDictionariesOnDevice is checkGrowing of groups by hashing on a device.
func TestGrowingDictionariesOnDevice(t *testing.T) {
	t.Parallel()
	db := openDeviceEngine(t)
	mustRun(t, &db.engine, "SET aggregate_strategy = hash")
	checkGrowing(t, func(sql string) *reference.Result {
		t.Helper()
		res, err := db.Query(t.Context(), sql)
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		return res
	}, runner(t, &engine{db.db, db.db.Session()}))
	db.log(t)
	if db.onDevice == 0 {
		t.Error("nothing ran on the device")
	}
}
