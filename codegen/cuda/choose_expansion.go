package cuda

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// ChooseExpansions asks all forms what the probes of f would cost in them that are
// likely to find several matches for each of so many rows, 0 for unknown, and returns f
// with the cheapest, or with the one that is wanted, in which every probe is then done.
func (t *Target) ChooseExpansions(f *kernel.Func, rows float64, want strategy.Preference) (*kernel.Func, []strategy.Decision, error) {
	e := &Entry{renderer: newRenderer(t, f, PlainShapes(f)), warps: meetsWarps(f.Sink)}
	if rows == 0 {
		rows = DefaultRows
	}
	with := *f
	with.Body = slices.Clone(f.Body)
	var decisions []strategy.Decision
	for i := len(f.Body) - 1; i >= 0; i-- {
		p, ok := f.Body[i].(*kernel.Probe)
		if !ok || !mayExpand(p) {
			continue
		}
		x := &Expansion{Entry: e, Probe: p, Rows: rows * matchesBefore(f.Body[:i]), rest: with.Body[i+1:]}
		d, err := want.Choose("expansion on the device", t.expandOffers(x)...)
		if err != nil {
			return f, nil, err
		}
		probe := *p
		probe.Expand = d.Taken().Strategy
		with.Body[i] = &probe
		decisions = append([]strategy.Decision{d}, decisions...)
	}
	return &with, decisions, nil
}

// MayExpand reports whether a probe of f may find several matches for a row.
func MayExpand(f *kernel.Func) bool {
	return slices.ContainsFunc(f.Body, func(in kernel.Instr) bool {
		p, ok := in.(*kernel.Probe)
		return ok && mayExpand(p)
	})
}

func mayExpand(p *kernel.Probe) bool {
	return p.Matches > 1 && (p.Kind == kernel.ProbeInner || p.Kind == kernel.ProbeLeft)
}

// matchesBefore is how many rows come out of instructions for each that comes in.
func matchesBefore(b kernel.Block) float64 {
	n := 1.0
	for _, in := range b {
		if p, ok := in.(*kernel.Probe); ok && p.Matches > 0 {
			n *= p.Matches
		}
	}
	return n
}

// meetsWarps reports whether what a sink does with rows is likely to bring the threads of
// a warp together and not those of a block.
func meetsWarps(s kernel.Sink) bool {
	agg, ok := s.(*kernel.Aggregate)
	return ok && agg.Strategy != kernel.Hash
}
