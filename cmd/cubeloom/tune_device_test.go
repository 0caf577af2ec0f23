package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// TestTuneADevice has a device on which blocks of 32 threads are the fastest be tuned. Its file then holds that, and
// the next start takes it, with tables as small as these.
func TestTuneADevice(t *testing.T) {
	dir := t.TempDir()
	t.Cleanup(func() { _ = machine.Calibrate(t.TempDir()) })
	if err := machine.Calibrate(dir); err != nil {
		t.Fatal(err)
	}
	const rows = 1 << 17
	var points []load
	for _, p := range devicePoints(rows) {
		if strings.HasSuffix(p.queries[0].Name, " 2048") {
			points = append(points, p)
		}
	}
	var out bytes.Buffer
	tuner := &deviceTuner{points: points, runs: 3, folder: dir, db: clockedDB(t, func() {}), log: io.Discard}
	if err := sqlstate.Run(func() { tuner.all(t.Context(), &out) }); err != nil {
		t.Fatal(err)
	}

	if len(points) != 3 || strings.Count(out.String(), "  kept: ") != 3 {
		t.Fatalf("it found\n%s", out.String())
	}
	if err := machine.Calibrate(dir); err != nil { // as at the next start
		t.Fatal(err)
	}
	next := &deviceTuner{db: clockedDB(t, func() {})}
	session, err := configured(t.Context(), next.db, "on", "cuda")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range points {
		if err := loadSet(t.Context(), next.db, p.set, p.seed, io.Discard); err != nil {
			t.Fatal(err)
		}
		p1 := &tunedPoint{Query: p.queries[0].Name}
		if err := sqlstate.Run(func() { next.awaitFound(t, session, p.queries[0].SQL) }); err != nil {
			t.Fatal(err)
		}
		next.runs = 3
		if err := sqlstate.Run(func() { next.confirm(t.Context(), session, p.queries[0].SQL, p1) }); err != nil {
			t.Fatal(err)
		}
		if p1.Planned < 2*p1.Tuned {
			t.Errorf("%s: planned %.3f ms, tuned %.3f", p1.Query, p1.Planned, p1.Tuned)
		}
	}
}

// awaitFound runs a query until it runs as was found, which is compiled behind it.
func (t *deviceTuner) awaitFound(tb testing.TB, session *cubeloom.Session, text string) {
	planned, _ := kernelTime(t.kernels(tb.Context(), session, text, "off"))
	for until := time.Now().Add(10 * time.Second); time.Now().Before(until); time.Sleep(time.Millisecond) {
		if tuned, _ := kernelTime(t.kernels(tb.Context(), session, text, "on")); 2*tuned <= planned {
			return
		}
	}
}
