package main

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
)

// TestBenchLatency asks every query with every constant and reads what it took.
func TestBenchLatency(t *testing.T) {
	db, err := cubeloom.Open(cubeloom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var out bytes.Buffer
	err = benchLatency(context.Background(), db, workload.SSB{SF: 0.001}, "cpu", 7, true, streams{out: &out, err: &bytes.Buffer{}})
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Queries []latencyRow }
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Queries) != len(latencyQueries()) {
		t.Fatalf("%d queries instead of %d", len(got.Queries), len(latencyQueries()))
	}
	for _, q := range got.Queries {
		for _, l := range []latency{q.First, q.Repeated, q.Changed} {
			if l.Total <= 0 || l.Planning <= 0 || l.Planning+l.Generation > l.Total {
				t.Errorf("%s: %+v", q.Name, l)
			}
		}
	}
}
