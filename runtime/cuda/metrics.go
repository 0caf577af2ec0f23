package cuda

import (
	"slices"
	"time"

	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/runtime"
)

// observed are the launches of a run, where its options ask for them, and the
// timers that give their times when they have ended.
type observed struct {
	launches []runtime.Launch
	timers   []*Timer
}

// observe notes a launch; the timer, or nil, is for the launch to fill.
func (r *run) observe(entry string, l *Launch) *Timer {
	if !r.opts.Explain {
		return nil
	}
	u := l.Kernel.Usage(l.Threads, l.Shared)
	r.launches = append(r.launches, runtime.Launch{
		Entry: entry, Blocks: l.Grid, Threads: l.Threads,
		Registers: u.Registers, Shared: u.Shared, Spilled: u.Spilled, Occupancy: u.Occupancy,
	})
	t := &Timer{}
	r.timers = append(r.timers, t)
	return t
}

// tell puts the launches into the metrics when all of them have ended.
func (r *run) tell() error {
	if !r.opts.Explain {
		return nil
	}
	if err := r.backend.device.Sync(); err != nil {
		return err
	}
	for i, t := range r.timers {
		r.launches[i].Time = time.Duration(t.Nanoseconds)
	}
	r.metrics.Device = &runtime.DeviceMetrics{
		Source: r.module.Source, Plan: launch.Print(r.module.Plan), Bandwidth: r.backend.device.Info().Bandwidth, Launches: r.launches,
	}
	return nil
}

// sumMetrics are the metrics of kernels one after the other; the rows that come in
// are those of the first.
func sumMetrics(x, y runtime.Metrics) runtime.Metrics {
	if x.Time == 0 {
		return y
	}
	x.Time += y.Time
	x.Host.Add(&y.Host)
	x.Stream.Add(&y.Stream)
	x.DevicePeak = max(x.DevicePeak, y.DevicePeak)
	x.BytesRead += y.BytesRead
	x.BytesWritten += y.BytesWritten
	if x.Device != nil && y.Device != nil {
		x.Device = &runtime.DeviceMetrics{
			Source: x.Device.Source + "\n" + y.Device.Source, Plan: x.Device.Plan + "\n" + y.Device.Plan, Bandwidth: x.Device.Bandwidth,
			Launches: slices.Concat(x.Device.Launches, y.Device.Launches),
		}
	}
	return x
}
