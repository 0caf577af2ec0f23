package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/spaces"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/tests/device"
)

// clockedDB is a database on a device that computes nothing, whose launches over rows take a
// picosecond a row and thread of a block. They are told to seen.
func clockedDB(t *testing.T, seen func()) *cubeloom.DB {
	t.Helper()
	clocked := &device.Clocked{Null: device.Null{Bandwidth: 1e9}, Cost: func(entry string, rows int64, l *cuda.Launch) int64 {
		if !strings.Contains(entry, "aggregate") {
			return 1000
		}
		seen()
		return 1000 + rows*int64(l.Threads)/1000
	}}
	db, err := cubeloom.Open(cubeloom.Options{Devices: 1, OpenDevice: func(int) (cuda.Device, error) { return clocked, nil }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// groupLoads are tables of a million rows with some numbers of groups.
func groupLoads(t *testing.T, from, most, step int64) []load {
	t.Helper()
	loads, err := (&setFlags{rows: 1 << 20, fewest: from, card: most, step: step, seed: 1}).loads("groupby")
	if err != nil {
		t.Fatal(err)
	}
	return loads
}

// TestRecordOnADevice records every configuration of the strategies of a device.
func TestRecordOnADevice(t *testing.T) {
	var said bytes.Buffer
	file := filepath.Join(t.TempDir(), "spaces.json")
	db := clockedDB(t, func() {})
	flags := recordFlags{file: file, blocks: spaces.GiveUpAfter}
	if err := sqlstate.Run(func() { flags.run(t.Context(), db, "cuda", groupLoads(t, 16, 1<<20, 1<<16), streams{err: &said}) }); err != nil {
		t.Fatal(err)
	}
	made, err := spaces.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(made.Spaces) != 2 || made.Device != "null" {
		t.Fatalf("recorded %d spaces of %s", len(made.Spaces), made.Device)
	}
	for i := range made.Spaces {
		s := &made.Spaces[i]
		if len(s.Parts) != len(deviceSpaces) || s.Planned.Taken == "" || len(s.Planned.Times) != queryBlocks {
			t.Errorf("%s has %d strategies, planned %+v", s.Name, len(s.Parts), s.Planned)
		}
		for k := range s.Parts {
			if p := &s.Parts[k]; p.Refusal == "" && k > 0 && s.Parts[k-1].Size() > p.Size() {
				t.Errorf("%s: %s with %d configurations is measured after %s with more", s.Name, p.Strategy, p.Size(), s.Parts[k-1].Strategy)
			}
			if !strings.Contains(said.String(), s.Name+", "+s.Parts[k].Strategy+": ") {
				t.Errorf("%s, %s is not said to be done", s.Name, s.Parts[k].Strategy)
			}
		}
	}
	report := spaces.NewReport([]*spaces.Recording{made})
	for _, b := range report.Planned {
		if !strings.Contains(b.Fastest.Configuration, "threads 32") || b.Milliseconds < 2*b.Fastest.Milliseconds {
			t.Errorf("blocks of 32 threads take least, and the report has %+v", b)
		}
	}
	if len(report.Planned) != 2 {
		t.Errorf("the report has %d spaces as planned", len(report.Planned))
	}
}

// TestRecordUntilItIsLate has the time end while strategies are measured.
func TestRecordUntilItIsLate(t *testing.T) {
	file := filepath.Join(t.TempDir(), "spaces.json")
	r := &recorder{device: "cuda", blocks: spaces.GiveUpAfter, file: file}
	launches := 0
	db := clockedDB(t, func() {
		if launches++; launches == 1500 {
			r.until = time.Now()
		}
	})
	if err := sqlstate.Run(func() { r.record(t.Context(), db, groupLoads(t, 16, 1<<20, 1<<16), streams{err: io.Discard}) }); err != nil {
		t.Fatal(err)
	}
	made, err := spaces.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	measured, late := 0, 0
	for _, p := range made.Spaces[0].Parts {
		if p.Refusal == "" {
			measured++
		} else if p.Refusal == errLate.Error() {
			late++
		}
	}
	if report := spaces.NewReport([]*spaces.Recording{made}); len(report.Planned) > 0 {
		t.Errorf("what is planned stands beside the fastest of some strategies: %+v", report.Planned)
	}
	if len(made.Spaces) != 1 || measured == 0 || late == 0 {
		t.Errorf("%d spaces, of the first %d strategies measured, %d too late", len(made.Spaces), measured, late)
	}
}

// interrupting keeps what is written, and calls stop after some text.
type interrupting struct {
	bytes.Buffer
	after string
	stop  func()
}

func (w *interrupting) Write(text []byte) (int, error) {
	if bytes.Contains(text, []byte(w.after)) {
		w.stop()
	}
	return w.Buffer.Write(text)
}

// TestLiveIsInterrupted has what was measured before an interruption be reported.
func TestLiveIsInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	said, out := &interrupting{after: "tuning on, kernels", stop: stop}, bytes.Buffer{}
	b, err := runLive(ctx, clockedDB(t, func() {}), "cuda", groupLoads(t, 16, 64, 4), streams{err: said})
	if !errors.Is(err, context.Canceled) || b == nil || len(b.Points) != 1 || len(b.Points[0].Repeats) != 1 || b.Points[0].Usual == 0 || b.Points[0].Tuned != 0 {
		t.Fatalf("interrupted: %v, measured %+v", err, b)
	}
	if b.print(&out); !strings.Contains(out.String(), "–") || strings.Count(said.String(), "tuning on, kernels") != 1 {
		t.Errorf("it said\n%s and wrote\n%s", said.String(), out.String())
	}
}
