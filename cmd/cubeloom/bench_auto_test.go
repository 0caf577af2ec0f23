package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestBenchAuto times auto beside the CPU, on a machine with or without a device.
func TestBenchAuto(t *testing.T) {
	cmd := exec.Command(os.Args[0], "bench", "auto", "--beside", "cpu", "--ssb", "0.001", "--tpch", "0", "--cube", "1000",
		"--runs", "1", "--cold-time", "1ms", "--warm", "1ms", "--time", "1ms", "--machine", "", "--data", t.TempDir(), "--json")
	cmd.Env = append(os.Environ(), asProgram+"=1")
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	b := &autoBench{}
	if err := json.Unmarshal(out, b); err != nil {
		t.Fatal(err)
	}
	rows := make(map[string]int)
	for _, c := range b.Cells {
		rows[c.Data+" "+c.Process]++
		if len(c.Times) != 2 || c.Times["cpu"] <= 0 || c.Times["auto"] <= 0 {
			t.Errorf("%+v", c)
		}
	}
	for _, set := range []struct {
		name, sources string
		queries       int
	}{{"ssb 0.001", "stored parquet csv", 2}, {"cube 1000", "stored parquet", 1}} {
		for _, source := range strings.Fields(set.sources) {
			processes := []string{"first", "again"}
			if source == "stored" {
				processes = append(processes, "hot", "four clients")
			}
			for _, process := range processes {
				name := set.name + " " + source + " " + process
				if rows[name] != set.queries {
					t.Errorf("%s has %d rows, want %d", name, rows[name], set.queries)
				}
				delete(rows, name)
			}
		}
	}
	if len(rows) > 0 {
		t.Errorf("there are %v besides", rows)
	}
}
