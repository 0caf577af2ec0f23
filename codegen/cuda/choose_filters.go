package cuda

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// NoFilters is the name of the strategy that looks every key up.
const NoFilters = "none"

// FilterForms are the names of the ways in which keys are tested before they are looked up.
func FilterForms() []string {
	return []string{NoFilters, string(kernel.ExactFilter), string(kernel.BloomFilter)}
}

// The threads of a block with large filters, as those of strategy wide.
const (
	fewLargeThreads = 512
	largeThreads    = 1024
	maxLargeLive    = 8
)

// sinkRoom is the shared memory of a block that a sink takes beside filters, at most.
type sinkRoom struct {
	bytes   int64
	threads int // of a block, at most
	// cached is what blocks of the usual size may take for the cache to hold what rows are looked up in; 0: there is no limit.
	cached  int64
	refusal string // why blocks have none for filters
}

// blockThreads is the size of blocks that take so many bytes for filters and rows that wait, by their size:
// those that leave no room for several blocks on a multiprocessor, or for the cache, are large.
func (r sinkRoom) blockThreads(own func(threads int) int64, d *machine.Device) int {
	crowds := func(n int) bool {
		return (own(n)+r.bytes)*d.Filters.Resident/int64(n) > d.Groups.WideBytes || r.cached > 0 && r.bytes*threads/int64(n) > r.cached
	}
	n := threads
	for n < r.threads && crowds(n) {
		n *= 2
	}
	return n
}

// taken is the shared memory of a multiprocessor that such blocks take together, slots of groups included
// as far as there is room.
func (r sinkRoom) taken(own int64, d *machine.Device) int64 {
	resident := max(d.Filters.Resident/int64(r.blockThreads(func(int) int64 { return own }, d)), 1)
	return min(own*resident+r.bytes*d.Filters.Resident/threads, d.Groups.WideBytes)
}

func (t *Target) sinkRoom(f *kernel.Func, shapes []InputShape) sinkRoom {
	room := sinkRoom{threads: largeThreads}
	if liveWords(f) > maxLargeLive {
		room.threads = fewLargeThreads
	}
	s, ok := f.Sink.(*kernel.Aggregate)
	switch {
	case !ok:
		return room
	case s.Strategy == kernel.Ordered || ordersRows(f):
		return sinkRoom{refusal: "blocks go over their rows in order"}
	case isSingle(s):
		room.threads = fewLargeThreads
		room.bytes = fewLargeThreads / 2 * stateBytes * int64(len(s.Accs))
		return room
	}
	r := newRenderer(t, f, shapes)
	g := r.layOut(s)
	if r.err != nil {
		return sinkRoom{refusal: r.err.Error()}
	}
	return g.room(room)
}

// room is what the strategy of an aggregation takes.
func (g *Grouping) room(room sinkRoom) sinkRoom {
	figures := &g.target.Device.Groups
	slots := int64(cmp.Or(g.Cells(), g.LikelyCells())) * int64(4*g.Layout.Planes)
	room.bytes = figures.ProbingBytes
	if g.Matches() > 1 {
		room.bytes = figures.SlotBytes
	}
	if g.Layout.Dense && slots > room.bytes && slots <= figures.BlockBytes {
		room.bytes, room.cached = slots, figures.ProbingBytes
	}
	if g.s.Device == "" {
		return room
	}
	switch a := g.target.find(g.s.Device).Adding(g); {
	case a.Large:
		return sinkRoom{refusal: "slots of groups take the shared memory of a multiprocessor"}
	case a.Refusal != "":
		room.bytes, room.threads = figures.ThreadBytes, threads
	}
	return room
}

// filterThreads is the size of the blocks of a kernel.
func (r *renderer) filterThreads() int {
	if ownBytes(r.f, threads) == 0 && len(r.f.Inputs) == 1 {
		return threads
	}
	return r.target.sinkRoom(r.f, r.shapes).blockThreads(func(n int) int64 { return ownBytes(r.f, n) }, &r.target.Device)
}

// filterRoom is the shared memory of a block that filters may take together, or why there is none.
func (t *Target) filterRoom(f *kernel.Func) (room int64, refusal string) {
	sink := t.sinkRoom(f, PlainShapes(f))
	staged := int64(0)
	if (&renderer{target: t, f: f, shapes: PlainShapes(f)}).stagedForms() > 0 {
		staged = stagedBytes
	}
	room = t.Device.Groups.WideBytes - sink.bytes - staged
	if sink.threads == threads { // several blocks share a multiprocessor
		room = t.Device.Groups.WideBytes/fewBlocks - sink.bytes
	}
	if sink.refusal == "" && room <= 0 {
		sink.refusal = "the sink takes the shared memory of a block"
	}
	return room, sink.refusal
}

