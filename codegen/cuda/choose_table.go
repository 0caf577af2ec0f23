package cuda

import (
	"fmt"
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// builtTable is a table that is built, and the probes that look keys up in it.
type builtTable struct {
	t      *Target
	f      *kernel.Func
	s      *kernel.Build
	probes []*kernel.Probe
	cached bool // the cache holds an array over the keys
}

// tables are the ways in which a table finds keys, as the CPU calls them.
var tables = strategy.Table[*builtTable]{
	{Name: operators.DenseTable, Offer: (*builtTable).dense},
	{Name: operators.HashTable, Offer: (*builtTable).hash},
}

// ChooseTable returns f, which builds a table, with the way in which the table finds keys that is
// cheapest on the device, and what each would cost; the CPU's choice weighs caches that a
// device has not. An array of all keys that the device's cache holds is taken without a comparison. Probes
// are those that look keys up in the table.
func (t *Target) ChooseTable(f *kernel.Func, probes []*kernel.Probe) (*kernel.Func, []strategy.Decision, error) {
	s := f.Sink.(*kernel.Build)
	if s.Rows == 0 || len(s.Keys) == 0 {
		return f, nil, nil
	}
	b := &builtTable{t: t, f: f, s: s, probes: probes}
	offers := tables.Offers(b)
	if b.cached {
		offers[1].Refusal = "the cache holds an array of all keys, which finds one at once"
	}
	d, err := new(strategy.Preference).Choose("hash table on the device", offers...)
	if err != nil || d.Offers[0].Refusal != "" {
		return f, []strategy.Decision{d}, err
	}
	sink, with := *s, *f
	sink.Dense = d.Takes(operators.DenseTable)
	with.Sink = &sink
	return &with, []strategy.Decision{d}, nil
}

// dense is what an array over all values of the keys costs: rows that come in the order of
// the key find theirs beside each other.
func (b *builtTable) dense() strategy.Offer {
	with, figures := *b.s, &b.t.Device
	with.Dense = true
	r := &renderer{target: b.t, f: b.f}
	layout := r.tableLayout(&with, r.buildKeys(b.s))
	switch {
	case r.err != nil:
		return strategy.Offer{Refusal: r.err.Error()}
	case slices.ContainsFunc(b.s.Keys, func(k kernel.Key) bool { return k.NullSafe && b.f.Values[k.Val].Nullable }):
		return strategy.Offer{Refusal: "NULL is a value of a key"}
	case layout != LayoutCells && layout != LayoutDense:
		return strategy.Offer{Refusal: "the values of the keys are not known to lie in a small range"}
	}
	cells := float64(cellsOf(b.f, b.s))
	found, payload, cleared := cells/8, cells*payloadBytes(b.f, b.s), cells/8
	if layout == LayoutDense {
		found, payload, cleared = 8*cells, b.s.Rows*payloadBytes(b.f, b.s), 12*cells
	}
	bytes := payload + cleared
	if bytes > float64(figures.Groups.TableBytes) {
		return strategy.Offer{Refusal: fmt.Sprintf("%.0f bytes, more than %d", bytes, figures.Groups.TableBytes)}
	}
	b.cached = bytes <= float64(figures.Groups.CacheBytes)
	looked := b.t.looksUp(b.probes, 0, func(p *kernel.Probe) (float64, float64) {
		if p.InOrder {
			return 0, 0
		}
		return found, payload
	})
	return strategy.Offer{Detail: fmt.Sprintf("%.0f cells", cells), Cost: figures.Bytes(cleared + b.s.Rows*b.t.atomic(found) + looked)}
}

// hash is what a hash table costs, whose slots are apart whatever the order of the rows.
func (b *builtTable) hash() strategy.Offer {
	slots := 8 * math.Exp2(math.Ceil(math.Log2(2*max(b.s.Rows, 1))))
	payload := b.s.Rows * payloadBytes(b.f, b.s)
	looked := b.t.looksUp(b.probes, b.t.Device.Filters.Test, func(*kernel.Probe) (float64, float64) { return slots, payload })
	return strategy.Offer{Cost: b.t.Device.Bytes(slots + b.s.Rows*b.t.atomic(slots) + looked)}
}

// looksUp is what the rows of probes take that look keys up among so many bytes, hash each first, and
// read what they find among so many more.
func (t *Target) looksUp(probes []*kernel.Probe, hashes float64, bytes func(*kernel.Probe) (found, payload float64)) float64 {
	sum := 0.0
	for _, p := range probes {
		found, payload := bytes(p)
		in, share := foundOf(p)
		sum += in * (hashes + t.findCost(found, p.Rows.Table, share))
		if len(p.Payload) > 0 {
			sum += in * share * t.Device.Filters.Lookup(payload)
		}
	}
	return sum
}

// findCost is what finding a key takes among so many bytes, of a table of so many rows: as many keys
// as a filter in shared memory has room for may be tested there before, of which a share is found.
func (t *Target) findCost(bytes, rows, share float64) float64 {
	figures, cost := &t.Device.Filters, t.Device.Filters.Lookup(bytes)
	if rows > 0 && rows*figures.Bits/8 <= float64(t.Device.Groups.WideBytes) {
		cost = min(cost, figures.Test+share*cost)
	}
	return cost
}

// atomic is what an atomic operation takes somewhere among so many bytes.
func (t *Target) atomic(bytes float64) float64 {
	if bytes > float64(t.Device.Groups.CacheBytes) {
		return float64(t.Device.Groups.Missed)
	}
	return float64(t.Device.Groups.Atomic)
}

// payloadBytes is what a row of a table takes beside its key.
func payloadBytes(f *kernel.Func, s *kernel.Build) float64 {
	n := 0
	for _, id := range s.Payload {
		n += 4 * words(f.Values[id].Type)
	}
	return float64(n)
}
