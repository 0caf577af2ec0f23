package placement

import (
	"crypto/sha256"
	"fmt"
	"time"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/runtime"
)

// observedRuns is from how many runs on what steps took counts for more than the estimate: the first ones
// wait for kernels to be loaded, and for columns.
const observedRuns = 3

// risen is by what share the least time rises with each run that takes longer, so that it follows a
// machine that has become slower.
const risen = 0.05

// add takes a run into account.
func (l *least) add(nanoseconds float64) {
	if l.runs++; l.runs > 1 {
		nanoseconds = min(nanoseconds, l.nanoseconds*(1+risen))
	}
	l.nanoseconds = nanoseconds
}

// known is the least time, once there were runs enough; 0: there were not.
func (l *least) known() float64 {
	if l.runs < observedRuns {
		return 0
	}
	return l.nanoseconds
}

// recallTimes puts into the costs what the same steps took in other runs.
func (p *Plan) recallTimes(costs map[int]*cost) {
	d := p.device
	if p.query.Memo == nil || !d.hasObserved() {
		return
	}
	key := p.programKey()
	d.mu.Lock()
	defer d.mu.Unlock()
	for first, c := range costs {
		if o := d.observed[observedGroup{key, first, c.steps}]; o != nil {
			c.onHost, c.onDevice = o.host.known(), o.device.known()
		}
	}
}

// Ran notes, when the query has run, which kernels are compiled, and what its steps took.
func (p *Plan) Ran(run *runtime.Execution) {
	p.observe(run)
	if !p.isNew {
		return
	}
	for i := range run.Places {
		if p.isOnDevice(i) && run.Places[i].Backend == p.steps[i].Backend {
			p.backend.Found(p.query.Program.Steps[i].Func)
		}
	}
}

// observe notes what the steps took that ran on one side, where the program has run before: what runs once is
// not chosen for again.
func (p *Plan) observe(run *runtime.Execution) {
	if p.costs == nil || p.query.insists() || !p.query.Memo.runsAgain() {
		return
	}
	times, places := make(map[*cost]time.Duration), make(map[*cost]runtime.Backend)
	for i := range run.Places {
		c, on := p.costOf(p.query.Program.Steps[i].Group), run.Places[i].Backend
		if before, known := places[c]; known && before != on {
			return // it was moved while it ran
		}
		places[c] = on
		times[c] += run.Steps[i].Time
	}
	if parts := p.query.Program.Result.Parts; len(parts) > 0 {
		times[p.costOf(p.query.Program.Steps[parts[0].Step].Group)] += run.CopyBack
	}
	d, key := p.device, p.programKey()
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.observed) >= maxObserved {
		clear(d.observed)
	}
	for first, c := range p.costs {
		at := observedGroup{key, first, c.steps}
		o := d.observed[at]
		if o == nil {
			o = &observed{}
			d.observed[at] = o
		}
		if places[c] == d.host {
			o.host.add(float64(times[c]))
		} else {
			o.device.add(float64(times[c]))
		}
	}
}

// hasObserved reports whether there are programs that have run again and again.
func (d *Device) hasObserved() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.observed) > 0
}

// runsAgain notes a run of the program, and reports whether it is not the first one.
func (m *Memo) runsAgain() bool {
	if m == nil {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.runs++
	return m.runs > 1
}

// programKey is equal for programs whose steps do the same over the same tables with as many threads.
func (p *Plan) programKey() string {
	m := p.query.Memo
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.key != "" {
		return m.key
	}
	key := fmt.Appendf(nil, "threads %d devices %d\n", p.query.Threads, p.query.Devices)
	for i := range p.planned {
		step := &p.planned[i]
		key = cudagen.AppendConstants(cudagen.AppendKey(key, step.Func, nil), step.Func.Params)
		for k := range step.Inputs {
			if table := step.Inputs[k].Table; table != nil {
				if rel, ok := table.Handle.(runtime.Versioned); ok {
					key = fmt.Appendf(key, "input %d %v\n", k, rel.Version())
				}
			}
		}
	}
	sum := sha256.Sum256(key)
	m.key = string(sum[:])
	return m.key
}