// fewBlocks is how many blocks of the usual size share a multiprocessor at least.
const fewBlocks = 3

// filterChoice is a probe with the ways in which its keys may be tested.
type filterChoice struct {
	at      int // in the body
	offers  []strategy.Offer
	filters []kernel.KeyFilter
	rows    float64 // that come to the probe
	bytes   float64 // of the table
}

// filterChoices asks for each probe of f what a filter before its table would save, and returns the
// shared memory that there is for all.
func (t *Target) filterChoices(f *kernel.Func, builds map[int]*kernel.Func) (choices []filterChoice, room int64) {
	room, refusal := t.filterRoom(f)
	for i, in := range f.Body {
		if p, ok := in.(*kernel.Probe); ok && p.Sorted == nil && len(p.Keys) > 0 && builds[p.Input] != nil {
			choices = append(choices, t.filterOffers(f, i, builds[p.Input], room, refusal))
		}
	}
	return choices, room
}

// withFilters returns f with the offers of choices that are taken.
func withFilters(f *kernel.Func, choices []filterChoice, taken []int, want strategy.Preference) (*kernel.Func, []strategy.Decision) {
	with := *f
	with.Body = slices.Clone(f.Body)
	var decisions []strategy.Decision
	for i, c := range choices {
		d := strategy.Decision{Of: "filter of keys on the device", Offers: c.offers}
		d.Take(taken[i], reasonOf(c.offers, taken[i], want))
		decisions = append(decisions, d)
		probe := *with.Body[c.at].(*kernel.Probe)
		probe.Filter = c.filters[taken[i]]
		with.Body[c.at] = &probe
	}
	return &with, decisions
}

// reasonOf says why an offer was taken.
func reasonOf(offers []strategy.Offer, taken int, want strategy.Preference) string {
	least := 0
	for i := range offers {
		if offers[i].Refusal == "" && offers[i].Cost < offers[least].Cost {
			least = i
		}
	}
	switch {
	case want.Force != "" && offers[taken].Strategy == want.Force:
		return want.Setting + " is " + want.Force
	case want.Force != "":
		return want.Setting + " is " + want.Force + ", which does not apply here"
	case !slices.ContainsFunc(offers[1:], func(o strategy.Offer) bool { return o.Refusal == "" }):
		return "nothing else applies"
	case taken != least:
		return "other uses of the room save more"
	}
	return "the cheapest"
}

// filterOffers are those of the probe at a place of the body.
func (t *Target) filterOffers(f *kernel.Func, at int, build *kernel.Func, room int64, refusal string) filterChoice {
	p, figures := f.Body[at].(*kernel.Probe), &t.Device.Filters
	s := build.Sink.(*kernel.Build)
	b := &renderer{target: t, f: build, noCells: p.Matches > 1}
	table := tableOf(b, s, p)
	in, found := foundOf(p)
	lookup := figures.Lookup(table.bytes)
	room = t.filterLimit(f, table.layout, room)
	none := strategy.Offer{Strategy: NoFilters, Cost: t.Device.Bytes(in * lookup), Detail: fmt.Sprintf("%s: %.0f bytes for %.3g rows, of which %.3g %% are found", f.Inputs[p.Input].Name, table.bytes, in, 100*found)}
	exact, bloom := strategy.Offer{Strategy: string(kernel.ExactFilter)}, strategy.Offer{Strategy: string(kernel.BloomFilter)}
	offer := func(o *strategy.Offer, words int64, passing, makes float64) kernel.KeyFilter {
		filter := kernel.KeyFilter{Form: kernel.FilterForm(o.Strategy), Words: words}
		bytes := bytesOfFilter(filter)
		o.Detail = fmt.Sprintf("%d bytes in shared memory", bytes)
		load := float64(bytes*t.Device.Expand.Multiprocessors) * figures.Load
		o.Cost = figures.Start + makes + t.Device.Bytes(load+in*figures.Test+in*passing*lookup)
		switch {
		case refusal != "":
			o.Refusal = refusal
		case bytes > room:
			o.Refusal = fmt.Sprintf("%d bytes do not fit the %d that blocks have for filters", bytes, room)
		}
		return filter
	}
	made := t.Device.Launch + t.Device.Bytes(table.bytes)
	c := filterChoice{at: at, filters: make([]kernel.KeyFilter, 3), rows: in, bytes: table.bytes}
	switch {
	case table.cells == 0:
		exact.Refusal = "the keys are in no small range"
	case table.layout == LayoutCells: // which are found then
		c.filters[1] = offer(&exact, (table.cells+31)/32, 0, 0)
	default:
		c.filters[1] = offer(&exact, (table.cells+31)/32, found, made)
	}
	words := int64(math.Ceil(table.rows * figures.Bits / 32))
	if fit := (room / 16) * 4; words > fit && table.rows*figures.MinBits/32 <= float64(fit) {
		words = fit
	}
	if table.rows == 0 {
		bloom.Refusal = "the number of keys is not known"
	} else {
		words = max(words, 4)
		pass := found + (1-found)*bloomPasses(table.rows/float64(words))
		c.filters[2] = offer(&bloom, words, pass, made)
	}
	c.offers = []strategy.Offer{none, exact, bloom}
	return c
}

