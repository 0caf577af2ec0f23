package tests

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/tpch"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/tests/device"
)

// openNull opens a database on a device that does nothing, with tables.
func openNull(tb testing.TB, set workload.Set) (*device.Null, *cubeloom.Session) {
	tb.Helper()
	null := &device.Null{}
	db, err := cubeloom.Open(cubeloom.Options{Device: "cuda", Devices: 1, OpenDevice: func(int) (cuda.Device, error) { return null, nil }})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := db.Close(); err != nil {
			tb.Error(err)
		}
	})
	e := &engine{db, db.Session()}
	e.load(tb, set)
	return null, e.session
}

// TestPreparedKernels compiles each kernel of a query once: what is compiled
// before the query runs is what it needs, and a query that is repeated, with
// other constants too, needs nothing.
func TestPreparedKernels(t *testing.T) {
	null, s := openNull(t, workload.SSB{SF: 0.001})
	const star = "SELECT d_year, sum(lo_revenue) FROM lineorder, date WHERE lo_orderdate = d_datekey AND lo_quantity < %d GROUP BY d_year ORDER BY d_year"
	for i, text := range []string{fmt.Sprintf(star, 25), fmt.Sprintf(star, 25), fmt.Sprintf(star, 30)} {
		null.Loads.Store(0)
		res, err := s.Query(context.Background(), text)
		if err != nil {
			t.Fatal(err)
		}
		loads, want := null.Loads.Load(), int64(0)
		if i == 0 {
			want = int64(len(res.Stats.Kernels)) + 1 // and what orders rows
		}
		if loads != want {
			t.Errorf("query %d: %d modules were loaded for %d kernels", i, loads, len(res.Stats.Kernels))
		}
	}
}

// TestAskedAgain holds what a query costs the host that is asked again: what was planned, chosen,
// rendered and compiled for it is found, and none of it is made anew. Other settings make it anew.
func TestAskedAgain(t *testing.T) {
	_, s := openNull(t, workload.SSB{SF: 0.001})
	q := ssbQuery("Q4.1")
	ask := func() *cubeloom.Result {
		res, err := s.Query(context.Background(), q.SQL)
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	ask() // compiles, so that nothing is kept of how it is placed
	const most = 1500
	if n := testing.AllocsPerRun(20, func() { ask() }); n > most {
		t.Errorf("asked again it takes %.0f allocations; choosing strategies alone takes more than %d", n, most)
	}
	for _, set := range []struct{ text, where string }{{"SET device = cpu", "cpu"}, {"SET device = cuda", "cuda"}} {
		if _, err := s.Query(context.Background(), set.text); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			for i, place := range ask().Stats.Places {
				if place.Backend.Name() != set.where {
					t.Errorf("after %s step %d runs on %s", set.text, i, place.Backend.Name())
				}
			}
		}
	}
}

// TestTablesAreAwaitedTogether holds how often the host waits for a device in a query of four tables
// that do not depend on each other: for all of them, for the groups, and for the rows. What each
// of the runs has cost is known.
func TestTablesAreAwaitedTogether(t *testing.T) {
	null, s := openNull(t, workload.SSB{SF: 0.01})
	if _, err := s.Query(context.Background(), "SET tuning = off"); err != nil { // runs that are timed wait for each kernel
		t.Fatal(err)
	}
	q := ssbQuery("Q4.1")
	for range 3 { // the first one copies columns, the second one constants that stay
		null.Reset()
		res, err := s.Query(context.Background(), q.SQL)
		if err != nil {
			t.Fatal(err)
		}
		for i, k := range res.Stats.Kernels {
			if k.Time == 0 || i < 4 && (k.RowsIn == 0 || k.BytesWritten == 0) {
				t.Errorf("of the run of kernel %d is known: %+v", i, k)
			}
		}
	}
	if waits := null.Downloads.Load() + null.Syncs.Load(); waits != 3 {
		t.Errorf("it waits %d times", waits)
	}
}

// ssbQuery is a query of the Star Schema Benchmark by its name.
func ssbQuery(name string) workload.Query {
	queries := workload.SSBQueries()
	return queries[slices.IndexFunc(queries, func(q workload.Query) bool { return q.Name == name })]
}

// BenchmarkDeviceLatency is the host's part of a repeated query whose data is on
// the device.
func BenchmarkDeviceLatency(b *testing.B) {
	const tpchScale = 0.01
	for _, of := range []benchmark{
		{"ssb", workload.SSB{SF: 0.01}, workload.SSBQueries()}, {"tpch", tpch.Data{SF: tpchScale}, tpch.Queries(tpchScale)},
	} {
		null, s := openNull(b, of.set)
		for _, q := range of.queries {
			b.Run(of.name+"/"+q.Name, func(b *testing.B) { benchLatency(b, null, s, q.SQL) })
		}
	}
}

// benchLatency measures one of its queries.
func benchLatency(b *testing.B, null *device.Null, s *cubeloom.Session, text string) {
	ctx := context.Background()
	for range 3 { // what is compiled, what is kept once that is so, and constants that stay
		if _, err := s.Query(ctx, text); err != nil {
			b.Fatal(err)
		}
	}
	null.Reset()
	var sum cubeloom.Stats
	var host runtime.HostTimes
	for b.Loop() {
		res, err := s.Query(ctx, text)
		if err != nil {
			b.Fatal(err)
		}
		sum.Planning += res.Stats.Planning
		sum.Weaving += res.Stats.Weaving
		sum.Execution += res.Stats.Execution
		sum.CopyBack += res.Stats.CopyBack
		times := res.Stats.Host()
		host.Add(&times)
	}
	for name, d := range map[string]time.Duration{
		"planning-us": sum.Planning - sum.Weaving, "weaving-us": sum.Weaving, "execution-us": sum.Execution,
		"bind-us": host.Bind, "render-us": host.Render, "compile-us": host.Compile,
		"launch-us": host.Launch, "wait-us": host.Wait, "copyback-us": sum.CopyBack,
	} {
		b.ReportMetric(float64(d.Microseconds())/float64(b.N), name)
	}
	for name, n := range map[string]int64{
		"launches": null.Launches.Load(), "downloads": null.Downloads.Load(), "fills": null.Fills.Load(), "syncs": null.Syncs.Load(),
		"uploads": null.Uploads.Load(), "allocs": null.Allocs.Load(), "loads": null.Loads.Load(),
	} {
		b.ReportMetric(float64(n)/float64(b.N), name)
	}
}
