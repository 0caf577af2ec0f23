package cuda

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// ordering is a Sort, or a Window by keys, over so many rows of which the strategy is chosen.
type ordering struct {
	t    *Target
	f    *kernel.Func
	keys []kernel.SortKey
	rows float64
	err  error // why the keys have no order on a device
}

// The strategies of sorts, as the CPU calls them.
const (
	topSort  = "top"
	fullSort = "full"
)

// sorts are the strategies of sorts.
var sorts = strategy.Table[*ordering]{
	{Name: topSort, Offer: (*ordering).top},
	{Name: fullSort, Offer: func(o *ordering) strategy.Offer { return o.full(o.rows) }},
}

// ChooseSort returns f with the way in which it sorts so many rows, 0 for unknown, that is
// cheapest, or what is wanted.
func (t *Target) ChooseSort(f *kernel.Func, rows float64, want strategy.Preference) (*kernel.Func, []strategy.Decision, error) {
	sink, with := *f.Sink.(*kernel.Sort), *f
	decisions, err := t.chooseOrdering(f, sink.Keys, rows, want, "sort on the device", sorts)
	if err != nil {
		return f, nil, err
	}
	sink.Top = decisions[0].Takes(topSort)
	with.Sink = &sink
	return &with, decisions, nil
}

// chooseOrdering takes the cheapest strategy, or what is wanted, of so many rows.
func (t *Target) chooseOrdering(f *kernel.Func, keys []kernel.SortKey, rows float64, want strategy.Preference, of string, from strategy.Table[*ordering]) ([]strategy.Decision, error) {
	o := &ordering{t: t, f: f, keys: keys, rows: rows}
	if rows == 0 {
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
	left := o.full(min(2*float64(first), o.rows))
	return strategy.Offer{
		Cost:   left.Cost + o.t.Device.Bytes(o.rows/sampleStride*8) + 2*o.t.Device.Launch,
		Detail: fmt.Sprintf("the first %d rows of more than %d, by a bound from one in %d tiles", first, enoughRows(first), sampleStride),
	}
}

// digitBytes is what sorting by a digit reads and writes of a row: its key twice and its
// number, and both.
const digitBytes = 2*8 + 4 + 8 + 4

// full is what ordering so many rows costs.
func (o *ordering) full(rows float64) strategy.Offer {
	r := &renderer{target: o.t, f: o.f}
	digits := 0
	for _, fields := range r.sortWords(o.keys) {
		for i := range fields {
			digits += (fields[i].size + digitBits - 1) / digitBits
		}
	}
	o.err = r.err
	return strategy.Offer{
		Cost:   o.t.Device.Bytes(rows * float64(digits*digitBytes)),
		Detail: fmt.Sprintf("by %d digits of the keys at most; %d rows or fewer by comparing each with all", digits, fewSorted),
	}
}

// windows are the strategies of windows, as the CPU calls them.
var windows = strategy.Table[*ordering]{
	{Name: "first", Offer: func(*ordering) strategy.Offer { return strategy.Offer{Refusal: "a device orders all rows"} }},
	{Name: "sort", Offer: func(o *ordering) strategy.Offer { return o.full(o.rows) }},
}

// ChooseWindow returns how f's window over so many rows, 0 for unknown, is done.
func (t *Target) ChooseWindow(f *kernel.Func, rows float64) ([]strategy.Decision, error) {
	sink, _ := f.Sink.(*kernel.Window)
	return t.chooseOrdering(f, slices.Concat(sink.Partition, sink.Order), rows, strategy.Preference{}, "window on the device", windows)
}
