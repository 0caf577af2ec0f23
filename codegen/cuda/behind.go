package cuda

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// behind finds what an aggregation does with its rows, by the strategy that it names; nothing
// is known of sinks of other kinds.
func (t *Target) behind(f *kernel.Func, shapes []InputShape) Behind {
	figures := &t.Device.Expand
	b := Behind{all: Added{Turn: figures.CellTurn}}
	s, ok := f.Sink.(*kernel.Aggregate)
	if !ok || isSingle(s) || s.Strategy == kernel.Ordered {
		return b
	}
	r := newRenderer(t, f, shapes)
	g := r.layOut(s)
	if r.err != nil {
		return b
	}
	how := g.decided()
	if r.err != nil {
		return b
	}
	a := how.strategy.Adding(g)
	if a.Refusal != "" {
		return Behind{all: Added{figures.ThreadTurn, figures.SlotAdd}, Private: true, Replicas: Lanes}
	}
	b = Behind{slot: Added{figures.SlotTurn, figures.SlotAdd}, cell: Added{figures.CellTurn, figures.CellAdd}, found: a.Found, groups: g.groups(), Replicas: a.Replicas}
	if !g.Layout.Dense {
		b.cell = Added{figures.SoughtTurn, b.cell.Each + figures.Sought}
	}
	share := a.Slots
	if b.found != nil && b.groups > 0 {
		share = b.found(b.groups)
	}
	if b.Large = a.Large; a.Large {
		b.Start = figures.LargeStart
	}
	b.all = b.with(share)
	return b
}

// AsInBlock is what an offer says of a form that deals matches out as form block does, where
// threads accumulate in cells of their own.
const AsInBlock = "as in block: threads accumulate in cells of their own"

// Adding is what the rows of all matches take behind the expansion, in nanoseconds, beside
// what each waits for.
func (x *Expansion) Adding() float64 { return x.adding(x.Behind.all) }

func (x *Expansion) adding(a Added) float64 { return x.Device().Bytes(x.Fanout.Matches * a.Each) }

// AddingNear is Adding where each block has rows that lie beside each other, and so adds to fewer groups.
func (x *Expansion) AddingNear() float64 {
	b, f := &x.Behind, &x.Fanout
	if b.found == nil || b.groups == 0 || f.Run == 0 {
		return x.Adding()
	}
	keys := f.Source/float64(x.Device().Expand.Multiprocessors)/f.Run + 1
	return x.adding(b.with(b.found(min(b.groups, keys*f.Matches/f.Source))))
}

// Turn is how many nanoseconds it takes until a match is read and added that nothing hides.
func (x *Expansion) Turn() float64 { return x.Behind.all.Turn }

// tiles is how many tiles the source has.
func (x *Expansion) tiles() float64 {
	return math.Ceil(x.Fanout.Source / (tileRows * x.Behind.Blocks()))
}

// Idle is how many multiprocessors there are for each that has a tile.
func (x *Expansion) Idle() float64 {
	return max(float64(x.Device().Expand.Multiprocessors)/max(x.tiles(), 1), 1)
}

// TilesAbove is how many tiles are likely to have more than so many matches, fewer than
// the heaviest has.
func (x *Expansion) TilesAbove(matches float64) float64 {
	tiles := x.tiles()
	mean := x.Fanout.Matches / max(tiles, 1)
	deviation := max(x.Fanout.Heaviest-mean, 1) / tailOfTile
	return max(tiles*math.Erfc((matches-mean)/deviation/math.Sqrt2)/2, 1)
}

// Far is the share of the matches that a multiprocessor's first cache does not hold.
func (x *Expansion) Far() float64 {
	near := x.Device().Expand.NearBytes
	if x.Behind.Large {
		near = x.Device().Expand.NearLarge
	}
	bytes, columns := 0, x.shapes[x.Probe.Input].Columns // of a table in order; else the payload
	if t := x.shapes[x.Probe.Input].Table; t != nil {
		columns = t.Payload
	}
	for _, c := range x.Probe.Payload {
		if _, only := onlyValue(&x.f.Values[c.Dst]); !only {
			bytes += columns[c.Ordinal].Encoding.Width()
		}
	}
	table := x.Fanout.Table * float64(bytes)
	return max(table-near, 0) / max(table, 1)
}
