package cuda

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// ChooseAggregate asks all strategies what f's aggregation of so many rows, 0 for
// unknown, would cost, then all preaggregations and numbers of replicas, and takes the
// cheapest, or what is wanted. Without keys there is one group, which no setting forces
// otherwise. It returns the sink with what was chosen; a *Refusal where the device has no
// code for f.
func (t *Target) ChooseAggregate(f *kernel.Func, rows float64, want *Wants) (*kernel.Aggregate, []strategy.Decision, error) {
	sink, _ := f.Sink.(*kernel.Aggregate)
	if rows == 0 {
		rows = DefaultRows
	}
	if ordersRows(f) {
		return t.chooseSortedGroups(f, sink, rows, want)
	}
	if isSingle(sink) {
		d, err := new(strategy.Preference).Choose(ofSingle, t.singleOffers(sink, rows)...)
		with := *sink
		with.Device = Single
		return &with, []strategy.Decision{d}, err
	}
	r := newRenderer(t, f, PlainShapes(f))
	with := *sink
	if len(sink.Keys) == 0 {
		want = &Wants{}
	}
	with.Threads, with.ThreadRows = want.Threads, want.ThreadRows
	g := r.layOut(&with)
	if r.err != nil {
		return nil, nil, r.err
	}
	g.count(rows, matchesBefore(f.Body))
	c, err := g.choose(want)
	if err != nil {
		return nil, c.decisions, err
	}
	if len(sink.Keys) == 0 {
		single := strategy.Offer{Strategy: Single, Refusal: "an accumulator of double precision has a cell in global memory"}
		d := &c.decisions[0]
		d.Of, d.Offers = ofSingle, append([]strategy.Offer{single}, d.Offers...)
	}
	with.Device, with.Preaggregate, with.Replicas = c.strategy.Name(), c.preaggregates.Name(), c.replicas
	with.RunForm = c.runs
	return &with, c.decisions, nil
}

// count takes so many rows of the source, each with so many matches, for those that come
// to the sink, unless these are estimated: then the lanes of the others have none. What
// expands deals its matches out to all lanes.
func (g *Grouping) count(source, matches float64) {
	g.Rows, g.share = source*matches, 1
	if g.s.Rows == 0 {
		return
	}
	if matches == 1 {
		g.share = min(g.s.Rows/source, 1)
	}
	g.Rows = min(g.s.Rows, g.Rows)
}

// ofSingle is what is chosen without keys.
const ofSingle = "aggregate of all rows on the device"

// Single is the strategy of aggregations without keys: each thread accumulates its rows
// in registers, and blocks merge what their threads have.
const Single = string(kernel.Single)

// singleOffers are those of one group in registers.
func (t *Target) singleOffers(sink *kernel.Aggregate, rows float64) []strategy.Offer {
	adds := rows * float64(int64(len(sink.Accs))*t.Device.Groups.ThreadAdd)
	offers := []strategy.Offer{{Strategy: Single, Detail: "in registers", Cost: t.Device.Bytes(adds)}}
	for _, s := range t.Aggregates {
		offers = append(offers, strategy.Offer{Strategy: s.Name(), Refusal: "there are no keys"})
	}
	return offers
}

// chooseSortedGroups is ChooseAggregate of an aggregation that needs its rows in order.
func (t *Target) chooseSortedGroups(f *kernel.Func, sink *kernel.Aggregate, rows float64, want *Wants) (*kernel.Aggregate, []strategy.Decision, error) {
	r := newRenderer(t, f, PlainShapes(f))
	w := r.orderedWindow(sink)
	if r.err != nil {
		return nil, nil, r.err
	}
	o := &ordering{t: t, f: f, keys: slices.Concat(w.Partition, w.Order)}
	sorted := o.full(o.keys, rows)
	sorted.Strategy = sortedGroups
	if o.err != nil {
		return nil, nil, o.err
	}
	offers := []strategy.Offer{sorted}
	for _, s := range t.Aggregates {
		offers = append(offers, strategy.Offer{Strategy: s.Name(), Refusal: whyOrdered(f)})
	}
	d, err := want.Aggregates.Choose("aggregate on the device", offers...)
	with := *sink
	with.Device = sortedGroups
	return &with, []strategy.Decision{d}, err
}
