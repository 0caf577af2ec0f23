package cuda

import "github.com/cubeloom/cubeloom/codegen/kernel"

// cubing renders a Cubing.
func (r *renderer) cubing(s *kernel.Cubing) {
	for _, file := range []string{"cells.cuh", "state.cuh", "windows.cuh", "cubing.cuh"} {
		r.include(file)
	}
	w := &windowing{renderer: r, s: r.cubeWindow(s), groups: true, frames: make([]function, 1)}
	c := &cubing{windowing: w, s: s}
	r.window = func(p *Planner) { (&cubePlanner{windowPlanner: &windowPlanner{p, w}, c: c}).plan() }
	w.collects()
	for _, id := range s.Keys {
		r.output(id)
		r.outputs[len(r.outputs)-1].Nullable = true
	}
	for i := range s.Accs {
		for _, id := range s.Accs[i].Dst {
			r.output(id)
		}
	}
	c.codes()
	w.accumulators()
	if r.err != nil {
		return
	}
	for i, b := range s.Bars {
		if !s.Accs[b.Acc].CountsRows() {
			c.bars = append(c.bars, cubeBar{b, i, w.accs[b.Acc]})
		}
	}
	c.refine()
	if len(c.bars) > 0 {
		c.judge()
	}
	c.write()
}

// cubeWindow is the window whose partitions are the groups.
func (r *renderer) cubeWindow(s *kernel.Cubing) *kernel.Window {
	w := r.orderedWindow(&kernel.Aggregate{Keys: s.Keys, Accs: s.Accs})
	if len(w.Order) > 0 {
		r.refuse("there is no device code for accumulators that need ordered rows, in cubes by refinement")
	}
	return w
}
