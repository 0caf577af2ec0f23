package cuda

import (
	"fmt"
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// Fanout is how the matches of an expansion spread over the rows that are looked up.
type Fanout struct {
	Source     float64 // rows that are looked up
	Rows       float64 // of these that have matches
	Matches    float64 // of all of them
	Apart      float64 // of rows whose lane has another key than the one beside it
	WarpTurns  float64 // in which warps go over the matches of their rows, each waiting for the row with the most
	BlockTurns float64 // the same of blocks
	Heaviest   float64 // matches of the tile with the most
	Longest    float64 // matches of the row with the most
	Table      float64 // rows of the table where matches are found; 0 for unknown
	Run        float64 // rows beside each other that have a key, on the average; 0 for unknown
	Text       string  // where this is known from
}

// Spread is how the rows of a table spread over its keys.
type Spread struct {
	Keys, Rows, Longest int64 // keys that have rows, rows with a key, rows of the key with the most
	Squares             float64
}

// The rows of a turn of a warp, how many of them a lane has, and those of a tile that costs
// are computed for; and how uneven matches are taken to be where nothing is known: how many
// times as many the row with the most has as the others.
const (
	turnRows = 128
	laneRows = 4
	tileRows = 1024
	uneven   = 3
)

// evenly is the fan-out of which no more than means are known.
func evenly(rows, matches float64) Fanout {
	return Fanout{
		Source: rows, Rows: rows, Matches: rows * matches, Apart: rows * matches, Heaviest: min(rows, tileRows) * matches, Longest: uneven * matches,
		WarpTurns: rows / turnRows * matches * uneven, BlockTurns: rows / tileRows * matches * uneven,
	}
}

// How many standard deviations the row with the most matches of a warp has more than the mean,
// and the tile with the most of all more than theirs. Fan-outs have long tails.
const (
	tailOfTurn = 4.5
	tailOfTile = 3
)

// over is the fan-out of so many rows with any of some keys, at least those of the table, of
// which so many have the same beside each other on the average.
func (s *Spread) over(rows, keys, run float64) Fanout {
	mean, most := float64(s.Rows)/keys, float64(s.Longest)
	deviation := math.Sqrt(max(s.Squares/keys-mean*mean, 0))
	matches, n := rows*mean, min(rows, tileRows)
	alike := min(run, n)
	f := Fanout{
		Source: rows, Rows: rows * float64(s.Keys) / keys, Matches: matches, Longest: most, Table: float64(s.Rows), Run: run, Text: s.text(),
		Apart:    matches * min(laneRows/run+laneRows/turnRows, 1),
		Heaviest: min(max(n*mean+tailOfTile*deviation*math.Sqrt(n*alike), alike*most), matches, n*most),
	}
	turns := func(of float64) float64 {
		within := deviation * math.Sqrt(max(1-run/of, 0))
		return max(rows/of*min(mean+tailOfTurn*within, most), min(most, matches))
	}
	f.WarpTurns, f.BlockTurns = turns(turnRows), turns(tileRows)
	return f
}

func (s *Spread) mean() float64 { return float64(s.Rows) / max(float64(s.Keys), 1) }

// deviation is the standard deviation of the rows of a key.
func (s *Spread) deviation() float64 {
	mean := s.mean()
	return math.Sqrt(max(s.Squares/max(float64(s.Keys), 1)-mean*mean, 0))
}

func (s *Spread) text() string {
	return fmt.Sprintf("%d keys with %.4g rows each, deviation %.4g, at most %d", s.Keys, s.mean(), s.deviation(), s.Longest)
}

// sampled is the fan-out that a sample of a source of so many rows shows.
func (s *Spread) sampled(words []int64, rows float64) Fanout {
	tiles := math.Ceil(rows / tileRows)
	scale := max(tiles/maxSampled, 1)
	seen := func(word int) float64 { return scale * float64(words[word]) }
	f := Fanout{
		Source: rows, Rows: seen(sampledRows), Matches: seen(sampledMatches), Apart: seen(sampledApart), Table: float64(s.Rows),
		WarpTurns: seen(sampledWarpTurns), BlockTurns: seen(sampledBlockTurns),
		Heaviest: float64(words[sampledHeaviest]), Longest: float64(words[sampledLongest]),
	}
	f.Text = fmt.Sprintf("%s; of %.4g rows %.4g have %.4g matches, %.3g %% of them beside others of their key, a warp's %.4g turns of %.4g if they were even, a tile at most %.4g",
		s.text(), rows, f.Rows, f.Matches, 100*(1-f.Apart/max(f.Matches, 1)), f.WarpTurns, f.Matches/turnRows, f.Heaviest)
	if scale > 1 { // a key that the sample has missed
		f.Longest = float64(s.Longest)
		f.Heaviest = max(f.Heaviest, f.Longest)
	}
	return f
}

// Known is what a run knows before it goes over the rows: how the rows of tables spread over
// their keys, by the number of the input, and the number of rows of the source.
type Known struct {
	Spreads map[int]*Spread
	Rows    float64
}

// together is the order of rows of which those with a key lie beside each other.
const together = true

// fanouts are those of the expansions of f whose tables are known, by their places in its body.
// Where the plan does not know in which order the rows come, alike says whether those with a key
// lie together. A sample of the source is what was found in the first of the tables.
func (k *Known) fanouts(f *kernel.Func, alike bool, sample []int64) map[int]Fanout {
	fanouts := make(map[int]Fanout)
	rows, run := k.Rows, 1.0
	for i, in := range f.Body {
		p, ok := in.(*kernel.Probe)
		if !ok || p.Sorted != nil || k.Spreads[p.Input] == nil || p.Kind != kernel.ProbeInner && p.Kind != kernel.ProbeLeft {
			continue
		}
		s := k.Spreads[p.Input]
		keys := keysOf(f, p, s)
		if len(fanouts) == 0 && (p.InOrder || alike) {
			run = max(rows/keys, 1)
		}
		fanout := s.over(rows, keys, run)
		if sample != nil && len(fanouts) == 0 {
			fanout = s.sampled(sample, rows)
		}
		fanouts[i] = fanout
		rows, run = fanout.Matches, max(fanout.Matches/max(fanout.Rows, 1), 1)
	}
	return fanouts
}

// keysOf is how many keys rows may have that are looked up in a table: those of the table at
// least, and where the range of the key is known, all of it.
func keysOf(f *kernel.Func, p *kernel.Probe, s *Spread) float64 {
	keys := max(float64(s.Keys), 1)
	if len(p.Keys) == 1 {
		if r := f.Values[p.Keys[0].Val].Range; r.Known && r.Lo <= r.Hi {
			keys = max(keys, min(float64(r.Hi)-float64(r.Lo)+1, widestRange*keys))
		}
	}
	return keys
}

// widestRange is how many times as many keys as the table has a range is taken to hold at
// most: values of a wider one are likely to be few of it.
const widestRange = 64
