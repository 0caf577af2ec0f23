package cubeloom

import (
	"fmt"
	"math"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// What groups cost, in nanoseconds, as far as their kernels tell beforehand. The
// figures of the CPU are of one core, from the measurements of SSB and of GROUP BY
// in docs/measurements; those of a device hold where it has not measured its own.
const (
	hostRow         = 1.0 // of each row of the source
	hostInstruction = 0.3 // of each row and instruction
	hostProbe       = 1.0 // likewise, beside that
	hostGroup       = 1.0 // of each row that is grouped by dense keys
	hostHash        = 5.0 // of each row that is hashed
	hostCompare     = 3.0 // of each row that is sorted, and doubling of their number

	deviceStep      = 60e3 // launches, fills and waits of a step
	deviceBandwidth = 3e12 // bytes a second of the device's memory
	deviceShare     = 0.6  // of the bandwidth that a kernel reaches
	deviceLink      = 40e9 // bytes a second from and to the host
)

// cost is what steps that belong together are likely to take on either side, in
// nanoseconds, and why.
type cost struct {
	host, device    float64
	steps           int
	read, bring     int64 // bytes of columns on the device, and those that must come there
	give            int64 // bytes of the result
	bandwidth, link float64
	streams         bool
	tables          []any // runtime.Versioned.Version of what must come
}

// hostCosts fills in what the steps of p take on the CPU, by the first step of
// those that belong together.
func (p *placement) hostCosts() map[int]*cost {
	costs := make(map[int]*cost)
	threads := float64(max(p.session.settings.threads, 1))
	for i := range p.c.program.Steps {
		c := costs[p.together[i]]
		if c == nil {
			c = &cost{}
			costs[p.together[i]] = c
		}
		c.steps++
		c.host += p.sourceRows(i) * p.hostRowCost(i) / threads
	}
	return costs
}

// sourceRows is the number of rows of a step's source, as far as it is known.
func (p *placement) sourceRows(i int) float64 {
	step := &p.c.program.Steps[i]
	if scan, ok := step.Func.Source.(*kernel.Scan); ok {
		return p.bindingRows(&step.Inputs[scan.Input])
	}
	return 0
}

// hostRowCost is what a core takes for a row of a step's source.
func (p *placement) hostRowCost(i int) float64 {
	f := p.c.program.Steps[i].Func
	n := hostRow + blockCost(f.Body)
	switch s := f.Sink.(type) {
	case *kernel.Aggregate:
		n += hostInstruction * float64(len(s.Accs))
		switch s.Strategy {
		case kernel.Dense:
			n += hostGroup
		case kernel.Hash:
			n += hostHash
		}
	case *kernel.Build:
		n += hostHash
	case *kernel.Sort, *kernel.Window:
		n += hostCompare * math.Log2(max(p.sourceRows(i), 2))
	}
	return n
}

// blockCost is what a core takes for the instructions of a block.
func blockCost(b kernel.Block) float64 {
	n := hostInstruction * float64(len(b))
	for _, in := range b {
		switch in := in.(type) {
		case *kernel.If:
			n += blockCost(in.Then) + blockCost(in.Else)
		case *kernel.Probe:
			n += hostProbe + blockCost(in.Residual)
		}
	}
	return n
}

// worthAsking tells whether steps could be quicker on a device that has all they
// read.
func (c *cost) worthAsking() bool { return c.host > deviceStep*float64(c.steps) }

// deviceCosts adds what the steps take on the device.
func (p *placement) deviceCosts(costs map[int]*cost, info cuda.Info) {
	for i := range p.c.program.Steps {
		c := costs[p.together[i]]
		c.bandwidth, c.link = deviceBandwidth, deviceLink
		if info.Bandwidth > 0 {
			c.bandwidth = info.Bandwidth
		}
		if info.HostLink > 0 {
			c.link = info.HostLink
		}
		p.addInputs(i, c)
	}
	for _, part := range p.c.program.Result.Parts {
		costs[p.together[part.Step]].give += int64(p.stepRows(part.Step)) * rowBytes(p.c.program.Steps[part.Step].Func)
	}
	for _, c := range costs {
		c.device = deviceStep*float64(c.steps) + 1e9*float64(c.read)/(c.bandwidth*deviceShare) + 1e9*float64(c.bring+c.give)/c.link
	}
}

// addInputs adds what a step reads: the columns of its source, and of the tables that
// it is merged with.
func (p *placement) addInputs(i int, c *cost) {
	step := &p.c.program.Steps[i]
	for k := range step.Inputs {
		if cols := step.Func.ColumnsRead(k); len(cols) > 0 {
			p.addColumns(&step.Inputs[k], cols, c)
		}
	}
}

// addColumns adds columns of a relation.
func (p *placement) addColumns(in *codegen.Binding, cols []int, c *cost) {
	if in.Table == nil {
		c.read += int64(p.bindingRows(in)) * valueBytes * int64(len(cols))
		return
	}
	rel, ok := in.Table.Handle.(runtime.Relation)
	if !ok {
		return
	}
	needs := p.device.Needs(rel, cols)
	c.read += needs.Bytes
	c.bring += needs.Missing
	c.streams = c.streams || needs.Stream()
	if v, ok := rel.(runtime.Versioned); ok && needs.Missing > 0 && !needs.Stream() {
		c.tables = append(c.tables, v.Version())
	}
}

// valueBytes is what a value of a result is taken to need.
const valueBytes = 8

// rowBytes is what a row of the result of a kernel is taken to need.
func rowBytes(f *kernel.Func) int64 {
	switch s := f.Sink.(type) {
	case *kernel.Materialize:
		return valueBytes * int64(len(s.Cols))
	case *kernel.Sort:
		return valueBytes * int64(len(s.Cols))
	case *kernel.Aggregate:
		return valueBytes * int64(len(s.Keys)+len(s.Accs))
	}
	return 0
}

// text puts the two sides into words, the one that was chosen first.
func (c *cost) text(onDevice bool) string {
	here, other, there := c.host, c.device, "on the device"
	if onDevice {
		here, other, there = c.device, c.host, "on the CPU"
	}
	s := fmt.Sprintf("%.2f ms estimated, %.2f ms %s: %d kernels, %.1f MB read at %.0f GB/s, %.1f MB brought and %.1f MB given back at %.1f GB/s",
		here/1e6, other/1e6, there, c.steps, float64(c.read)/1e6, c.bandwidth*deviceShare/1e9, float64(c.bring)/1e6, float64(c.give)/1e6, c.link/1e9)
	if c.streams {
		s += ", streamed since it does not fit"
	}
	return s
}

// chooses tells whether steps are to run on the device: where that is quicker, and
// where it would be if their columns were there and what that would have saved so
// far pays for bringing them.
func (g *gpu) chooses(c *cost) bool {
	if c.device < c.host {
		return true
	}
	bring := 1e9 * float64(c.bring) / c.link
	saved := c.host - (c.device - bring)
	if saved <= 0 || len(c.tables) == 0 {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.saved) >= maxSaved {
		clear(g.saved)
	}
	for _, table := range c.tables {
		g.saved[table] += saved
		if g.saved[table] >= bring {
			delete(g.saved, table)
			return true
		}
	}
	return false
}

// maxSaved is how many tables are remembered.
const maxSaved = 1024
