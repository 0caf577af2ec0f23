package tests

import (
	"context"
	"sync"
	"testing"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/tests/device"
)

// askAll has a client ask queries in turn, from one of them on, each of which is to run on the device.
func askAll(t *testing.T, s *cubeloom.Session, queries []workload.Query, from int) {
	for i := range queries {
		q := queries[(from+i)%len(queries)]
		res, err := s.Query(context.Background(), q.SQL)
		if err != nil {
			t.Errorf("%s: %v", q.Name, err)
			return
		}
		for i, place := range res.Stats.Places {
			if name := place.Backend.Name(); name != "cuda" {
				t.Errorf("step %d of %s ran on %s", i, q.Name, name)
			}
		}
		res.Close()
	}
}

// Clients whose kernels take no time use all that they share on the host at the same time. Afterwards queries
// ask as much of the device as before, and none of them needs memory that is not there.
func TestClientsOfANullDevice(t *testing.T) {
	const clients, rounds = 32, 3
	null := &device.Null{}
	db := openDatabase(t, cubeloom.Options{Device: "cuda", Devices: 1, OpenDevice: func(int) (cuda.Device, error) { return null, nil }})
	first := &engine{db, db.Session()}
	first.load(t, workload.SSB{SF: 0.01})
	queries := workload.SSBQueries()
	alone := func() [4]int64 {
		null.Reset()
		askAll(t, first.session, queries, 0)
		return [...]int64{null.Launches.Load(), null.Fills.Load(), null.Downloads.Load(), null.Uploads.Load()}
	}
	for range 3 { // what is compiled, what is kept once that is so, and constants that stay
		alone()
	}
	before := alone()
	var group sync.WaitGroup
	for c := range clients {
		group.Go(func() {
			s := db.Session()
			for range rounds {
				askAll(t, s, queries, c)
			}
		})
	}
	group.Wait()
	if after := alone(); after != before || null.Allocs.Load() > 0 {
		t.Errorf("%d launches, fills, downloads and uploads instead of %d, %d allocations", after, before, null.Allocs.Load())
	}
}
