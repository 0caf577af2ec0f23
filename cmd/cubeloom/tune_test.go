package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/runtime/machine"
)

// tuned runs a command and returns what it writes.
func tuned(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	cmd := newRoot()
	cmd.SetArgs(args)
	cmd.SetOut(&out)
	cmd.SetErr(&bytes.Buffer{})
	err := cmd.Execute()
	return out.String(), err
}

// TestTuneRecoversFromAWrongFile begins with the figures of another machine, on which vectors
// of three rows would be the best.
func TestTuneRecoversFromAWrongFile(t *testing.T) {
	t.Cleanup(func() {
		if err := machine.Calibrate(t.TempDir()); err != nil {
			t.Error(err)
		}
	})
	dir := t.TempDir()
	wrong := &machine.Calibration{Device: machine.HostName(), Source: "another machine", Figures: map[string]float64{
		"Host.Hashed": 7.5, "Host.Caches.VectorRows": 3, "Host.Caches.MorselVectors": 1,
	}}
	if _, err := wrong.Write(dir); err != nil {
		t.Fatal(err)
	}
	args := []string{"tune", "--machine", dir, "--rows", "100000", "--runs", "3", "--only", "vectors"}
	if out, err := tuned(t, append(args, "--dry-run")...); err != nil || !strings.Contains(out, "Host.Caches.VectorRows") {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := machine.Current().Host.Caches.VectorRows; got != 3 {
		t.Fatalf("a dry run leaves vectors of %d rows", got)
	}
	if out, err := tuned(t, args...); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v, %v", files, err)
	}
	if err := machine.Calibrate(dir); err != nil {
		t.Fatal(err)
	}
	found := machine.Current()
	if found.Host.Caches.VectorRows < 100 || found.Host.Hashed != 7.5 {
		t.Errorf("found vectors of %d rows; Hashed, which nobody tuned, is %v", found.Host.Caches.VectorRows, found.Host.Hashed)
	}
	list := machine.HostTuned()
	if len(list) != 1 || list[0].Gain < 1.5 || list[0].Blocks < 6 || list[0].Figures["Host.Caches.VectorRows"] != float64(found.Host.Caches.VectorRows) {
		t.Errorf("the file says %+v", list)
	}
	out, err := tuned(t, "sql", "--machine", dir, "--format", "csv", "-c", "EXPLAIN (FUSION) SELECT count(*) FROM generate_series(1, 10)", "-c", "SHOW vector_rows")
	for _, want := range []string{"tuned on this machine", "vectors: MorselVectors ", " blocks, "} {
		if err != nil || !strings.Contains(out, want) {
			t.Fatalf("EXPLAIN does not say %q: %v\n%s", want, err, out)
		}
	}
}

func TestTuneRefuses(t *testing.T) {
	for want, args := range map[string][]string{
		`there is no "speed"`:    {"--only", "speed"},
		"--rows must be":         {"--rows", "3"},
		"--runs must be":         {"--runs", "0"},
		"--machine names no fol": {"--machine", ""},
	} {
		if _, err := tuned(t, append([]string{"tune"}, args...)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", args, err, want)
		}
	}
}
