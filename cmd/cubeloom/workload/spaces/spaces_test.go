package spaces

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/runtime/tune"
)

// grid is a part of two axes whose configurations take what a function says, in every block.
func grid(columns, rows int, time func(x, y int) float64) *Part {
	p := &Part{Strategy: "hash", Start: []int{0, 0}, Axes: []Axis{{Name: "x"}, {Name: "y"}}}
	for x := range columns {
		p.Axes[0].Values = append(p.Axes[0].Values, int64(1)<<x)
	}
	for y := range rows {
		p.Axes[1].Values = append(p.Axes[1].Values, int64(1)<<y)
	}
	for i := range columns * rows {
		at := p.at(i)
		t := int64(1e6 * time(at[0], at[1]))
		p.Points = append(p.Points, Point{Times: []int64{t, t, t, t}})
	}
	return p
}

// bowl has its minimum at (6, 2).
func bowl(x, y int) float64 {
	return math.Pow(1.3, math.Abs(float64(x-6))+math.Abs(float64(y-2)))
}

func TestSearchOfRecordedTimes(t *testing.T) {
	p := grid(11, 11, bowl)
	o := Search([]*Part{p}, tune.Defaults)
	if o.Quality != 1 || o.Blocks != tune.Window*o.Configurations || o.Effort <= 0 || o.Effort > 0.1 || o.Cost <= 0 || o.Overhead <= 0 || o.Overhead >= 1 {
		t.Errorf("found %+v", o)
	}
	slow := grid(11, 11, func(x, y int) float64 { return 20 * bowl(x, y) })
	both := Search([]*Part{slow, p}, tune.Defaults)
	if both.Quality != 1 || both.Configurations != o.Configurations+1 {
		t.Errorf("together %+v, alone %+v", both, o)
	}
	if s := Summarize([]Outcome{o, {Quality: 1.005, Cost: 10}, {Quality: 1.4, Cost: 1e6}}); s.Worst != 1.4 || math.Abs(s.Within-2./3) > 1e-9 || math.Abs(s.Fastest-1./3) > 1e-9 || s.Cost != o.Cost {
		t.Errorf("summary %+v", s)
	}
}

func TestMinima(t *testing.T) {
	for name, c := range map[string]struct {
		time func(x, y int) float64
		want int
	}{
		"a bowl":      {bowl, 1},
		"a plain":     {func(int, int) float64 { return 1 }, 1},
		"two valleys": {func(x, _ int) float64 { return 1 + math.Abs(math.Sin(float64(x)*math.Pi/4)) }, 3},
	} {
		if got := grid(9, 5, c.time).Minima(); got != c.want {
			t.Errorf("%s has %d minima, want %d", name, got, c.want)
		}
	}
	p := grid(3, 1, func(int, int) float64 { return 1 })
	p.Points[1] = Point{Refusal: "no room"}
	if got := p.Minima(); got != 2 {
		t.Errorf("what cannot be lies between %d minima", got)
	}
}

func TestVariation(t *testing.T) {
	p := grid(1, 1, bowl)
	p.Points[0].Times = []int64{900, 500, 100, 100, 100}
	if counts := p.Discarded(7); counts[2] != 1 {
		t.Errorf("the first two are slow: %v", counts)
	}
	if v := p.Variation(); math.Abs(v-1.052) > 0.001 {
		t.Errorf("variation %v", v)
	}
}

func TestMeasureGivesSlowOnesUp(t *testing.T) {
	p := &Part{Axes: []Axis{{Name: "x", Values: []int64{1, 2, 3}}}, Start: []int{0}}
	runs := make(map[int64]int) // of two blocks each
	fastest, err := p.Measure(0, 8, func(values []int64) ([]int64, string, error) {
		runs[values[0]]++
		if values[0] == 3 {
			return nil, "no room", nil
		}
		return slices.Repeat([]int64{10 + 1000*(values[0]-1)}, 2), "", nil
	})
	if err != nil || fastest != 10 || runs[1] != 4 || runs[2] != 2 || runs[3] != 1 || len(p.Points[1].Times) != 4 || !p.Points[1].GivenUp || p.Points[2].Refusal == "" {
		t.Errorf("fastest %v, runs %v, points %+v, %v", fastest, runs, p.Points, err)
	}
}

func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`{`: "unexpected end",
		`{"spaces": [{"name": "g", "parts": [{"strategy": "s", "axes": [{"name": "x", "values": [1, 2]}], "start": [0], "points": []}]}]}`:                         "0 points for 2",
		`{"spaces": [{"name": "g", "parts": [{"strategy": "s", "axes": [{"name": "x", "values": [1]}], "start": [1], "points": [{"nanoseconds": [1]}]}]}]}`:        "the start has value 1",
		`{"spaces": [{"name": "g", "parts": [{"strategy": "s", "axes": [{"name": "x", "values": [1]}], "start": [], "points": [{"nanoseconds": [1]}]}]}]}`:         "the start has 0 parameters",
		`{"spaces": [{"name": "g", "parts": [{"strategy": "s", "axes": [{"name": "x", "values": [1]}], "start": [0], "points": [{"refusal": "no"}]}]}]}`:           "the start cannot be: no",
		`{"spaces": [{"name": "g", "parts": [{"strategy": "s", "axes": [{"name": "x", "values": [1, 2]}], "start": [0], "points": [{"nanoseconds": [1]}, {}]}]}]}`: "configuration x 2 has no times",
	} {
		file := filepath.Join(t.TempDir(), "r.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// TestModelledSearches has the searches that are frugal find as good configurations as the others on
// computed times, in less than half of the time.
func TestModelledSearches(t *testing.T) {
	threads, blocks := Axis{Name: "threads", Values: []int64{32, 64, 128, 256, 512, 1024}}, Axis{Name: "blocks", Values: []int64{1, 2, 3, 4, 6, 8, 12, 16, 24, 32}}
	shared := Axis{Name: "shared", Values: []int64{8 << 10, 24 << 10, 48 << 10, 96 << 10, 200 << 10}}
	parts := []Part{
		{Strategy: "block", Axes: []Axis{threads, blocks, shared}, Start: []int{3, 5, 1}},
		{Strategy: "wide", Axes: []Axis{blocks, shared}, Start: []int{0, 4}},
		{Strategy: "shared", Axes: []Axis{threads, blocks}, Start: []int{3, 5}},
	}
	device := machine.Default().Device
	recording := Model(&device, &machine.StandIn, parts, 28, 7)
	again := Model(&device, &machine.StandIn, parts, 28, 7)
	if !reflect.DeepEqual(recording, again) {
		t.Error("the same seed gives other times")
	}
	for _, s := range recording.Spaces {
		for i := range s.Parts {
			if err := s.Parts[i].check(); err != nil {
				t.Errorf("%s, %s: %v", s.Name, s.Parts[i].Strategy, err)
			}
		}
	}
	printed, frugal := searches([]*Recording{recording}, tune.Defaults).Each, searches([]*Recording{recording}, tune.Frugal).Each
	if frugal.Effort > printed.Effort/2 || frugal.Cost > printed.Cost || frugal.Worst > 1.02*printed.Worst || frugal.Within < printed.Within-0.05 {
		t.Errorf("frugal searches: %+v\nas the paper prints them: %+v", frugal, printed)
	}
}
