package tune

import (
	"maps"
	"math"
	"math/rand/v2"
	"testing"
)

// at is a configuration of a grid of two axes.
type at struct{ x, y int }

// grid returns who lies beside whom in a grid of so many columns and rows.
func grid(columns, rows int) func(at) []at {
	return func(c at) []at {
		var list []at
		for _, n := range []at{{c.x - 1, c.y}, {c.x + 1, c.y}, {c.x, c.y - 1}, {c.x, c.y + 1}} {
			if n.x >= 0 && n.x < columns && n.y >= 0 && n.y < rows {
				list = append(list, n)
			}
		}
		return list
	}
}

// run carries a search out. It fails where a configuration is measured anew after another
// was, or where the search takes more blocks than all configurations could.
func run(t *testing.T, s *Search[at], configurations int, block func(at) float64) {
	t.Helper()
	tested := make(map[at]bool)
	var last at
	for n := 0; !s.Done(); n++ {
		c, known := s.Next(), len(s.times)
		if c != last && tested[c] {
			t.Fatalf("%v is evaluated twice", c)
		}
		if n > configurations*max(s.opts.MaxBlocks, 1) {
			t.Fatalf("the search has not ended after %d blocks", n)
		}
		tested[c], last = true, c
		s.Took(block(c))
		if len(s.times) > known+1 {
			t.Fatalf("a block has given %d times", len(s.times)-known)
		}
	}
	if blocks, n, _ := s.Effort(); n != len(tested) || blocks < n {
		t.Fatalf("the search says %d blocks for %d configurations; there were %d", blocks, n, len(tested))
	}
}

// bowl is a space with one minimum: farther from it, all is slower by a factor.
func bowl(lowest at, factor float64) func(at) float64 {
	return func(c at) float64 {
		return math.Pow(factor, math.Abs(float64(c.x-lowest.x))+math.Abs(float64(c.y-lowest.y)))
	}
}

func TestOneMinimum(t *testing.T) {
	for name, opts := range map[string]Options{"s = 0": Gradient, "s = 0.06": Defaults} {
		for _, factor := range []float64{1.02, 1.2, 3} {
			s := New(grid(11, 11), []at{{0, 10}}, opts)
			run(t, s, 121, bowl(at{7, 3}, factor))
			if best, time := s.Best(); best != (at{7, 3}) || time != 1 {
				t.Errorf("%s, factor %v: found %v, which takes %v", name, factor, best, time)
			}
			if blocks, n, spent := s.Effort(); blocks != Window*n || n > 121 || spent < float64(blocks) {
				t.Errorf("%s: %d blocks for %d configurations without noise, in %v", name, blocks, n, spent)
			}
		}
	}
}

// TestPlateau has the way to the minimum lead over a plain on which the start lies: only
// who sees equal times leaves it.
func TestPlateau(t *testing.T) {
	plain := func(c at) float64 {
		if c == (at{9, 0}) {
			return 0.5
		}
		return 1 + 0.001*float64(c.x%3)
	}
	s := New(grid(10, 1), []at{{0, 0}}, Defaults)
	run(t, s, 10, plain)
	if best, _ := s.Best(); best != (at{9, 0}) {
		t.Errorf("s = 0.06 ends at %v", best)
	}
	s = New(grid(10, 1), []at{{0, 0}}, Gradient)
	run(t, s, 10, plain)
	if best, _ := s.Best(); best != (at{0, 0}) {
		t.Errorf("s = 0 ends at %v, beyond slower ones", best)
	}
}

// TestBacktracks has one of two equal neighbors lead into a dead end.
func TestBacktracks(t *testing.T) {
	times := []float64{0.6, 0.97, 1, 1.02, 0.9, 0.4} // by x; the start is 2
	s := New(grid(6, 1), []at{{2, 0}}, Defaults)
	run(t, s, 6, func(c at) float64 { return times[c.x] })
	if best, _ := s.Best(); best != (at{0, 0}) {
		t.Errorf("found %v: what was alike and is slower than p times the fastest is pruned", best)
	}
	if _, tested := s.Time(at{4, 0}); tested {
		t.Error("the branch of 3 is gone on from, which takes 1.02 beside 0.6")
	}
	times[0] = 0.985
	s = New(grid(6, 1), []at{{2, 0}}, Defaults)
	run(t, s, 6, func(c at) float64 { return times[c.x] })
	if best, _ := s.Best(); best != (at{5, 0}) {
		t.Errorf("found %v, and not what lies behind the second branch", best)
	}
}

