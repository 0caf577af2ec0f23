package main

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// TestBenchLatency asks every query with every constant and reads what it took.
func TestBenchLatency(t *testing.T) {
	db, err := cubeloom.Open(cubeloom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var out bytes.Buffer
	flags := benchFlags{engineFlags: engineFlags{device: "cpu"}, runs: 7, asJSON: true}
	err = sqlstate.Run(func() {
		flags.latency(context.Background(), db, workload.SSB{SF: 0.001}, streams{out: &out, err: &bytes.Buffer{}})
	})
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
		if q.First.Planning <= 0 { // later its plan may be there
			t.Errorf("%s: %+v", q.Name, q.First)
		}
		for _, l := range []latency{q.First, q.Repeated, q.Changed} {
			if l.Total <= 0 || l.Planning < 0 || l.Planning+l.Generation > l.Total {
				t.Errorf("%s: %+v", q.Name, l)
			}
		}
	}
}
