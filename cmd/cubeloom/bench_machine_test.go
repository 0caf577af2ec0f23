package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/cubeloom/cubeloom/runtime/machine"
)

// TestBenchMachine measures the figures, writes them, and reads them at the next start.
func TestBenchMachine(t *testing.T) {
	before := machine.Current().Host
	t.Cleanup(func() {
		if err := machine.Calibrate(t.TempDir()); err != nil {
			t.Error(err)
		}
	})
	dir := t.TempDir()
	run := func(args ...string) []byte {
		t.Helper()
		var out bytes.Buffer
		cmd := newRoot()
		cmd.SetArgs(args)
		cmd.SetOut(&out)
		cmd.SetErr(&bytes.Buffer{})
		if err := cmd.Execute(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	var made []machine.Calibration
	if err := json.Unmarshal(run("bench", "machine", "--rows", "100000", "--runs", "2", "--machine", dir, "--write", dir, "--json"), &made); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) != 1 || len(made) != 1 || made[0].Figures["Host.Compared"] <= 0 {
		t.Fatalf("made %+v, wrote %v, %v", made, files, err)
	}
	if machine.Current().Host != before {
		t.Errorf("figures are taken before the next start")
	}
	run("sql", "--machine", dir, "-c", "SELECT 1")
	if got := machine.Current().Host.Compared; got != made[0].Figures["Host.Compared"] {
		t.Errorf("a sorted row takes %v, want %v", got, made[0].Figures["Host.Hashed"])
	}
}
