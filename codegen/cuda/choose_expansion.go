package cuda

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// ChooseExpansions asks all forms what the probes of f would cost in them that are
// likely to find several matches for each of so many rows, 0 for unknown, and returns f
// with the cheapest, or with the one that is wanted, in which every probe is then done.
// Where none is wanted the run may choose again: see ChooseKnown. A form that defers rows has pages, where it is wanted.
func (t *Target) ChooseExpansions(f *kernel.Func, rows float64, want strategy.Preference, pages kernel.Pages) (*kernel.Func, []strategy.Decision, error) {
	if rows == 0 {
		rows = DefaultRows
	}
	return t.chooseForms(f, PlainShapes(f), want, pages, func(i int) (Fanout, bool) {
		p, ok := f.Body[i].(*kernel.Probe)
		if !ok || !mayExpand(p) {
			return Fanout{}, false
		}
		return evenly(rows*matchesBefore(f.Body[:i]), p.Matches), true
	})
}

// NeedsSample reports whether a sample of the source is worth its time to choose the forms of
// f: where rows with a key lie apart, what is then the cheapest form loses much of its time
// if they lie together, and the plan does not know which it is.
func (t *Target) NeedsSample(f *kernel.Func, shapes []InputShape, k *Known) (bool, error) {
	for _, in := range f.Body {
		if p, ok := in.(*kernel.Probe); ok && k.Spreads[p.Input] != nil {
			if p.InOrder {
				return false, nil
			}
			break
		}
	}
	apart, err := t.chooseBy(f, shapes, k.fanouts(f, !together, nil))
	if err != nil {
		return false, err
	}
	alike, err := t.chooseBy(f, shapes, k.fanouts(f, together, nil))
	if err != nil {
		return false, err
	}
	lost := 0.0
	for i := range alike.Decisions {
		lost += alike.Decisions[i].CostOf(apart.Decisions[i].Taken().Strategy) - alike.Decisions[i].Taken().Cost
	}
	return lost > t.Device.Expand.Sampled, nil
}

// ChooseKnown returns the cheapest forms of the expansions of f that are open, by what the
// run knows and a sample of the source, which may be nil.
func (t *Target) ChooseKnown(f *kernel.Func, shapes []InputShape, k *Known, sample []int64) (*OpenForms, error) {
	return t.chooseBy(f, shapes, k.fanouts(f, !together, sample))
}

// chooseBy is ChooseKnown for fan-outs by their places in the body.
func (t *Target) chooseBy(f *kernel.Func, shapes []InputShape, fanouts map[int]Fanout) (*OpenForms, error) {
	chosen := &OpenForms{}
	for i := range f.Body {
		if p, ok := f.Body[i].(*kernel.Probe); ok && p.Open && fanouts[i].Rows > 0 {
			chosen.places, chosen.Known = append(chosen.places, i), append(chosen.Known, fanouts[i].Text)
		}
	}
	_, decisions, err := t.chooseForms(f, shapes, strategy.Preference{}, kernel.Pages{}, func(i int) (Fanout, bool) {
		return fanouts[i], slices.Contains(chosen.places, i)
	})
	if err != nil {
		return nil, err
	}
	chosen.Decisions = decisions
	for i := range decisions {
		chosen.Cost += decisions[i].Taken().Cost
	}
	return chosen, nil
}

// chooseForms returns f with a form for each of the probes that have a fan-out.
func (t *Target) chooseForms(f *kernel.Func, shapes []InputShape, want strategy.Preference, pages kernel.Pages, fanout func(i int) (Fanout, bool)) (*kernel.Func, []strategy.Decision, error) {
	with := *f
	with.Body = slices.Clone(f.Body)
	e := newRenderer(t, &with, shapes).newEntry("")
	e.warps = meetsWarps(f.Sink)
	behind := t.behind(f, shapes)
	var decisions []strategy.Decision
	for i := len(f.Body) - 1; i >= 0; i-- {
		of, ok := fanout(i)
		if !ok {
			continue
		}
		probe := *f.Body[i].(*kernel.Probe)
		x := &Expansion{Entry: e, Probe: &probe, Fanout: of, Behind: behind, rest: with.Body[i+1:]}
		behind = behind.before()
		d, err := want.Choose("expansion on the device", t.expandOffers(x)...)
		if err != nil {
			return f, nil, err
		}
		probe.Expand, probe.Open = d.Taken().Strategy, want.Force == ""
		if form := t.expander(probe.Expand); want.Force != "" && form.Defers() {
			probe.Pages = pages
		}
		with.Body[i] = &probe
		decisions = append([]strategy.Decision{d}, decisions...)
	}
	return &with, decisions, nil
}

// HasOpen reports whether the form of an expansion of f is open.
func HasOpen(f *kernel.Func) bool {
	return slices.ContainsFunc(f.Body, func(in kernel.Instr) bool {
		p, ok := in.(*kernel.Probe)
		return ok && p.Open
	})
}

// MayExpand reports whether a probe of f may find several matches for a row.
func MayExpand(f *kernel.Func) bool {
	return slices.ContainsFunc(f.Body, func(in kernel.Instr) bool {
		p, ok := in.(*kernel.Probe)
		return ok && mayExpand(p)
	})
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
