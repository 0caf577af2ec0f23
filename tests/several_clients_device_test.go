//go:build device

package tests

import (
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/tests/device"
)

// twoDevices opens two devices whose launches are told by their ordinals, before they begin.
func twoDevices(t *testing.T, launched func(ordinal int) error) func(ordinal int) (cuda.Device, error) {
	open := device.OpenerOf(t, device.Limits{Devices: 2})
	return func(ordinal int) (cuda.Device, error) {
		d, err := open(ordinal)
		if err != nil {
			return nil, err
		}
		return device.Around{Device: d, Stream: func(s cuda.Stream) cuda.Stream {
			return refusing{s, func() error { return launched(ordinal) }}
		}}, nil
	}
}

// Queries too small to be shared run on one device each: those of one client on the first, those of several
// clients on both, with the CPU's answers.
func TestClientsShareTwoDevices(t *testing.T) {
	var launches [2]atomic.Int64
	db, want := clientTables(t, twoDevices(t, func(ordinal int) error {
		launches[ordinal].Add(1)
		return nil
	}))
	ask := func(s *cubeloom.Session, at int) {
		res, got, err := clientAnswer(t.Context(), s, clientQueries[at])
		if err != nil || got != want[at] || !strings.Contains(ranOn(res), "cuda") {
			t.Errorf("%s\ngives\n%s\ninstead of\n%s\n%v", clientQueries[at], got, want[at], err)
		}
	}
	for at := range clientQueries {
		ask(db.Session(), at)
	}
	if launches[0].Load() == 0 || launches[1].Load() != 0 {
		t.Errorf("one client: %d launches on the first device, %d on the second", launches[0].Load(), launches[1].Load())
	}
	var clients sync.WaitGroup
	for c := range 4 {
		clients.Go(func() {
			s, random := db.Session(), rand.New(rand.NewPCG(uint64(c), 5))
			for range 12 {
				ask(s, random.IntN(len(clientQueries)))
			}
		})
	}
	clients.Wait()
	if launches[1].Load() == 0 {
		t.Error("four clients: no launch on the second device")
	}
}

// A query that runs on one of two devices goes on with the other when its own is lost: the answer is right, and a
// warning says so; the next query runs there, and warns no more.
func TestTheOnlyDeviceOfAQueryIsLost(t *testing.T) {
	for at := range 2 {
		left := 1 << 40 // launches of the first device that still work
		db, want := clientTables(t, twoDevices(t, func(ordinal int) error {
			if left--; ordinal == 0 && left < 0 {
				return cuda.ErrLost
			}
			return nil
		}))
		s := db.Session()
		const which = 3 // a join
		query(t, s, clientQueries[which])
		left = at
		for again := range 2 {
			res, got, err := clientAnswer(t.Context(), s, clientQueries[which])
			if err != nil {
				t.Fatal(err)
			}
			warned := len(res.Notices) == 1 && res.Notices[0].Severity == "WARNING" && strings.Contains(res.Notices[0].Message, "go on on the others")
			if got != want[which] || warned != (again == 0) || strings.Contains(ranOn(res), "cpu") {
				t.Errorf("lost at launch %d, query %d on %s, notices %v:\n%s\ninstead of\n%s", at, again, ranOn(res), res.Notices, got, want[which])
			}
		}
	}
}

// Tables that every device makes of few rows are waited for together, once on each device.
func TestTablesOfDevicesAreAwaitedTogether(t *testing.T) {
	var waits atomic.Int64
	open := device.OpenerOf(t, device.Limits{Devices: 2})
	db, _ := clientTables(t, func(ordinal int) (cuda.Device, error) {
		d, err := open(ordinal)
		return device.Around{Device: d, Stream: func(s cuda.Stream) cuda.Stream { return countedStream{s, &waits} }}, err
	})
	s := db.Session()
	query(t, s, "SET devices = 2")
	query(t, s, "SET tuning = off") // runs that are timed wait for each kernel
	waitsOf := func(text string) int64 {
		compareSeveral(t, s, text)
		waits.Store(0)
		query(t, s, text)
		return waits.Load()
	}
	without := waitsOf("SELECT count(*), sum(f.long) FROM facts f WHERE f.i % 10 > 4")
	with := waitsOf("SELECT count(*), sum(f.long) FROM facts f JOIN names n ON n.g = f.g JOIN names m ON m.g = f.h % 12 AND m.g < 11 WHERE f.i % 10 > n.g AND f.i % 11 > m.g")
	if with > without+2 {
		t.Errorf("%d waits with two tables, %d without", with, without)
	}
}
