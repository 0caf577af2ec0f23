package cuda

import (
	"fmt"
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// Fanout is how the matches of an expansion spread over the rows that are looked up.
type Fanout struct {
	Rows       float64 // that have matches
	Matches    float64 // of all of them
	WarpTurns  float64 // in which warps go over the matches of their rows, each waiting for the row with the most
	BlockTurns float64 // the same of blocks
	Heaviest   float64 // matches of the tile with the most
	Longest    float64 // matches of the row with the most
	Text       string  // where this is known from
}

// Spread is how the rows of a table spread over its keys.
type Spread struct {
	Keys, Rows, Longest int64 // keys that have rows, rows with a key, rows of the key with the most
	Squares             float64
}

// The rows of a turn of a warp and those of a tile that costs are computed for, and how uneven matches are
// taken to be where nothing is known: how many times as many turns it takes as if all rows
// had the same.
const (
	turnRows = 128
	tileRows = 1024
	uneven   = 3
)

// evenly is the fan-out of which no more than means are known.
func evenly(rows, matches float64) Fanout {
	return Fanout{
		Rows: rows, Matches: rows * matches, Heaviest: min(rows, tileRows) * matches, Longest: uneven * matches,
		WarpTurns: rows / turnRows * matches * uneven, BlockTurns: rows / tileRows * matches * uneven,
	}
}

// over is the fan-out of so many rows that have any of the table's keys.
func (s *Spread) over(rows float64) Fanout {
	mean, deviation, longest := s.mean(), s.deviation(), float64(s.Longest)
	return Fanout{
		Rows: rows, Matches: rows * mean, Heaviest: max(min(rows, tileRows)*mean, longest), Longest: longest,
		WarpTurns:  math.Ceil(rows/turnRows) * min(mean+2*deviation, longest),
		BlockTurns: math.Ceil(rows/tileRows) * min(mean+3*deviation, longest),
		Text:       s.text(),
	}
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
	f := Fanout{
		Rows: scale * float64(words[sampledRows]), Matches: scale * float64(words[sampledMatches]),
		WarpTurns: scale * float64(words[sampledWarpTurns]), BlockTurns: scale * float64(words[sampledBlockTurns]),
		Heaviest: float64(words[sampledHeaviest]), Longest: float64(words[sampledLongest]),
	}
	f.Text = fmt.Sprintf("%s; of %.4g rows %.4g have %.4g matches, a warp's %.4g turns of %.4g if they were even, a tile at most %.4g",
		s.text(), rows, f.Rows, f.Matches, f.WarpTurns, f.Matches/turnRows, f.Heaviest)
	if scale > 1 { // a key that the sample has missed
		f.Longest = float64(s.Longest)
		f.Heaviest = max(f.Heaviest, f.Longest)
	}
	return f
}

// Fanouts are those of the expansions of f whose forms are open, by their places in its body, when the tables
// are known, and a sample of the source was looked up in the first of them.
func Fanouts(f *kernel.Func, spreads map[int]*Spread, sample []int64, rows float64) map[int]Fanout {
	fanouts := make(map[int]Fanout)
	for i, in := range f.Body {
		p, ok := in.(*kernel.Probe)
		if !ok || p.Sorted != nil || spreads[p.Input] == nil || p.Kind != kernel.ProbeInner && p.Kind != kernel.ProbeLeft {
			continue
		}
		fanout := spreads[p.Input].over(rows)
		if sample != nil && len(fanouts) == 0 {
			fanout = spreads[p.Input].sampled(sample, rows)
		}
		fanouts[i] = fanout
		rows = fanout.Matches
	}
	return fanouts
}
