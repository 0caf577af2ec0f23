package workload

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
)

// Synthetic is a cube of one hierarchy with random fan-outs. Table cells has the base element
// of each cell and a value; table map the targets of the base elements, with weights.
type Synthetic struct {
	Cells     int64
	Elements  int64   // base elements
	Mean      float64 // targets of a base element
	Variation float64 // the standard deviation of their number, as a multiple of Mean, as it was drawn
	Targets   int64   // different targets
	First     bool    // cells are in the order of the hierarchy, and not in that of another dimension
	starts    []int64 // rows of the map before those of each element, and of all
}

// The bounds of synthetic cubes.
const (
	minSyntheticCells = 10_000
	maxSyntheticMean  = 1000
	maxVariation      = 16
	maxTargets        = 16 << 20
	maxAdditions      = 10e9
	maxMapRows        = 16 << 20
)

// DrawSynthetic draws cube number i of a seed: cells from 10,000 to so many, 1 to 1000
// targets of an element on the average, their variation from 0 to 16, 1 to 16 M different
// targets, at most 10 G additions. The map has at most half as many rows as there are cells.
func DrawSynthetic(seed uint64, i int, maxCells int64) *Synthetic {
	rnd := rand.New(rand.NewPCG(seed, uint64(i)))
	logUniform := func(lo, hi float64) float64 { return lo * math.Pow(hi/lo, rnd.Float64()) }
	s := &Synthetic{
		Cells: int64(logUniform(minSyntheticCells, float64(maxCells))), Mean: logUniform(1, maxSyntheticMean),
		Targets: int64(logUniform(1, maxTargets)), First: rnd.IntN(2) == 0,
	}
	if rnd.IntN(4) > 0 { // else all elements have as many
		s.Variation = logUniform(0.25, maxVariation)
	}
	rows := min(float64(s.Cells)/2, maxMapRows)
	s.Elements = int64(max(min(logUniform(16, 1<<16), rows/s.Mean), 1))
	s.draw(rnd, int64(rows))
	s.Cells = min(s.Cells, int64(maxAdditions/max(s.mean(), 1)))
	return s
}

// draw draws the fan-outs of the elements, log-normally distributed, at most so many in all.
func (s *Synthetic) draw(rnd *rand.Rand, most int64) {
	sigma := math.Sqrt(math.Log(1 + s.Variation*s.Variation))
	s.starts = make([]int64, 1, s.Elements+1)
	for range s.Elements {
		n := s.Mean * math.Exp(sigma*rnd.NormFloat64()-sigma*sigma/2)
		left := most - s.starts[len(s.starts)-1]
		s.starts = append(s.starts, s.starts[len(s.starts)-1]+min(int64(n+rnd.Float64()), left))
	}
	if s.rows() == 0 {
		s.starts[len(s.starts)-1] = 1
	}
}

func (s *Synthetic) rows() int64   { return s.starts[s.Elements] }
func (s *Synthetic) mean() float64 { return float64(s.rows()) / float64(s.Elements) }

// Additions is how many a cell's value makes in all, about.
func (s *Synthetic) Additions() float64 { return float64(s.Cells) * s.mean() }

// Spread returns the mean of the elements' fan-outs, and its variation.
func (s *Synthetic) Spread() (mean, variation float64) {
	squares := 0.0
	for i := range s.Elements {
		n := float64(s.starts[i+1] - s.starts[i])
		squares += n * n
	}
	mean = s.mean()
	return mean, math.Sqrt(max(squares/float64(s.Elements)-mean*mean, 0)) / mean
}

// Tables implements Set.
func (s *Synthetic) Tables() []Table {
	return []Table{
		NewTable("cells", s.Cells, "element integer, value integer"),
		NewTable("map", s.rows(), "base integer, target integer, weight integer"),
	}
}

// Generate implements Set.
func (s *Synthetic) Generate(ctx context.Context, opts Options, emit Emit) error {
	return generate(ctx, opts, s.Tables(), []source{
		func(first int64, n int) []arrow.Array { return int32Arrays(s.cells(opts.Seed, first, n)) },
		func(first int64, n int) []arrow.Array { return s.mapRows(opts.Seed, first, n) },
	}, emit)
}

// cells are the elements and the values of some rows of table cells.
func (s *Synthetic) cells(seed uint64, first int64, n int) (elements, values []int32) {
	value, other := newStream(seed, 4000), newStream(seed, 4001)
	elements, values = make([]int32, n), make([]int32, n)
	for i := range n {
		at := first + int64(i)
		if s.First {
			elements[i] = int32(share(at, s.Elements, s.Cells))
		} else { // half of the combinations with another dimension are filled
			elements[i] = int32((2*at + below(other.at(at), 2)) % s.Elements)
		}
		values[i] = int32(value.between(at, 1, 1000))
	}
	return elements, values
}

// mapRows are some rows of table map.
func (s *Synthetic) mapRows(seed uint64, first int64, n int) []arrow.Array {
	target, weight := newStream(seed, 4002), newStream(seed, 4003)
	bases, targets, weights := make([]int32, n), make([]int32, n), make([]int32, n)
	base, _ := slices.BinarySearch(s.starts, first+1)
	base-- // the element that row first is of
	for i := range n {
		at := first + int64(i)
		for s.starts[base+1] <= at {
			base++
		}
		bases[i], targets[i], weights[i] = int32(base), int32(target.between(at, 0, s.Targets-1)), int32(weight.between(at, 1, 3))
	}
	return int32Arrays(bases, targets, weights)
}

// Query sums the cells by target, and checks the sums.
func (s *Synthetic) Query() Query {
	return Query{Name: "targets", SQL: `SELECT count(*) AS targets, sum(total) AS total, sum(total * (target % 1009)) AS checked
FROM (SELECT target, sum(value * weight) AS total FROM cells JOIN map ON element = base GROUP BY target) AS sums`}
}

// String describes the cube.
func (s *Synthetic) String() string {
	order := "last"
	if s.First {
		order = "first"
	}
	mean, variation := s.Spread()
	return fmt.Sprintf("%d cells, %d elements, fan-out %.4g, variation %.3g, %d targets, hierarchy %s", s.Cells, s.Elements, mean, variation, s.Targets, order)
}
