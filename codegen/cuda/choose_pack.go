package cuda

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// The ways in which rows go on behind a filter or a probe that leaves some of them: NoPacking is that they stay
// in their threads.
const (
	NoPacking   = "stay"
	packInWarps = "pack"
	cutGroup    = "cut"
)

// PackForms are their names.
func PackForms() []string { return []string{NoPacking, packInWarps} }

// packing is a way in which the rows of a kernel go on.
type packing struct {
	offer   strategy.Offer
	at      int   // the filter or probe behind which they are packed, or below 0
	filters []int // that are taken beside it
}

// ChooseShared asks for each probe of f over so many rows what a filter before its table would save,
// and what it would save to pack the rows behind it. Both want the shared memory that the sink
// leaves: f is returned with what is cheapest together, or with what is wanted wherever it applies.
// Builds are the kernels that make the tables, by input.
func (t *Target) ChooseShared(f *kernel.Func, builds map[int]*kernel.Func, rows float64, filters, packs strategy.Preference) (*kernel.Func, []strategy.Decision, error) {
	rows = cmp.Or(rows, DefaultRows)
	choices, room := t.filterChoices(f, builds)
	places := t.placesToPack(f, rows)
	if len(places) == 0 {
		return f, nil, nil
	}
	ways, err := t.packings(f, builds, choices, places, room, rows, filters)
	if err != nil {
		return f, nil, err
	}
	offers := make([]strategy.Offer, len(ways))
	for i := range ways {
		offers[i] = ways[i].offer
	}
	d, err := packs.Choose("rows that are left on the device", offers...)
	if err != nil {
		d.Take(0, packs.Setting+" is "+packs.Force+", which does not apply here")
	}
	way := ways[slices.IndexFunc(d.Offers, func(o strategy.Offer) bool { return o.Taken })]
	with, decisions := withFilters(f, choices, way.filters, filters)
	if way.at >= 0 {
		with = Packed(with, way.at)
	}
	return with, append(decisions, d), nil
}

// The strategies of aggregations that leave blocks little shared memory or bring their threads
// together, and those in whose place they leave room for filters and let rows wait.
const (
	ownCells   = "thread"
	inSlots    = "block"
	oneForAll  = "shared"
	withRoomIs = "it leaves blocks room for filters of keys and rows that wait"
)

// WithRoom returns f aggregated by another strategy, which leaves blocks room for filters and lets rows
// wait, and its name; nil where f is so already.
func WithRoom(f *kernel.Func) (*kernel.Func, string) {
	s, ok := f.Sink.(*kernel.Aggregate)
	other := ""
	switch {
	case ok && s.Device == ownCells:
		other = inSlots
	case ok && s.Device == inSlots && s.Strategy == kernel.Hash:
		other = oneForAll
	default:
		return nil, ""
	}
	sink, with := *s, *f
	sink.Device, sink.Preaggregate, sink.Replicas = other, "", 0
	with.Sink = &sink
	return &with, other
}

// TakeRoom takes the strategy in the place of the one that was taken.
func TakeRoom(d *strategy.Decision, name string) {
	d.Take(slices.IndexFunc(d.Offers, func(o strategy.Offer) bool { return o.Strategy == name }), withRoomIs)
}

// packings are the ways in which the rows of f can go on, the first of them that they stay.
func (t *Target) packings(f *kernel.Func, builds map[int]*kernel.Func, choices []filterChoice, places []leaving, room int64, rows float64, filters strategy.Preference) ([]packing, error) {
	sink := t.sinkRoom(f, PlainShapes(f))
	taken, err := t.fitFilters(choices, sink, room, 0, filters)
	if err != nil {
		return nil, err
	}
	stay := packing{offer: strategy.Offer{Strategy: NoPacking, Cost: lookedUp(choices, taken, len(f.Body)) + t.crowded(choices, taken, sink, 0)}, at: -1, filters: taken}
	ways := []packing{stay}
	idle, never := 0.0, t.mayPack(f, builds)
	for _, place := range places {
		at := place.at
		way := packing{offer: strategy.Offer{Strategy: packInWarps, Detail: "behind " + place.name}, at: at}
		here := t.idle(f, at, rows, lookedUp(choices, taken, at+1))
		idle = max(idle, here)
		if way.offer.Refusal = cmp.Or(never, packRefusal(f, at)); way.offer.Refusal == "" {
			bytes := packBytesBehind(f, at, sink.threads)
			way.filters, err = t.fitFilters(choices, sink, room, bytes, filters)
			switch {
			case sink.refusal != "" || bytes > room:
				way.offer.Refusal = fmt.Sprintf("%d bytes in which rows wait do not fit the %d that blocks have", bytes, max(room, 0))
			case err != nil:
				way.offer.Refusal = err.Error()
			default:
				way.offer.Detail += fmt.Sprintf(", %.3g %% of the rows, %d bytes in which they wait", 100*min(place.left/rows, 1), bytes)
				way.offer.Cost = lookedUp(choices, way.filters, len(f.Body)) + t.crowded(choices, way.filters, sink, bytes) - here + t.Device.Packing(rows, place.left)
			}
		}
		ways = append(ways, way)
	}
	for i := range ways {
		ways[i].offer.Cost += idle
	}
	return append(ways, t.cut(f, choices, places, taken, rows, idle)), nil
}

