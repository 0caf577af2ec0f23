package cuda

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// Target is what kernels are rendered for: a device, and the strategies that there are
// for it. It is immutable.
type Target struct {
	Aggregates []Strategy // in the order in which they are asked
	Device     machine.Device
}

// Strategy is a way in which a device aggregates. It holds no state.
type Strategy interface {
	// Name is what settings and EXPLAIN call it.
	Name() string
	// Offer returns what it would cost, in nanoseconds of the device, or why it does not
	// apply. The grouping is laid out, and written by nobody yet.
	Offer(g *Grouping) strategy.Offer
	// Render writes the entries that go over the rows.
	Render(g *Grouping)
	// Launches returns how they are launched.
	Launches(p *Planner, g *Grouping) Launches
}

// Launches go over the rows of an aggregation, whose cells are allocated.
type Launches struct {
	// Rows accumulates in so many cells, of which likely, or an unknown number (0), have
	// rows.
	Rows func(cells, likely launch.Expr)
	// Again goes over the rows once more, where that is needed: see Layout.Again.
	Again func(cells launch.Expr)
}

// Tier is where a block accumulates rows before their cells in global memory.
type Tier struct {
	// Slots says that there are slots in shared memory. Then Locate declares at and
	// local, the rows that go to the places at of slots; the others go to cells.
	Slots bool
	// Open begins a block, and Locate declares cell, the cells of the rows.
	Open, Locate func(e *Entry)
	// Flush has each written for every slot that has a cell; nil: there is nothing.
	Flush func(e *Entry, each func())
	// Together is a condition under which the threads of a block wait for each other in
	// Locate, of a hashed aggregation.
	Together string
}

// DefaultRows is for how many rows costs are computed where their number is not known.
const DefaultRows = 1 << 20

// ChooseAggregate asks all strategies what f's aggregation of so many rows, 0 for
// unknown, would cost, and takes the cheapest, or the one that is wanted. It returns a
// *Refusal where the device has no code for f.
func (t *Target) ChooseAggregate(f *kernel.Func, rows float64, want strategy.Preference) (strategy.Decision, error) {
	r := newRenderer(t, f, PlainShapes(f))
	sink, _ := f.Sink.(*kernel.Aggregate)
	g := r.layOut(sink)
	if r.err != nil {
		return strategy.Decision{}, r.err
	}
	if rows > 0 {
		g.Rows = rows
	}
	return want.Choose("aggregate on the device", t.offers(g)...)
}

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