// filterLimit is the room for a filter before a table of a layout. Where the threads of a block write its rows
// together, tile by tile, large blocks pay only if a look-up takes several loads: TPC-H Q20 at scale 10 takes
// 0.41 ms without a filter of two keys and 0.12 with it, Q8 at scale 40 2.7 without one of a set of bits and 3.7
// with it (docs/measurements/2026-11-23-scale100.md).
func (t *Target) filterLimit(f *kernel.Func, layout Layout, room int64) int64 {
	if _, aggregates := f.Sink.(*kernel.Aggregate); !aggregates && (layout == LayoutCells || layout == LayoutDense) {
		return min(room, t.Device.Groups.WideBytes/fewBlocks)
	}
	return room
}

// probed is what is likely to be known of a table.
type probed struct {
	layout Layout
	cells  int64 // that its keys may have; 0: it has none
	rows   float64
	bytes  float64 // where keys are looked up
}

func tableOf(b *renderer, s *kernel.Build, p *kernel.Probe) probed {
	keys := b.buildKeys(s)
	t := probed{layout: b.tableLayout(s, keys), rows: cmp.Or(p.Rows.Table, s.Rows)}
	slots := math.Exp2(math.Ceil(math.Log2(2 * max(t.rows, 1))))
	switch t.layout {
	case LayoutCells, LayoutDense:
		t.cells = cellsOf(b.f, s)
		t.bytes = float64(t.cells) / 8
		if t.layout == LayoutDense {
			t.bytes *= 64
		}
	case LayoutNarrow:
		t.bytes = 8 * slots
	default:
		t.bytes = 4*slots + 8*t.rows*float64(keyWords(keys))
	}
	return t
}

// TableLayout is how the table of a Build is likely to be laid out for a probe.
func (t *Target) TableLayout(build *kernel.Func, p *kernel.Probe) Layout {
	b := &renderer{target: t, f: build, noCells: p.Matches > 1}
	return tableOf(b, build.Sink.(*kernel.Build), p).layout
}

// cellsOf is the product of the ranges of a dense table's keys.
func cellsOf(f *kernel.Func, s *kernel.Build) int64 {
	cells := int64(1)
	for _, k := range s.Keys {
		_, extent, _ := KeyRange(&f.Values[k.Val])
		if k.NullSafe && f.Values[k.Val].Nullable {
			extent++
		}
		cells *= extent // which is used where it is known to be small
	}
	return cells
}

// foundOf is how many rows come to a probe, and the share of them that has a match.
func foundOf(p *kernel.Probe) (in, share float64) {
	in, share = cmp.Or(p.Rows.In, DefaultRows), 1
	if p.Rows.In > 0 && p.Matches <= 1 && p.Kind != kernel.ProbeLeft {
		share = min(p.Rows.Out/p.Rows.In, 1)
	}
	if p.Kind == kernel.ProbeAnti {
		share = 1 - share
	}
	return in, share
}

// bloomPasses is the share of other keys that pass a Bloom filter with so many keys for each of
// its words: how many bits of a word are set follows from a Poisson distribution of its keys.
func bloomPasses(keys float64) float64 {
	share, chance := 0.0, math.Exp(-keys)
	for n := 0; n <= maxWordKeys; n++ {
		set := 1 - math.Pow(31.0/32, float64(2*n))
		share += chance * set * set
		chance *= keys / float64(n+1)
	}
	return share
}

const maxWordKeys = 64

// WithoutFilters returns f without filters, and with rows that stay in their threads.
func WithoutFilters(f *kernel.Func) *kernel.Func {
	with := *f
	with.Body = slices.Clone(f.Body)
	for i, in := range f.Body {
		with.Body[i] = withPacking(in, false)
		if p, ok := with.Body[i].(*kernel.Probe); ok {
			p.Filter = kernel.KeyFilter{}
		}
	}
	return &with
}

// FilterBytes is the shared memory of a block that f needs for its filters, rows that wait and its sink, at the most.
func (t *Target) FilterBytes(f *kernel.Func, shapes []InputShape) int64 {
	own := ownBytes(f, (&renderer{target: t, f: f, shapes: shapes}).filterThreads())
	if own == 0 {
		return 0
	}
	return own + t.sinkRoom(f, shapes).bytes + t.Device.Groups.SpareBytes
}
