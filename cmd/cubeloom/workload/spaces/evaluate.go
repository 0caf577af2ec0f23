package spaces

import (
	"math"
	"slices"
	"time"

	"github.com/cubeloom/cubeloom/runtime/tune"
)

// Outcome is what a search made of a space.
type Outcome struct {
	Quality float64 `json:"quality"` // time of the found configuration, where that of the fastest is 1
	Cost    float64 `json:"cost"`    // blocks that could have been done in the time with the fastest, more than were done
	// Overhead is the time of the search itself as a share of that of the blocks and it.
	Overhead float64 `json:"overhead"`
	// Effort is the time up to the end as a share of that of measuring Blocks blocks of
	// every configuration.
	Effort         float64 `json:"effort"`
	Blocks         int     `json:"blocks"`
	Configurations int     `json:"configurations"`
}

// place is a configuration of one of several parts.
type place struct{ part, index int }

// Search searches parts, from the start of each, with the times that were recorded: the
// n-th block with a configuration takes what the n-th of those measured took.
func Search(parts []*Part, opts tune.Options) Outcome {
	var starts []place
	fastest, full := math.Inf(1), 0.0
	for i, p := range parts {
		starts = append(starts, place{i, p.index(p.Start)})
		_, mean := p.best()
		fastest = min(fastest, mean)
		full += p.full()
	}
	neighbors := func(c place) []place {
		var list []place
		for _, n := range parts[c.part].neighbors(c.index) {
			list = append(list, place{c.part, n})
		}
		return list
	}
	used := make(map[place]int)
	block := func(c place) float64 {
		times := parts[c.part].Points[c.index].Times
		if len(times) == 0 {
			return math.Inf(1)
		}
		n := used[c]
		used[c]++
		return float64(times[n%len(times)])
	}
	began := time.Now()
	s := tune.New(neighbors, starts, opts)
	spent := 0.0 // without those that cannot be, which take no time
	for !s.Done() {
		t := block(s.Next())
		if !math.IsInf(t, 1) {
			spent += t
		}
		s.Took(t)
	}
	own := float64(time.Since(began))
	best, _ := s.Best()
	blocks := 0
	for _, n := range used {
		blocks += n
	}
	_, configurations, _ := s.Effort()
	return Outcome{
		Quality: parts[best.part].Points[best.index].Mean() / fastest, Cost: spent/fastest - float64(blocks),
		Overhead: own / (own + spent), Effort: spent / full, Blocks: blocks, Configurations: configurations,
	}
}

// full is how long Blocks blocks of every configuration take.
func (p *Part) full() float64 {
	sum := 0.0
	for i := range p.Points {
		if m := p.Points[i].Mean(); !math.IsInf(m, 1) {
			sum += Blocks * m
		}
	}
	return sum
}

// Summary is what searches of many spaces came to.
type Summary struct {
	Spaces   int     `json:"spaces"`
	Fastest  float64 `json:"fastest"`  // share in which the fastest configuration was found
	Within   float64 `json:"within"`   // share in which it or one that is at most 1 % slower was
	Worst    float64 `json:"worst"`    // quality
	Cost     float64 `json:"cost"`     // median
	Overhead float64 `json:"overhead"` // median
	Effort   float64 `json:"effort"`   // median
	Blocks   float64 `json:"blocks"`   // median
}

// WithinOf is how much slower than the fastest a configuration may be that counts as found.
const WithinOf = 1.01

// Summarize sums searches up.
func Summarize(all []Outcome) Summary {
	s := Summary{Spaces: len(all)}
	for _, o := range all {
		s.Worst = max(s.Worst, o.Quality)
		if o.Quality <= 1 {
			s.Fastest += 1 / float64(len(all))
		}
		if o.Quality <= WithinOf {
			s.Within += 1 / float64(len(all))
		}
	}
	of := func(field func(*Outcome) float64) float64 {
		list := make([]float64, len(all))
		for i := range all {
			list[i] = field(&all[i])
		}
		return median(list)
	}
	s.Cost = of(func(o *Outcome) float64 { return o.Cost })
	s.Overhead = of(func(o *Outcome) float64 { return o.Overhead })
	s.Effort = of(func(o *Outcome) float64 { return o.Effort })
	s.Blocks = of(func(o *Outcome) float64 { return float64(o.Blocks) })
	return s
}

// median is that of a list; 0 of an empty one.
func median(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}
