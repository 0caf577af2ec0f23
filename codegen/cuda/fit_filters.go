package cuda

import (
	"cmp"
	"slices"

	"github.com/cubeloom/cubeloom/planner/strategy"
)

// crowded is what look-ups without a filter take longer because filters, a sink, and rows that wait in so
// many bytes take the shared memory of a multiprocessor.
func (t *Target) crowded(choices []filterChoice, taken []int, sink sinkRoom, waiting int64) float64 {
	figures, filters := &t.Device.Filters, int64(0)
	for i := range choices {
		filters += bytesOfFilter(choices[i].filters[taken[i]])
	}
	if filters == 0 {
		return 0
	}
	longer, shared := 0.0, sink.taken(filters+waiting, &t.Device)
	for i := range choices {
		if c := &choices[i]; taken[i] == 0 {
			longer += c.rows * (figures.Crowded(c.bytes, shared) - figures.Lookup(c.bytes))
		}
	}
	return t.Device.Bytes(longer)
}

// fitFilters chooses an offer of each choice: all together fit the room that rows which wait in so many bytes leave.
func (t *Target) fitFilters(choices []filterChoice, sink sinkRoom, room, waiting int64, want strategy.Preference) ([]int, error) {
	room = max(room-waiting, 0)
	taken := make([]int, len(choices))
	if want.Force != "" {
		return taken, forceFilters(choices, taken, room, want)
	}
	order := make([]int, len(choices))
	for i := range order {
		order[i] = i
	}
	saved := func(c *filterChoice) float64 {
		best := 0.0
		for i := range c.offers {
			if c.offers[i].Refusal == "" {
				best = max(best, c.offers[0].Cost-c.offers[i].Cost)
			}
		}
		return best
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(saved(&choices[b]), saved(&choices[a])) })
	best := 0.0
	try := make([]int, len(choices))
	var search func(k int, left int64, sum float64)
	search = func(k int, left int64, sum float64) {
		if gain := sum - t.crowded(choices, try, sink, waiting); gain > best {
			best = gain
			copy(taken, try)
		}
		if k == min(len(order), maxFiltered) {
			return
		}
		c := &choices[order[k]]
		for i := len(c.offers) - 1; i >= 0; i-- {
			if gain := c.offers[0].Cost - c.offers[i].Cost; c.offers[i].Refusal == "" && (i == 0 || gain > 0) && bytesOfFilter(c.filters[i]) <= left {
				try[order[k]] = i
				search(k+1, left-bytesOfFilter(c.filters[i]), sum+gain)
				try[order[k]] = 0
			}
		}
	}
	search(0, room, 0)
	return taken, nil
}

// maxFiltered is how many probes of a kernel may have a filter: those that save most.
const maxFiltered = 6

// forceFilters takes the form that is forced wherever it applies, as far as there is room.
func forceFilters(choices []filterChoice, taken []int, room int64, want strategy.Preference) error {
	applies := len(choices) == 0
	for i := range choices {
		c := &choices[i]
		at := slices.IndexFunc(c.offers, func(o strategy.Offer) bool { return o.Strategy == want.Force })
		if bytes := bytesOfFilter(c.filters[at]); c.offers[at].Refusal == "" && bytes <= room {
			taken[i], applies = at, true
			room -= bytes
		}
	}
	if applies {
		return nil
	}
	_, err := want.Choose("filter of keys", choices[0].offers...)
	return err
}
