package main

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// TestBenchCube sets the cubes of four and six dimensions beside their finest cuboids.
func TestBenchCube(t *testing.T) {
	for _, asJSON := range []bool{true, false} {
		cmd := newBenchKind("cube", "cubes")
		var out strings.Builder
		cmd.SetOut(&out)
		cmd.SetErr(io.Discard)
		args := []string{"--device", "cpu", "--rows", "500", "--runs", "1"}
		if asJSON {
			args = append(args, "--json")
		}
		cmd.SetArgs(args)
		if err := cmd.Execute(); err != nil {
			t.Fatal(err)
		}
		if !asJSON {
			if !strings.Contains(out.String(), "\ncube6: query ") || !strings.Contains(out.String(), "of its finest cuboid alone\n") {
				t.Errorf("the cuboids are missing:\n%s", out.String())
			}
			continue
		}
		var got benchmark
		if err := json.Unmarshal([]byte(out.String()), &got); err != nil {
			t.Fatal(err)
		}
		if len(got.Cuboids) != 2 {
			t.Fatalf("%d cubes stand beside their finest cuboids", len(got.Cuboids))
		}
		for _, c := range got.Cuboids {
			if c.Query <= 0 || c.Finest <= 0 {
				t.Errorf("%+v", c)
			}
		}
	}
}
