package spaces

import "math"

// plateauShare is the range around the time of a configuration in which others are alike,
// at least: the rule of the paper's section 3.5.
const plateauShare = 0.1

// Minima counts the local minima: plateaus from which no step leads to a faster
// configuration. Neighbors lie on one plateau where the time of one is within a standard
// deviation or 10 % of the other's.
func (p *Part) Minima() int {
	plateau := make([]int, len(p.Points)) // by configuration: one of its plateau, in the end the same of all
	for i := range plateau {
		plateau[i] = i
	}
	find := func(i int) int {
		for plateau[i] != i {
			i = plateau[i]
		}
		return i
	}
	for i := range p.Points {
		for _, n := range p.neighbors(i) {
			if p.alike(i, n) {
				plateau[find(i)] = find(n)
			}
		}
	}
	minimum := make(map[int]bool)
	for i := range p.Points {
		if _, known := minimum[find(i)]; !known {
			minimum[find(i)] = true
		}
		if p.Points[i].Refusal != "" {
			minimum[find(i)] = false
			continue
		}
		for _, n := range p.neighbors(i) {
			if find(n) != find(i) && p.Points[n].Mean() < p.Points[i].Mean() {
				minimum[find(i)] = false
			}
		}
	}
	n := 0
	for _, is := range minimum {
		if is {
			n++
		}
	}
	return n
}

func (p *Part) alike(i, k int) bool {
	a, b := &p.Points[i], &p.Points[k]
	if a.Refusal != "" || b.Refusal != "" {
		return a.Refusal != "" && b.Refusal != ""
	}
	apart := math.Abs(a.Mean() - b.Mean())
	return apart <= max(plateauShare*a.Mean(), a.deviation()) || apart <= max(plateauShare*b.Mean(), b.deviation())
}

// deviation is the standard deviation of the times.
func (p *Point) deviation() float64 { return deviation(p.Times) }

func deviation(times []int64) float64 {
	if len(times) < 2 {
		return 0
	}
	pt := Point{Times: times}
	mean, sum := pt.Mean(), 0.0
	for _, t := range times {
		sum += (float64(t) - mean) * (float64(t) - mean)
	}
	return math.Sqrt(sum / float64(len(times)-1))
}

// Variation is the coefficient of variation of the fastest configuration.
func (p *Part) Variation() float64 {
	i, mean := p.best()
	if i < 0 {
		return 0
	}
	return p.Points[i].deviation() / mean
}

// stableVariation is the coefficient of variation of a window of three blocks below which the
// paper's section 3.6 takes them to be without outliers.
const stableVariation = 0.0105

// Discarded returns after how many of its first blocks each configuration has a window
// without outliers: counts by that number, the last of them those that have none before.
func (p *Part) Discarded(most int) (counts []int) {
	counts = make([]int, most+2)
	for i := range p.Points {
		if p.Points[i].Refusal == "" && !p.Points[i].GivenUp {
			counts[p.Points[i].discarded(most)]++
		}
	}
	return counts
}

func (p *Point) discarded(most int) int {
	for n := 0; n <= most && n+3 <= len(p.Times); n++ {
		window := Point{Times: p.Times[n : n+3]}
		if window.deviation() <= stableVariation*window.Mean() {
			return n
		}
	}
	return most + 1
}