// cut is what it would take to write the rows that are left at the best of the places, and to have
// another kernel read them. It is no choice here: where groups are cut the weaving has decided.
func (t *Target) cut(f *kernel.Func, choices []filterChoice, places []leaving, taken []int, rows, idle float64) packing {
	best, behind := math.Inf(1), ""
	for _, place := range places {
		w := waitingBehind(f, place.at, sinkValues(f.Sink))
		bytes := 4 * float64(w.words(f)+loads(f, place.at))
		cost := 2*t.Device.Launch + t.Device.Bytes(2*place.left*bytes) - t.idle(f, place.at, rows, lookedUp(choices, taken, place.at+1))
		if cost < best {
			best, behind = cost, place.name
		}
	}
	best += lookedUp(choices, taken, len(f.Body)) + idle
	why := fmt.Sprintf("the weaving has decided where groups end; behind %s it would take %.3g ms", behind, best/1e6)
	return packing{offer: strategy.Offer{Strategy: cutGroup, Refusal: why}, at: -1}
}

// PackRefusal says why rows cannot be packed behind an instruction of f, of whose tables nothing is known;
// "" where they can.
func (t *Target) PackRefusal(f *kernel.Func, at int) string {
	return cmp.Or(t.mayPack(f, nil), packRefusal(f, at))
}

// leaving is a place of a body behind which few of the rows may be left.
type leaving struct {
	at   int
	name string
	left float64
}

// placesToPack are the probes of f but for merges, and the last of the filters before each probe and before the sink: how many
// rows these leave, what follows says, and whether warps wait behind them.
func (t *Target) placesToPack(f *kernel.Func, rows float64) []leaving {
	var places []leaving
	filter := -1
	filtered := func(left float64) {
		if filter >= 0 && left > 0 && left < rows && t.loadedBehind(f, filter) > 0 {
			places = append(places, leaving{filter, "conditions", left})
		}
		filter = -1
	}
	for at, in := range f.Body {
		switch in := in.(type) {
		case *kernel.Filter:
			filter = at
		case *kernel.Probe:
			filtered(in.Rows.In)
			if len(in.Keys) > 0 && in.Sorted == nil {
				places = append(places, leaving{at, f.Inputs[in.Input].Name, in.Rows.Out})
			}
		}
	}
	switch s := f.Sink.(type) {
	case *kernel.Aggregate:
		filtered(s.Rows)
	case *kernel.Build:
		filtered(s.Rows)
	}
	return places
}

// Packed returns f with rows packed behind a filter or a probe of its body, which must not refuse it.
func Packed(f *kernel.Func, at int) *kernel.Func {
	with := *f
	with.Body = slices.Clone(f.Body)
	with.Body[at] = withPacking(f.Body[at], true)
	return &with
}

// lookedUp is what the look-ups of the probes up to a place cost, with some of the filters.
func lookedUp(choices []filterChoice, taken []int, end int) float64 {
	sum := 0.0
	for i := range choices {
		if choices[i].at < end {
			sum += choices[i].offers[taken[i]].Cost
		}
	}
	return sum
}

// loads is how many columns and payloads are loaded behind an instruction.
func loads(f *kernel.Func, at int) int {
	n := 0
	read := make(map[kernel.ValueID]bool)
	of := make(map[kernel.ValueID]bool)
	if s, ok := f.Source.(*kernel.Scan); ok {
		for _, c := range s.Cols {
			of[c.Dst] = true
		}
	}
	kernel.VisitBlock(f.Body[:at+1], func(id *kernel.ValueID) { read[*id] = true })
	for _, in := range f.Body {
		if p, ok := in.(*kernel.Probe); ok {
			for _, c := range p.Payload {
				of[c.Dst], read[c.Dst] = true, false
			}
		}
	}
	note := func(id *kernel.ValueID) {
		if of[*id] && !read[*id] {
			read[*id] = true
			n++
		}
	}
	kernel.VisitBlock(f.Body[at+1:], note)
	for _, id := range sinkValues(f.Sink) {
		note(&id)
	}
	return n
}

// loadedBehind is how many things are loaded behind an instruction, one after the other: columns, payloads, and
// what look-ups, merges and hash tables read. Columns and look-ups behind conditions are left out: other
// warps read what the conditions are of meanwhile. A merge that goes over several rows of a key counts as a look-up:
// packing does not shorten it (docs/measurements/2026-11-24-packing.md).
func (t *Target) loadedBehind(f *kernel.Func, at int) float64 {
	n, lookUp := float64(loads(f, at)), 1.0
	if _, ok := f.Body[at].(*kernel.Filter); ok {
		n, lookUp = 0, 0
	}
	for _, in := range f.Body[at+1:] {
		switch p, ok := in.(*kernel.Probe); {
		case !ok:
		case p.Sorted != nil && p.Sorted.Unique:
			n += t.Device.Filters.Merge
		default:
			n += lookUp
		}
	}
	if t.insertsAtOnce(f) {
		n += t.Device.Filters.Insert
	}
	return n
}

