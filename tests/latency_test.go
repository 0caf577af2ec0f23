package tests

import (
	"context"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/tests/device"
)

// BenchmarkDeviceLatency is the host's part of a repeated query whose data is on
// the device.
func BenchmarkDeviceLatency(b *testing.B) {
	null := &device.Null{}
	db, err := cubeloom.Open(cubeloom.Options{Device: "cuda", OpenDevice: func() (cuda.Device, error) { return null, nil }})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	s := db.Session()
	e := &engine{db, s}
	e.load(b, workload.SSB{SF: 0.01})
	ctx := context.Background()
	for _, q := range workload.SSBQueries() {
		b.Run(q.Name, func(b *testing.B) {
			if _, err := s.Query(ctx, q.SQL); err != nil {
				b.Fatal(err)
			}
			*null = device.Null{}
			var sum cubeloom.Stats
			var host runtime.HostTimes
			for b.Loop() {
				res, err := s.Query(ctx, q.SQL)
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
			for name, n := range map[string]int{
				"launches": null.Launches, "downloads": null.Downloads, "fills": null.Fills, "allocs": null.Allocs, "loads": null.Loads,
			} {
				b.ReportMetric(float64(n)/float64(b.N), name)
			}
		})
	}
}
