package cuda

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/strategy"
)

// DefaultRows is for how many rows costs are computed where their number is not known.
const DefaultRows = 1 << 20

// offers asks all strategies.
func (t *Target) offers(g *Grouping) []strategy.Offer {
	offers := make([]strategy.Offer, len(t.Aggregates))
	for i, s := range t.Aggregates {
		offers[i] = s.Offer(g)
		offers[i].Strategy = s.Name()
	}
	return offers
}

// chosen finds the strategy that the sink names, or the cheapest that applies.
func (g *Grouping) chosen() Strategy { return g.cheapest(g.s.Device, "") }

// Fallback returns the cheapest strategy but for one that may overflow.
func (g *Grouping) Fallback(of string) Strategy { return g.cheapest("", of) }

// cheapest finds the strategy of a name, or of all but one the cheapest that applies.
func (g *Grouping) cheapest(name, but string) Strategy {
	want := strategy.Preference{Setting: "the kernel's strategy", Force: name}
	offers := g.target.offers(g)
	for i, s := range g.target.Aggregates {
		if s.Name() == but {
			offers[i].Refusal = "it overflows"
		}
	}
	decision, err := want.Choose("aggregate on the device", offers...)
	if err != nil {
		g.refuse("%v", err)
		return g.target.Aggregates[0]
	}
	return g.target.find(decision.Taken().Strategy)
}

// find finds a strategy by its name.
func (t *Target) find(name string) Strategy {
	i := slices.IndexFunc(t.Aggregates, func(s Strategy) bool { return s.Name() == name })
	return t.Aggregates[i]
}
