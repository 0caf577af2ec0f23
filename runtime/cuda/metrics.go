package cuda

import (
	"time"

	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

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

// used notes what the compiler gave an entry that goes over the rows. Local memory is what was spilled where
// registers are at their limit, else arrays.
func (r *run) used(l *Launch) {
	if !r.opts.Usage {
		return
	}
	u, used := l.Kernel.Usage(l.Threads, l.Shared), &r.metrics.Usage
	used.Registers = max(used.Registers, u.Registers)
	if r.backend.opts.Target.Device.Registers.Spills(u.Registers, l.Threads) {
		used.Spilled = max(used.Spilled, u.Spilled)
	}
}

// tell puts the launches into the metrics when all of them have ended.
func (r *run) tell() error {
	if !r.opts.Explain {
		return nil
	}
	if err := r.queue.sync(); err != nil {
		return err
	}
	for i, t := range r.timers {
		r.launches[i].Time = time.Duration(t.Nanoseconds)
	}
	r.tellPhases()
	module, f := r.module, r.f
	r.metrics.Device = &runtime.DeviceMetrics{
		Texts:     []runtime.DeviceText{func() (source, plan string) { return module.Named(f), launch.Print(module.Plan) }},
		Bandwidth: r.backend.device.Info().Bandwidth, Launches: r.launches, Additions: r.additions,
	}
	return nil
}

// lap adds the time since a moment, and returns the moment now.
func (r *run) lap(to *time.Duration, since time.Time) time.Time {
	now := time.Now()
	*to += now.Sub(since)
	return now
}

// noteFound says in the metrics what was found, when, in how many blocks or runs and for what gain.
func (r *run) noteFound(found *machine.Launch, ended bool) {
	if !r.opts.Explain {
		return
	}
	if r.metrics.Taken != "" {
		r.metrics.Taken += "; "
	}
	r.metrics.Taken += found.String()
	if !ended {
		r.metrics.Taken += ", and is sought further"
	}
}
