package placement

import (
	"context"
	"slices"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// What queries that do not insist on a device do not wait for.
const (
	isNotOpen = "the device is not open"
	isOpening = "the device is being opened; CPU this time"
	isCopying = "columns are being copied to the device; CPU this time"
)

// reach finds the devices, and what the steps cost there. A query that does not insist on a device
// waits for one that is not open where that is likely to be quicker; false: there is none.
func (p *Plan) reach(ctx context.Context) bool {
	insists := p.query.insists()
	if insists {
		p.backend, p.noDevice = p.await(ctx)
	} else {
		p.backend, p.noDevice = p.device.ready()
	}
	if p.backend == nil && p.noDevice == nil {
		p.deviceCosts()
		if !p.opens() {
			p.compileAhead(ctx, p.device.opening())
			return true
		}
		p.backend, p.noDevice = p.await(ctx)
	}
	if p.noDevice != nil {
		p.withoutDevice()
		return false
	}
	p.devices = p.backend.First(p.query.Devices)
	p.backend = p.devices.For(p.query.Program)
	p.deviceCosts()
	return true
}

// opens reports whether the query is to wait until a device is open. Where it is not, and open
// devices would have saved queries as much by now as opening takes, they are opened behind it.
func (p *Plan) opens() bool {
	figures, now, later := p.device.costs(), 0.0, 0.0
	for _, c := range p.costs {
		if c.asked {
			now += max(c.host-c.device, 0)
			later += max(c.host-(c.device-c.copying), 0)
		}
	}
	if now > figures.Open+figures.Compile {
		return true
	}
	why := isNotOpen
	if later > 0 && p.device.paysOpening(later) {
		p.device.start()
		why = isOpening
	}
	for _, c := range p.costs {
		c.behind = why
	}
	return false
}

// pays reports whether steps are to run on the device: where that is quicker. Where it would be if
// their columns were there, and what that would have saved so far pays for copying them, they are
// copied behind the query.
func (p *Plan) pays(c *cost) bool {
	switch {
	case p.backend == nil || !c.asked:
		return false
	case c.device < c.host:
		return true
	case !p.device.paysCopying(c):
		return false
	case !p.copyBehind(c):
		return true
	}
	c.behind = isCopying
	return false
}

// copies reports whether columns are being copied that steps of the query wait for.
func (p *Plan) copies() bool {
	for _, c := range p.costs {
		if c.behind == isCopying {
			return true
		}
	}
	return false
}

// leaveUncompiled leaves groups to the host whose kernels are not compiled, and reports whether
// there are any; they are compiled behind the query. Where the query is likely to be quicker if it
// waits for the compiler it does. Columns are copied meanwhile.
func (p *Plan) leaveUncompiled(ctx context.Context) bool {
	if !p.isNew {
		return false
	}
	late, coming, kernels, gain := make(map[*cost]bool), true, 0.0, 0.0
	for i, why := range p.backend.Uncompiled(ctx, p.query.Program, p.here()) {
		if why == nil {
			continue
		}
		c := p.costOf(p.query.Program.Steps[i].Group)
		kernels++
		if !late[c] {
			gain += c.host - c.device
		}
		late[c], c.behind, coming = true, why.Reason, coming && why.Coming
	}
	if len(late) == 0 {
		return false
	}
	compiling := p.device.costs().Compile * (1 + (kernels-1)/float64(max(p.query.Threads, 1)))
	p.waits = coming && gain > compiling
	for c := range late {
		c.chosen = p.waits
		switch {
		case p.waits:
			c.compiling, c.device, c.behind = compiling, c.device+compiling, ""
		case coming:
			p.copyBehind(c) // what does not come now, the next query brings
		}
	}
	p.late, p.passing = !p.waits, !p.waits && coming
	return p.late
}

// AwaitsCompiler reports whether there are kernels that are not compiled, which the query would wait for or leave to
// the host; they are compiled behind.
func (p *Plan) AwaitsCompiler(ctx context.Context) bool {
	if p.late || p.backend == nil || !p.isNew {
		return p.late
	}
	why := p.backend.Uncompiled(ctx, p.query.Program, p.here())
	return slices.ContainsFunc(why, func(w *cuda.NotCompiled) bool { return w != nil })
}

// copyBehind has the columns that steps read copied to the device; false: not all of them will be.
func (p *Plan) copyBehind(c *cost) bool {
	all := true
	for _, table := range c.tables {
		all = p.backend.CopyBehind(table.rel, table.cols) && all
	}
	return all
}

// costOf is the cost of the co-location group that a group of the fusion.Program is of.
func (p *Plan) costOf(group int) *cost {
	for i := range p.planned {
		if p.planned[i].Group == group {
			return p.costs[p.group[i]]
		}
	}
	return nil
}

// CompilesBehind reports whether the query does not wait for the compiler.
func (p *Plan) CompilesBehind() bool { return !p.query.insists() && !p.waits }

// Passes reports whether later queries will run otherwise: kernels are left to the host that are being compiled.
func (p *Plan) Passes() bool { return p.passing }

// notCompiled places a step on the host whose kernel turned out not to be compiled, which nobody
// has to be told of: the query was to run where it is quickest.
func (p *Plan) notCompiled(i int, why string) runtime.Place {
	group := runtime.Colocated(p.query.Program)
	for s := range p.wanted {
		p.wanted[s] = p.wanted[s] && group[s] != group[i]
	}
	return runtime.Place{Backend: p.device.host, Reason: why}
}

// withoutDevice leaves everything on the host. A reason has only who insists on a
// device.
func (p *Plan) withoutDevice() {
	insists := p.query.insists()
	p.wanted = make([]bool, len(p.steps))
	for i := range p.steps {
		p.wanted[i] = insists
		if insists {
			p.steps[i].Reason = "there is no CUDA device: " + p.noDevice.Error()
		}
	}
}
