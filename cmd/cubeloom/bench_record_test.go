package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/spaces"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// TestRecordedSpacesAreEvaluated records small spaces and has searches run over them.
func TestRecordedSpacesAreEvaluated(t *testing.T) {
	before := machine.Current().Host
	file := filepath.Join(t.TempDir(), "spaces.json")
	if _, err := tuned(t, "bench", "groupby", "--device", "cpu", "--machine", "", "--rows", "3000", "--from", "4", "--groups", "16", "--record", file, "--record-blocks", "3"); err != nil {
		t.Fatal(err)
	}
	if machine.Current().Host != before {
		t.Error("the figures that were tried last still hold")
	}
	out, err := tuned(t, "bench", "tuning", file, "--json")
	if err != nil {
		t.Fatal(err)
	}
	var report spaces.Report
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	if report.Spaces != 6 || len(report.Best) != 6 || len(report.Searches) != 2 || report.Searches[1].Each.Spaces != 6 || report.Searches[1].Together.Spaces != 2 {
		t.Errorf("the report has %+v", report)
	}
	if out, err = tuned(t, "bench", "tuning", file); err != nil || !strings.Contains(out, "s = 0.06, p = 1.07, all together") {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err = tuned(t, "bench", "tuning", file, "--draw", "groups_4/dense"); err != nil || strings.Count(out, "Host.Caches.TableBytes") != 5 || !strings.Contains(out, "1.00") {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err = tuned(t, "bench", "tuning", file, "--draw", "groups_4/none"); err == nil || !strings.Contains(err.Error(), "no file has measured") {
		t.Errorf("%v", err)
	}
}
