// Package placement decides where the steps of a query run, the host or a CUDA device,
// by what both are likely to cost, and says why.
package placement

import (
	"context"
	"errors"
	"fmt"
	"slices"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// Place decides where the steps of a query run, by the wish: steps that share hash
// tables in one place, on the device where all of them can run there and, unless CUDA
// is wished, it is likely to be quicker.
//
// The error is 0A000 where a strategy is forced that does not apply.
func (d *Device) Place(q Query) (*Plan, error) {
	p := d.place(q)
	p.checkForced()
	return p, p.err
}

func (d *Device) place(q Query) *Plan {
	n := len(q.Program.Steps)
	p := &Plan{
		device: d, query: q, steps: runtime.Everywhere(d.host, n).Steps,
		group: runtime.Colocated(q.Program), wanted: make([]bool, n),
	}
	if q.Wish == Host {
		return p
	}
	costs := p.hostCosts()
	for i := range p.wanted {
		p.wanted[i] = q.insists() || costs[p.group[i]].worthAsking()
	}
	var err error
	if slices.Contains(p.wanted, true) {
		if p.backend, err = d.Backend(); err != nil {
			p.withoutDevice(err)
			return p
		}
		p.deviceCosts(costs)
	}
	p.choose(costs)
	return p
}

// choose places each step and says why.
func (p *Plan) choose(costs map[int]*cost) {
	insists := p.query.insists()
	chosen := make(map[int]bool)
	for first, c := range costs {
		chosen[first] = insists || p.wanted[first] && p.device.pays(c)
	}
	asked := p.wanted
	p.wanted = make([]bool, len(asked))
	for i := range p.wanted {
		p.wanted[i] = chosen[p.group[i]]
	}
	refused := p.prepareSteps()
	for i := range p.steps {
		c, place := costs[p.group[i]], &p.steps[i]
		refusal, isRefused := refused[p.group[i]]
		switch {
		case !asked[i]:
			place.Reason = fmt.Sprintf("%.2f ms estimated, less than a device takes to start %d kernels", c.host/1e6, c.steps)
		case !p.wanted[i]:
			place.Reason = c.text(false)
		case isRefused:
			place.Reason = p.refusedText(i, refusal)
		case insists && c.streams:
			*place = runtime.Place{Backend: p.backend, Reason: fmt.Sprintf("%s; streams %.1f MB that do not fit", p.query.insistence(), float64(c.missing)/1e6)}
		case insists:
			*place = runtime.Place{Backend: p.backend, Reason: p.query.insistence()}
		default:
			*place = runtime.Place{Backend: p.backend, Reason: c.text(true)}
		}
	}
	p.adopt()
}

// withoutDevice leaves everything on the host. A reason has only who insists on a
// device.
func (p *Plan) withoutDevice(err error) {
	insists := p.query.insists()
	for i := range p.steps {
		p.wanted[i] = insists
		if insists {
			p.steps[i].Reason = "there is no CUDA device: " + err.Error()
		}
	}
}

// refusedText says why step i runs on the host where r is of its co-location group.
func (p *Plan) refusedText(i int, r refusal) string {
	if r.step == i {
		return r.err.Error()
	}
	return fmt.Sprintf("it shares hash tables with group %d: %v", p.query.Program.Steps[r.step].Group, r.err)
}

// Placement returns the plan as runtime.Execute takes it.
func (p *Plan) Placement() *runtime.Placement {
	return &runtime.Placement{Steps: p.steps, Recursions: p.device.host, Fallback: p.fallback}
}

// Prepare has the kernels of a query that is new compiled at the same time, and returns
// what waits for that.
func (p *Plan) Prepare(ctx context.Context) (wait func()) {
	if p.backend == nil || !p.isNew {
		return func() {}
	}
	return p.backend.Prepare(ctx, p.query.Program, p.here())
}

// here are the steps that are to run on the device.
func (p *Plan) here() []bool {
	here := make([]bool, len(p.steps))
	for i := range here {
		here[i] = p.isOnDevice(i)
	}
	return here
}

// Rendered returns, by step, the modules that the steps would run as on the device, as far
// as that is known before they run; nil for others.
func (p *Plan) Rendered(ctx context.Context) []*cuda.Rendered {
	if p.backend == nil {
		return make([]*cuda.Rendered, len(p.steps))
	}
	return p.backend.Rendered(ctx, p.query.Program, p.here())
}

// fallback moves steps to the host that the device cannot run after all.
func (p *Plan) fallback(i int, err error) (place runtime.Place, all, ok bool) {
	place.Backend = p.device.host
	var refusal *cudagen.Refusal
	switch {
	case !p.isOnDevice(i):
		return place, false, false
	case errors.Is(err, cuda.ErrLost):
		p.lost = err
		p.device.retire(err)
		place.Reason = "the CUDA device is out of service"
		return place, true, true
	case errors.Is(err, cuda.ErrOutOfMemory):
		place.Reason = "the device has no room: " + err.Error()
		return place, false, true
	case errors.As(err, &refusal):
		place.Reason = refusal.Reason
		return place, false, true
	}
	return place, false, false
}
