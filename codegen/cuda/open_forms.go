package cuda

import (
	"cmp"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// OpenForms are forms of the open expansions of a kernel.
type OpenForms struct {
	Decisions []strategy.Decision // of the expansions, in their order
	Known     []string            // what is known of the fan-out of each
	Cost      float64             // nanoseconds that the expansions are likely to take in these forms
	places    []int               // of the expansions in the body
}

// Of returns f, a kernel like that of the forms, with its expansions in them.
func (c *OpenForms) Of(f *kernel.Func) *kernel.Func {
	with := *f
	with.Body = slices.Clone(f.Body)
	for i, at := range c.places {
		probe := *f.Body[at].(*kernel.Probe)
		probe.Expand = c.Decisions[i].Taken().Strategy
		with.Body[at] = &probe
	}
	return &with
}

// Names are the names of the forms, in the order of the expansions.
func (c *OpenForms) Names() []string {
	names := make([]string, len(c.Decisions))
	for i := range c.Decisions {
		names[i] = c.Decisions[i].Taken().Strategy
	}
	return names
}

// Because returns the decisions for a reason.
func (c *OpenForms) Because(reason string) []strategy.Decision {
	decisions := slices.Clone(c.Decisions)
	for i := range decisions {
		decisions[i].Reason = reason + ": " + c.Known[i]
	}
	return decisions
}

// Rivals are forms that differ in one expansion, the cheapest first.
func (c *OpenForms) Rivals() []*OpenForms {
	var rivals []*OpenForms
	for i := range c.Decisions {
		d := &c.Decisions[i]
		for k, o := range d.Offers {
			if o.Taken || o.Refusal != "" || o.Detail == AsInBlock {
				continue
			}
			other := &OpenForms{Decisions: slices.Clone(c.Decisions), Known: c.Known, Cost: c.Cost - d.Taken().Cost + o.Cost, places: c.places}
			other.Decisions[i].Offers = slices.Clone(d.Offers)
			other.Decisions[i].Take(k, d.Reason)
			rivals = append(rivals, other)
		}
	}
	slices.SortStableFunc(rivals, func(a, b *OpenForms) int { return cmp.Compare(a.Cost, b.Cost) })
	return rivals
}
