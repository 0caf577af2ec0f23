package tune

import (
	"math/rand/v2"
	"testing"
)

// unimodal draws a space in which each configuration but one has a faster neighbor: from
// one that is the fastest on, each that is reached is slower than from where.
func unimodal(random *rand.Rand, columns, rows int) (times map[at]float64, fastest at) {
	neighbors := grid(columns, rows)
	fastest = at{random.IntN(columns), random.IntN(rows)}
	times = map[at]float64{fastest: 1}
	step := 0.001 + random.Float64()*0.3
	for border := []at{fastest}; len(border) > 0; {
		i := random.IntN(len(border))
		c := border[i]
		border = append(border[:i], border[i+1:]...)
		for _, n := range neighbors(c) {
			if _, ok := times[n]; !ok {
				times[n] = times[c] * (1 + step*(0.01+random.Float64()))
				border = append(border, n)
			}
		}
	}
	return times, fastest
}

// TestSearches draws spaces, starts and hyper-parameters. A search ends, evaluates no
// configuration twice, returns the fastest that it has seen, and of a space with one
// minimum the fastest of all.
func TestSearches(t *testing.T) {
	for seed := range uint64(2000) {
		random := rand.New(rand.NewPCG(seed, 15))
		columns, rows := 1+random.IntN(11), 1+random.IntN(11)
		opts := Options{Prune: 1.001 + random.Float64()*0.2, MaxVariation: 0.019, MaxBlocks: 1 + random.IntN(12)}
		if seed%3 > 0 {
			opts.Similarity = random.Float64() * 0.2
		}
		starts := make([]at, 1+random.IntN(3))
		for i := range starts {
			starts[i] = at{random.IntN(columns), random.IntN(rows)}
		}
		times, fastest := unimodal(random, columns, rows)
		s := New(grid(columns, rows), starts, opts)
		run(t, s, columns*rows, func(c at) float64 { return times[c] })
		if best, _ := s.Best(); best != fastest {
			t.Errorf("seed %d: found %v, which takes %v, and not %v", seed, best, times[best], fastest)
		}

		for c := range times { // any space, with noise
			times[c] = 1 + random.Float64()
		}
		s = New(grid(columns, rows), starts, opts)
		run(t, s, columns*rows, func(c at) float64 { return times[c] * (1 + 0.05*random.Float64()) })
		best, time := s.Best()
		for c, other := range s.times {
			if other < time {
				t.Errorf("seed %d: found %v, which takes %v, though %v takes %v", seed, best, time, c, other)
			}
		}
	}
}

// TestFrugalSearches has them take no more blocks than those that they were made of, find the fastest
// configuration of a space without noise, and give every configuration a block.
func TestFrugalSearches(t *testing.T) {
	fewer := 0
	for seed := range uint64(500) {
		random := rand.New(rand.NewPCG(seed, 19))
		columns, rows := 2+random.IntN(10), 2+random.IntN(10)
		start := []at{{random.IntN(columns), random.IntN(rows)}}
		times, fastest := unimodal(random, columns, rows)
		thorough, frugal := New(grid(columns, rows), start, Defaults), New(grid(columns, rows), start, Frugal)
		for _, s := range []*Search[at]{thorough, frugal} {
			run(t, s, columns*rows, func(c at) float64 { return times[c] })
		}
		most, _, _ := thorough.Effort()
		blocks, configurations, _ := frugal.Effort()
		if blocks > most || blocks < configurations {
			t.Errorf("seed %d: %d blocks for %d configurations, and %d with the others", seed, blocks, configurations, most)
		}
		if blocks < most {
			fewer++
		}
		if best, _ := frugal.Best(); best != fastest {
			t.Errorf("seed %d: found %v, which takes %v, and not %v", seed, best, times[best], fastest)
		}
	}
	if fewer < 250 {
		t.Errorf("only %d of 500 searches take fewer blocks", fewer)
	}
}