// insertsAtOnce reports whether f puts each row into a hash table that all blocks share.
func (t *Target) insertsAtOnce(f *kernel.Func) bool {
	switch s := f.Sink.(type) {
	case *kernel.Build:
		b := &renderer{target: t, f: f}
		return b.tableLayout(s, b.buildKeys(s)) != LayoutCells
	case *kernel.Aggregate:
		return s.Strategy == kernel.Hash && s.Device == oneForAll || s.Marks > 0
	}
	return false
}

// idle is what warps wait for what is loaded behind a probe, one thing after the other, however few
// of their rows are left: as far as the look-ups until then take no longer. Warps without a row left
// are counted as well: SSB Q2.3 keeps a row of 1,000, and takes 0.34 ms on one NVIDIA H200 where its rows
// stay, and 0.15 packed (docs/measurements/2026-11-23-device.md).
func (t *Target) idle(f *kernel.Func, at int, rows, lookedUp float64) float64 {
	wait := t.Device.Waits(rows, t.loadedBehind(f, at))
	if liveWords(f) > maxLargeLive {
		wait *= largeThreads / fewLargeThreads // there are fewer warps to hide it
	}
	return max(wait-lookedUp, 0)
}

// mayPack says why rows cannot be packed anywhere in f, whose tables some kernels make; "" where they can.
func (t *Target) mayPack(f *kernel.Func, builds map[int]*kernel.Func) string {
	switch s := f.Sink.(type) {
	case *kernel.Build:
	case *kernel.Materialize:
		if s.Ordered || s.Limit >= 0 {
			return "the order of the rows means something, or not all are wanted"
		}
	case *kernel.Aggregate:
		if s.Strategy == kernel.Ordered || ordersRows(f) {
			return "groups are runs of rows in their order"
		}
	default:
		return "only rows that are aggregated, written or put into a table come in any order, warp by warp"
	}
	for _, in := range f.Body {
		p, ok := in.(*kernel.Probe)
		_, repeats := in.(*kernel.Repeat)
		merges := ok && p.Sorted != nil && !p.Sorted.Unique && (p.Kind == kernel.ProbeInner || p.Kind == kernel.ProbeLeft)
		if repeats || merges || ok && (mayExpand(p) || p.Expand != "") && !findsOne(p, builds) {
			return "the threads of a block wait for each other"
		}
	}
	if s, ok := f.Sink.(*kernel.Aggregate); ok && !isSingle(s) && !t.meetsOnlyWarps(f, s) {
		return "the threads of a block find groups together, or each has its own"
	}
	return ""
}

// findsOne reports whether a probe is likely to find one match at most, by what is estimated of the keys of
// its table. Where it finds several the rows stay: see PacksMatches.
func findsOne(p *kernel.Probe, builds map[int]*kernel.Func) bool {
	if p.Sorted != nil || builds[p.Input] == nil {
		return false
	}
	s, ok := builds[p.Input].Sink.(*kernel.Build)
	return ok && !s.Repeats
}

// PacksMatches reports whether f packs rows of which a probe makes several, with the tables that there are:
// the threads of a block wait for each other then.
func PacksMatches(f *kernel.Func, shapes []InputShape) bool {
	return packedBehind(f) >= 0 && (&renderer{f: f, shapes: shapes}).multiplies()
}

// packRefusal says why rows cannot be packed behind an instruction of f, where they may elsewhere.
func packRefusal(f *kernel.Func, at int) string {
	for _, in := range f.Body[:at+1] {
		if p, ok := in.(*kernel.Probe); ok && p.Kind == kernel.ProbeLeft && len(p.Payload) > 0 {
			return "rows without a match would have to be told from others"
		}
	}
	if s, ok := f.Sink.(*kernel.Aggregate); ok && isSingle(s) && !slices.ContainsFunc(f.Body[at+1:], isProbe) {
		return "nothing is looked up behind it, and there is one group" // SSB Q1.2: 0.20 ms packed, 0.13 where rows stay
	}
	w := waitingBehind(f, at, sinkValues(f.Sink))
	for _, id := range w.values {
		if v := &f.Values[id]; v.Type == kernel.Num || v.Type == kernel.Interval {
			return fmt.Sprintf("a value of type %s would have to wait", v.Type)
		}
	}
	return ""
}

func isProbe(in kernel.Instr) bool {
	_, ok := in.(*kernel.Probe)
	return ok
}

// meetsOnlyWarps reports whether an aggregation brings no more threads together than those of a warp,
// and none of them counts its own rows.
func (t *Target) meetsOnlyWarps(f *kernel.Func, s *kernel.Aggregate) bool {
	r := newRenderer(t, f, PlainShapes(f))
	g := r.layOut(s)
	if r.err != nil {
		return false
	}
	how := g.decided()
	return r.err == nil && how.strategy.Adding(g).Refusal == ""
}
