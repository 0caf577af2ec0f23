package main

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// TestBenchCubing computes points of two series in all ways of the CPU.
func TestBenchCubing(t *testing.T) {
	for _, asJSON := range []bool{true, false} {
		cmd := newBenchCubing()
		var out strings.Builder
		cmd.SetOut(&out)
		cmd.SetErr(io.Discard)
		args := []string{"--device", "cpu", "--rows", "300", "--runs", "1", "--series", "M,S"}
		if asJSON {
			args = append(args, "--json")
		}
		cmd.SetArgs(args)
		if err := cmd.Execute(); err != nil {
			t.Fatal(err)
		}
		if !asJSON {
			if !strings.Contains(out.String(), "better strategy on ") || !strings.Contains(out.String(), "S=2.5") {
				t.Errorf("points are missing:\n%s", out.String())
			}
			continue
		}
		var got cubingBench
		if err := json.Unmarshal([]byte(out.String()), &got); err != nil {
			t.Fatal(err)
		}
		if len(got.Points) != 6+2*7 {
			t.Errorf("%d points", len(got.Points))
		}
		for i := range got.Points {
			p := &got.Points[i]
			if len(p.Times) != 3 || p.Auto["cpu"] == "" || p.Times["BUC"].Query <= 0 || p.Taken == "" {
				t.Errorf("%+v", p)
			}
		}
	}
}

// TestBenchCubingRefuses names ways and series that there are not.
func TestBenchCubingRefuses(t *testing.T) {
	for _, args := range [][]string{{"--ways", "sorted"}, {"--series", "Z"}, {"--rows", "0"}} {
		cmd := newBenchCubing()
		cmd.SetOut(io.Discard)
		cmd.SetErr(io.Discard)
		cmd.SetArgs(args)
		if err := cmd.Execute(); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}
