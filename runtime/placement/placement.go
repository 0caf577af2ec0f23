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
	"github.com/cubeloom/cubeloom/sql/value"
)

// Place decides where the steps of a query run, by the wish: steps that share hash
// tables in one place, on the device where all of them can run there and, unless CUDA
// is wished, it is likely to be quicker.
//
// The error is 0A000 where a strategy is forced that does not apply, and where a step would
// run on the host that must not.
func (d *Device) Place(ctx context.Context, q Query) (*Plan, error) {
	p := d.place(ctx, q)
	p.checkForced()
	p.checkFallback()
	return p, p.err
}

func (d *Device) place(ctx context.Context, q Query) *Plan {
	n := len(q.Program.Steps)
	p := &Plan{
		device: d, query: q, steps: runtime.Everywhere(d.host, n).Steps,
		group: runtime.Colocated(q.Program), planned: q.Program.Steps,
	}
	if q.Wish == Host {
		p.shareScans()
		return p
	}
	p.costs = p.hostCosts()
	asked := false
	for _, c := range p.costs {
		c.asked = q.insists() || c.isWorthAsking()
		asked = asked || c.asked
	}
	if asked && !p.reach(ctx) {
		p.shareScans()
		return p
	}
	for _, c := range p.costs {
		c.chosen = q.insists() || p.pays(c)
	}
	if p.copies() {
		p.compileAhead(ctx, p.backend)
	}
	p.takeOneSide()
	p.choose()
	if p.backend != nil && !q.insists() && p.leaveUncompiled(ctx) {
		p.query, p.steps = q, runtime.Everywhere(d.host, n).Steps
		p.choose()
	}
	return p
}

// Placement returns the plan as runtime.Execute takes it.
func (p *Plan) Placement() *runtime.Placement {
	return &runtime.Placement{Steps: p.steps, Recursions: p.device.host, Fetches: p.UsesDevice(), Fallback: p.fallback}
}

// Begin counts the query among those that run on its devices, until end is called.
func (p *Plan) Begin() (end func()) {
	if p.backend == nil {
		return func() {}
	}
	return p.backend.Begin()
}

// IsAlone reports whether all of the query runs on devices, and no other one does there.
func (p *Plan) IsAlone() bool { return p.IsOnDevice() && p.backend.IsAlone() }

// IsOnDevice reports whether all of the query runs on devices.
func (p *Plan) IsOnDevice() bool { return p.backend != nil && !slices.Contains(p.here(), false) }

// Prepare has the kernels of a query that is new compiled at the same time, and returns
// what waits for that.
func (p *Plan) Prepare(ctx context.Context) (wait func()) {
	if p.backend == nil || !p.isNew {
		return func() {}
	}
	return p.backend.Prepare(ctx, p.query.Program, p.here())
}

// Rendered returns, by step, the modules that the steps would run as on the device, as far
// as that is known before they run; nil for others.
func (p *Plan) Rendered(ctx context.Context) []*cuda.Rendered {
	if p.backend == nil {
		return make([]*cuda.Rendered, len(p.steps))
	}
	return p.backend.Rendered(ctx, p.query.Program, p.here())
}

// Sharing says, by step, how several devices are likely to share it, by how many rows steps are estimated to
// give: see several.Backend.Predict.
func (p *Plan) Sharing(rows func(step int) float64, exchange string) []*runtime.Sharing {
	if p.backend == nil {
		return make([]*runtime.Sharing, len(p.steps))
	}
	return p.backend.Predict(p.query.Program, p.here(), rows, exchange)
}

// withoutDevices is where steps run on when a device has failed for good: on the others, or
// on the host.
func (p *Plan) withoutDevices(failure error) runtime.Place {
	if p.devices = withoutLost(p.devices, failure); p.devices == nil {
		p.lost = append(p.lost, "the CUDA device is out of service, queries go on on the CPU: "+failure.Error())
		return runtime.Place{Backend: p.device.host, Reason: "the CUDA device is out of service"}
	}
	p.lost = append(p.lost, "a CUDA device is out of service, queries go on on the others: "+failure.Error())
	left := p.devices.For(p.query.Program)
	for i := range p.steps {
		if p.isOnDevice(i) {
			p.steps[i].Backend = left
		}
	}
	p.backend = left
	return runtime.Place{Backend: left, Reason: "another CUDA device is out of service"}
}

// fallback moves steps to the host that the device cannot run after all, and what has failed
// while it read what is there, or returns the query's error.
func (p *Plan) fallback(i int, on runtime.Backend, err error) (place runtime.Place, instead runtime.Backend, failure error) {
	if p.backend == nil {
		return place, nil, err
	}
	here := on == runtime.Backend(p.backend)
	if !here {
		instead = p.backend // where steps have left what it reads
	}
	place.Backend = p.device.host
	var refusal *cudagen.Refusal
	var late *cuda.NotCompiled
	var failed *cuda.CompileError
	code := value.CodeIO
	switch {
	case errors.Is(err, cuda.ErrLost):
		instead = p.backend
		p.device.retire(err)
		place = p.withoutDevices(err)
	case errors.Is(err, cuda.ErrOutOfMemory):
		place.Reason, code = "the device has no room: "+err.Error(), value.CodeOutOfMemory
	case here && errors.As(err, &late):
		return p.notCompiled(i, late.Reason), nil, nil
	case here && errors.As(err, &failed) && !p.query.insists():
		return p.notCompiled(i, failed.Reason()), nil, nil
	case errors.Is(err, cuda.ErrFailed):
		place.Reason = "the device has failed: " + err.Error()
	case here && errors.As(err, &refusal):
		place.Reason, code = refusal.Reason, value.CodeFeatureNotSupported
	default:
		return place, nil, err
	}
	if p.forbidsHost() && place.Backend == p.device.host {
		return place, nil, onlyOnDevice(code, p.stepText(i), err.Error())
	}
	return place, instead, nil
}

// stepText names step i, or behind the last what reads the result.
func (p *Plan) stepText(i int) string {
	if i == len(p.query.Program.Steps) {
		return "reading the result"
	}
	return fmt.Sprintf("group %d", p.query.Program.Steps[i].Group)
}