func TestOutliersAreDropped(t *testing.T) {
	blocks := make(map[at]int)
	space := bowl(at{5, 5}, 1.3)
	s := New(grid(8, 8), []at{{1, 1}}, Defaults)
	run(t, s, 64, func(c at) float64 {
		blocks[c]++
		if blocks[c] <= 2 { // the first ones are slow
			return 9 * space(c)
		}
		return space(c)
	})
	best, time := s.Best()
	if best != (at{5, 5}) || math.Abs(time-1) > 1e-9 {
		t.Errorf("found %v, which takes %v", best, time)
	}
	for c, n := range blocks {
		if n != Window+2 {
			t.Errorf("%v is measured in %d blocks, want those that are slow and a window", c, n)
		}
	}
}

// TestNoise has blocks that never take the same: a configuration gets as many as there
// may be, and no more.
func TestNoise(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	blocks := make(map[at]int)
	space := bowl(at{4, 2}, 1.5)
	s := New(grid(8, 8), []at{{7, 7}}, Defaults)
	run(t, s, 64, func(c at) float64 {
		blocks[c]++
		return space(c) * (0.95 + 0.1*random.Float64())
	})
	if best, _ := s.Best(); best != (at{4, 2}) {
		t.Errorf("found %v", best)
	}
	for c, n := range blocks {
		if n < Window || n > Defaults.MaxBlocks {
			t.Errorf("%v is measured in %d blocks", c, n)
		}
	}
}

// TestSeveralStarts searches two parts that no neighbor connects, as those of two strategies.
func TestSeveralStarts(t *testing.T) {
	parts := func(c at) []at { return grid(9, 1)(c) } // rows are parts
	s := New(func(c at) []at {
		list := parts(at{c.x, 0})
		for i := range list {
			list[i].y = c.y
		}
		return list
	}, []at{{0, 0}, {0, 1}, {0, 0}}, Defaults)
	run(t, s, 18, func(c at) float64 { return bowl(at{6, 0}, 1.2)(at{c.x, 0}) * float64(2-c.y) })
	if best, time := s.Best(); best != (at{6, 1}) || time != 1 {
		t.Errorf("found %v, which takes %v", best, time)
	}
	if _, tested := s.Time(at{6, 0}); tested {
		t.Error("the slow part is searched to its end")
	}
}

func TestConfigurationsThatCannotBe(t *testing.T) {
	blocks := 0
	s := New(grid(5, 1), []at{{0, 0}}, Defaults)
	run(t, s, 5, func(c at) float64 {
		if c.x < 2 {
			blocks++
			return math.Inf(1)
		}
		return float64(c.x)
	})
	if best, _ := s.Best(); best != (at{0, 0}) {
		t.Errorf("found %v beyond a neighbor that cannot be either", best)
	}
	if blocks != 2 {
		t.Errorf("%d blocks are lost on what cannot be", blocks)
	}
}

func TestEmptySpace(t *testing.T) {
	if s := New(grid(1, 1), nil, Defaults); !s.Done() {
		t.Error("a search without a start has not ended")
	}
	s := New(grid(1, 1), []at{{}}, Defaults)
	if s.Ahead() != Window {
		t.Errorf("%d blocks are certain at first", s.Ahead())
	}
	s.Took(1)
	s.Took(1.5)
	if s.Ahead() != 1 || s.Done() {
		t.Errorf("%d blocks are certain of a window with two", s.Ahead())
	}
	s.Took(1.5)
	s.Took(1.5)
	if best, time := s.Best(); !s.Done() || best != (at{}) || time != 1.5 {
		t.Errorf("found %v, %v; ended: %v", best, time, s.Done())
	}
}

// TestClearConfigurations has one block measured of one that is far slower, a little slower, or whose first block is
// slow, and two of one that may or may not be gone on from.
func TestClearConfigurations(t *testing.T) {
	blocks := make(map[at]int)
	times := []float64{1.5, 1, 1.007, 1, 1.08}
	s := New(func(at) []at { return []at{{0, 0}, {2, 0}, {3, 0}, {4, 0}} }, []at{{1, 0}}, Frugal)
	run(t, s, 5, func(c at) float64 {
		blocks[c]++
		if c.x == 3 && blocks[c] == 1 {
			return 2 * times[c.x]
		}
		return times[c.x]
	})
	want := map[at]int{{0, 0}: 1, {1, 0}: Window, {2, 0}: 1, {3, 0}: 1, {4, 0}: 2}
	if !maps.Equal(blocks, want) {
		t.Errorf("blocks %v, want %v", blocks, want)
	}
}

// TestFillingTable has a configuration whose first block takes longer, as that of the fastest so far did,
// be measured on.
func TestFillingTable(t *testing.T) {
	times := [][]float64{{2, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {1.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9}}
	blocks := make(map[at]int)
	s := New(grid(2, 1), []at{{0, 0}}, Frugal)
	run(t, s, 2, func(c at) float64 {
		blocks[c]++
		return times[c.x][blocks[c]-1]
	})
	if best, time := s.Best(); best != (at{1, 0}) || math.Abs(time-0.9) > 1e-9 {
		t.Errorf("found %v, which takes %v, after %v blocks", best, time, blocks)
	}
}
