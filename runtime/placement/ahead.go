package placement

import (
	"context"
	"slices"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/several"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// await is Device.Backend; kernels are compiled meanwhile.
func (p *Plan) await(ctx context.Context) (*several.Backend, error) {
	p.device.start()
	<-p.device.found
	p.compileAhead(ctx, p.device.opening())
	return p.device.Backend()
}

// compileAhead has the kernels compiled behind that the query would run on devices which were open and had its
// columns. It asks for them once.
func (p *Plan) compileAhead(ctx context.Context, on *several.Backend) {
	if on == nil {
		return
	}
	ahead := &Plan{
		device: p.device, query: p.query, devices: on, backend: on, steps: runtime.Everywhere(p.device.host, len(p.steps)).Steps,
		group: p.group, planned: p.planned, costs: make(map[int]*cost),
	}
	ahead.query.Memo = nil // it is of what runs
	for first, c := range p.costs {
		there := *c
		there.device, there.behind = c.device-c.copying, ""
		there.chosen = p.query.insists() || c.asked && there.device < c.host
		ahead.costs[first] = &there
	}
	ahead.takeOneSide()
	chosen := lists.Map(p.group, func(first int) bool { return ahead.costs[first].chosen })
	if slices.Contains(chosen, true) && p.query.Memo.goesAhead(chosen) {
		ahead.choose()
		ahead.backend.Uncompiled(ctx, ahead.query.Program, ahead.here())
	}
}

// goesAhead notes for which steps kernels are compiled ahead, and reports whether that is news.
func (m *Memo) goesAhead(chosen []bool) bool {
	if m == nil {
		return true
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if slices.Equal(m.ahead, chosen) {
		return false
	}
	m.ahead = chosen
	return true
}
