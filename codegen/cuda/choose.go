package cuda

import (
	"fmt"
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
	if ordersRows(sink) {
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
	with.Threads = want.Threads
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

// The strategies of sorts, as the CPU calls them.
const (
	topSort  = "top"
	fullSort = "full"
)

// ChooseSort returns how f's sort of so many rows is done, as ChooseAggregate.
func (t *Target) ChooseSort(f *kernel.Func, rows float64, want strategy.Preference) (*kernel.Sort, strategy.Decision, error) {
	sink, _ := f.Sink.(*kernel.Sort)
	sorted, err := t.sortOffer(f, fullSort, sink.Keys, rows)
	if err != nil {
		return sink, strategy.Decision{}, err
	}
	top, err := t.topOffer(f, sink, rows)
	if err != nil {
		return sink, strategy.Decision{}, err
	}
	d, err := want.Choose("sort on the device", top, sorted)
	with := *sink
	with.Top = d.Takes(topSort)
	return &with, d, err
}

// topOffer is what it costs to order only those of so many rows that a bound leaves.
func (t *Target) topOffer(f *kernel.Func, sink *kernel.Sort, rows float64) (strategy.Offer, error) {
	o := strategy.Offer{Strategy: topSort}
	with := *sink
	with.Top = true
	first := topRows(&with)
	switch {
	case sink.Limit < 0:
		o.Refusal = "there is no limit"
	case first == 0:
		o.Refusal = fmt.Sprintf("%d rows after %d are wanted, where up to %d in all are kept", sink.Limit, sink.Offset, maxTop)
	}
	if o.Refusal != "" {
		return o, nil
	}
	if rows == 0 {
		rows = DefaultRows
	}
	left, err := t.sortOffer(f, topSort, sink.Keys, min(2*float64(first), rows))
	o.Cost = left.Cost + t.Device.Bytes(rows/sampleStride*8) + 2*t.Device.Launch
	o.Detail = fmt.Sprintf("the first %d rows of more than %d, by a bound from one in %d tiles", first, enoughRows(first), sampleStride)
	return o, err
}

// The strategies of windows, as the CPU calls them.
const (
	firstOfWindow = "first"
	sortOfWindow  = "sort"
)

// ChooseWindow returns how f's window over so many rows is done, as ChooseAggregate.
func (t *Target) ChooseWindow(f *kernel.Func, rows float64) (strategy.Decision, error) {
	sink, _ := f.Sink.(*kernel.Window)
	sorted, err := t.sortOffer(f, sortOfWindow, slices.Concat(sink.Partition, sink.Order), rows)
	if err != nil {
		return strategy.Decision{}, err
	}
	return new(strategy.Preference).Choose("window on the device", strategy.Offer{Strategy: firstOfWindow, Refusal: "a device orders all rows"}, sorted)
}

// sortedGroups is the strategy of aggregations that need the rows of a group in order.
const sortedGroups = "sorted"

// chooseSortedGroups is ChooseAggregate of an aggregation that needs its rows in order.
func (t *Target) chooseSortedGroups(f *kernel.Func, sink *kernel.Aggregate, rows float64, want *Wants) (*kernel.Aggregate, []strategy.Decision, error) {
	r := newRenderer(t, f, PlainShapes(f))
	w := r.orderedWindow(sink)
	if r.err != nil {
		return nil, nil, r.err
	}
	sorted, err := t.sortOffer(f, sortedGroups, slices.Concat(w.Partition, w.Order), rows)
	if err != nil {
		return nil, nil, err
	}
	offers := []strategy.Offer{sorted}
	for _, s := range t.Aggregates {
		offers = append(offers, strategy.Offer{Strategy: s.Name(), Refusal: "an accumulator needs the rows of a group in order"})
	}
	d, err := want.Aggregates.Choose("aggregate on the device", offers...)
	with := *sink
	with.Device = sortedGroups
	return &with, []strategy.Decision{d}, err
}

// sortOffer is what ordering so many rows by keys costs.
func (t *Target) sortOffer(f *kernel.Func, name string, keys []kernel.SortKey, rows float64) (strategy.Offer, error) {
	if rows == 0 {
		rows = DefaultRows
	}
	r := &renderer{target: t, f: f}
	digits := 0
	for _, fields := range r.sortWords(keys) {
		for i := range fields {
			digits += (fields[i].size + digitBits - 1) / digitBits
		}
	}
	return strategy.Offer{
		Strategy: name, Cost: t.Device.Bytes(rows * float64(digits*digitBytes)),
		Detail: fmt.Sprintf("by %d digits of the keys at most; %d rows or fewer by comparing each with all", digits, fewSorted),
	}, r.err
}

// digitBytes is what sorting by a digit reads and writes of a row: its key twice and its
// number, and both.
const digitBytes = 2*8 + 4 + 8 + 4
