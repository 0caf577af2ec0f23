package cuda

import (
	"cmp"
	"errors"
	"math"
	"slices"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// sample samples the source, of what is left of it the longest range.
func (r *run) sample() error {
	ranges, rows := r.ranges, r.metrics.RowsIn
	defer func() { r.ranges, r.metrics.RowsIn = ranges, rows }()
	longest := slices.MaxFunc(ranges, func(a, b rowRange) int { return cmp.Compare(a.rows, b.rows) })
	r.ranges, r.metrics.RowsIn = []rowRange{longest}, longest.rows
	_, _, err := r.attempt(renderSample, 0)
	return err
}

// chooseForms chooses the forms of the kernel's expansions that are open, by how the rows of
// the tables spread over their keys, and where that pays by what a sample of the source finds there.
func (r *run) chooseForms() error {
	if r.source != nil || r.metrics.RowsIn == 0 || !cudagen.HasOpen(r.f) {
		return nil
	}
	known := &cudagen.Known{Spreads: make(map[int]*cudagen.Spread), Rows: float64(r.metrics.RowsIn)}
	for i := range r.inputs {
		if t := r.inputs[i].table; t != nil && t.spread != nil && t.spread.Keys > 0 {
			known.Spreads[i] = t.spread
		}
	}
	if len(known.Spreads) == 0 {
		return nil
	}
	target := r.backend.opts.Target
	sample, err := target.NeedsSample(r.f, r.shapes(), known)
	if err == nil && sample {
		err = r.sample()
	}
	if refusal := new(cudagen.Refusal); errors.As(err, &refusal) {
		return nil // the kernel itself is refused for the same reason
	}
	if err != nil {
		return err
	}
	f, decisions, err := target.ChooseKnown(r.f, r.shapes(), known, r.sampled)
	if err != nil {
		return err
	}
	r.f = f
	if r.opts.Explain {
		r.metrics.Forms = decisions
	}
	return nil
}

// fitFilters leaves filters of keys off, and rows in their threads, where the device has no room for
// them, rows are more than can be numbered, or filters were not planned for the tables that there are.
func (r *run) fitFilters() {
	target, room := r.backend.opts.Target, int64(r.backend.device.Info().SharedMemory)
	groups := &target.Device.Groups
	fits := room >= groups.WideBytes+groups.SpareBytes // what was planned for
	fits = r.metrics.RowsIn <= math.MaxUint32 && (fits || target.FilterBytes(r.f, r.shapes()) <= room)
	for _, in := range r.f.Body {
		if p, ok := in.(*kernel.Probe); ok && p.Filter.Form == kernel.ExactFilter {
			t := r.inputs[p.Input].table
			fits = fits && t != nil && t.hasExact(p.Filter.Words)
		}
	}
	if !fits {
		r.f = cudagen.WithoutFilters(r.f)
	}
}
