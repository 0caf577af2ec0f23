package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// TestBenchClients has clients ask beside cubes and reads what they got; an answer that is
// not the one that was expected ends the benchmark.
func TestBenchClients(t *testing.T) {
	db, err := cubeloom.Open(cubeloom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	f := clientsFlags{engineFlags: engineFlags{device: "cpu"}, clients: []int{1, 3}, time: 50 * time.Millisecond, cubes: 1000, asJSON: true}
	f.set.scale = 0.001
	var out bytes.Buffer
	if err := sqlstate.Run(func() { f.run(t.Context(), db, streams{out: &out, err: &bytes.Buffer{}}) }); err != nil {
		t.Fatal(err)
	}
	var got clientsBench
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Points) != 2 {
		t.Fatalf("%+v", got.Points)
	}
	for i, p := range got.Points {
		if p.Clients != f.clients[i] || p.Queries < p.Clients || p.Rate <= 0 || p.Median <= 0 || p.P99 < p.Median || p.Longest < p.P99 || p.Cubes == 0 {
			t.Errorf("%+v", p)
		}
	}
	asked := &askedQueries{db: db, device: "cpu", queries: workload.SSBQueries()}
	if err := sqlstate.Run(func() { asked.first(t.Context()) }); err != nil {
		t.Fatal(err)
	}
	asked.answers[0].Rows++
	if _, err := sqlstate.Try(func() *clientsRate { return asked.measure(t.Context(), 2, time.Second) }); err == nil || !strings.Contains(err.Error(), "beside others") {
		t.Errorf("a wrong answer gave %v", err)
	}
}
