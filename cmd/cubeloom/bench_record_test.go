package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/spaces"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// TestModelledSpacesAreEvaluated holds the searches that go on while queries run to what Rosenfeld
// 2019, section 4.2, reports of measured times, on computed ones.
func TestModelledSpacesAreEvaluated(t *testing.T) {
	for _, seed := range []string{"1", "2", "3"} {
		out, err := tuned(t, "bench", "tuning", "--model", "--seed", seed, "--json")
		if err != nil {
			t.Fatal(err)
		}
		var report spaces.Report
		if err := json.Unmarshal([]byte(out), &report); err != nil {
			t.Fatal(err)
		}
		s := report.Searches[2].Each
		if report.Spaces < 100 || s.Effort > 0.0105 || s.Cost > 54 || s.Worst > 1.29 || s.Within < 0.87 || s.Overhead > 0.076 {
			t.Errorf("seed %s: %d spaces, searches %+v", seed, report.Spaces, s)
		}
	}
	if _, err := tuned(t, "bench", "tuning"); err == nil || !strings.Contains(err.Error(), "--model") {
		t.Errorf("without files: %v", err)
	}
}

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
	if report.Spaces != 6 || len(report.Best) != 6 || len(report.Searches) != 3 || report.Searches[1].Each.Spaces != 6 || report.Searches[1].Together.Spaces != 2 {
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
