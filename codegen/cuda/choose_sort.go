package cuda

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators/sort"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// ordering is a Sort, or a Window by keys, over so many rows of which the strategy is chosen.
type ordering struct {
	t    *Target
	f    *kernel.Func
	keys []kernel.SortKey
	rows float64
	agg  *kernel.Aggregate // whose groups are the rows, in cells; nil where they are others
	err  error             // why the keys have no order on a device
}

// sorts are the strategies of sorts.
var sorts = strategy.Table[*ordering]{
	{Name: sort.Top, Offer: (*ordering).top},
	{Name: sort.Cells, Offer: (*ordering).cells},
	{Name: sort.Full, Offer: func(o *ordering) strategy.Offer { return o.full(o.keys, o.rows) }},
}

// ChooseSort returns f with the way in which it sorts so many rows, 0 for unknown, that is
// cheapest, or what is wanted. They are the groups of agg where that is not nil, read from their cells.
func (t *Target) ChooseSort(f *kernel.Func, agg *kernel.Aggregate, rows float64, want strategy.Preference) (*kernel.Func, []strategy.Decision, error) {
	sink, with := *f.Sink.(*kernel.Sort), *f
	o := &ordering{t: t, f: f, keys: sink.Keys, rows: rows, agg: agg}
	decisions, err := o.choose(want, "sort on the device", sorts)
	if err != nil {
		return f, nil, err
	}
	sink.Top, sink.ByCells = decisions[0].Takes(sort.Top), decisions[0].Takes(sort.Cells)
	with.Sink = &sink
	return &with, decisions, nil
}

// choose takes the cheapest strategy, or what is wanted.
func (o *ordering) choose(want strategy.Preference, of string, from strategy.Table[*ordering]) ([]strategy.Decision, error) {
	if o.rows == 0 {
		o.rows = DefaultRows
	}
	offers := from.Offers(o)
	if o.err != nil {
		return nil, o.err
	}
	d, err := want.Choose(of, offers...)
	return []strategy.Decision{d}, err
}

// top is what it costs to order only those of the rows that a bound leaves.
func (o *ordering) top() strategy.Offer {
	with := *o.f.Sink.(*kernel.Sort)
	with.Top = true
	first := topRows(&with)
	switch {
	case with.Limit < 0:
		return strategy.Offer{Refusal: "there is no limit"}
	case first == 0:
		return strategy.Offer{Refusal: fmt.Sprintf("%d rows after %d are wanted, where up to %d in all are kept", with.Limit, with.Offset, maxTop)}
	}
	left := o.full(o.keys, min(2*float64(first), o.rows))
	return strategy.Offer{
		Cost:   left.Cost + o.t.Device.Bytes(o.rows/sampleStride*8) + 2*o.t.Device.Launch,
		Detail: fmt.Sprintf("the first %d rows of more than %d, by a bound from one in %d tiles", first, enoughRows(first), sampleStride),
	}
}

// cells is what it costs to read groups in the order of the last keys, and to order them by those before. Where the
// last one is not the one whose values are neighbours, memory gives a sector for each cell.
func (o *ordering) cells() strategy.Offer {
	if o.agg == nil || !isDense(o.agg) {
		return strategy.Offer{Refusal: "the rows are not groups that are read from dense cells"}
	}
	order := orderOfCells(o.f, o.keys, len(o.agg.Keys))
	switch {
	case len(order.parts) == 0:
		return strategy.Offer{Refusal: "the last key of the order is no key of the groups"}
	case MayExpand(o.f):
		return strategy.Offer{Refusal: noOrderKept}
	}
	places := max(o.agg.Combinations, o.rows)
	offer := strategy.Offer{Cost: o.t.lookedBack(o.f, places)}
	if last := order.parts[len(order.parts)-1]; last.key != len(o.agg.Keys)-1 {
		offer.Cost += o.t.Device.Bytes(places * (sector - 8))
	}
	if len(order.rest) == 0 {
		offer.Detail = "nothing is left to be sorted"
		return offer
	}
	offer.Detail = fmt.Sprintf("the last %d of %d keys tell the order of the cells", len(order.parts), len(o.keys))
	offer.Cost += o.full(order.rest, o.rows).Cost
	return offer
}

// digitBytes is what sorting by a digit reads and writes of a row: its key twice and its
// number, and both.
const digitBytes = 2*8 + 4 + 8 + 4

// full is what ordering so many rows by keys costs.
func (o *ordering) full(keys []kernel.SortKey, rows float64) strategy.Offer {
	r := &renderer{target: o.t, f: o.f}
	words, digits := r.sortWords(keys), 0
	for _, fields := range words {
		for i := range fields {
			digits += (fields[i].size + digitBits - 1) / digitBits
		}
	}
	o.err = r.err
	bytes, launches := rows*float64(8*len(words)), 2 // the rows are compared, and gathered
	if rows > fewSorted {
		bytes, launches = rows*float64(digits*digitBytes), 2*len(words)+digits+1
	}
	return strategy.Offer{
		Cost:   o.t.Device.Bytes(bytes) + float64(launches)*o.t.Device.Launch,
		Detail: fmt.Sprintf("by %d digits of the keys at most; %d rows or fewer by comparing each with all", digits, fewSorted),
	}
}

// windows are the strategies of windows, as the CPU calls them.
var windows = strategy.Table[*ordering]{
	{Name: "first", Offer: func(*ordering) strategy.Offer { return strategy.Offer{Refusal: "a device orders all rows"} }},
	{Name: "sort", Offer: func(o *ordering) strategy.Offer { return o.full(o.keys, o.rows) }},
}

// ChooseWindow returns how f's window over so many rows, 0 for unknown, is done.
func (t *Target) ChooseWindow(f *kernel.Func, rows float64) ([]strategy.Decision, error) {
	sink, _ := f.Sink.(*kernel.Window)
	o := &ordering{t: t, f: f, keys: slices.Concat(sink.Partition, sink.Order), rows: rows}
	return o.choose(strategy.Preference{}, "window on the device", windows)
}
