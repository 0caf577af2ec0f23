package estimate

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// GroupSizes guesses how many rows the groups of grouping sets have, from rows of the table's
// sample. A row of the sample stands for Weight rows of the relation, which lie in groups as large
// as its own. So the sum over all groups of some function f of their sizes is that of
// Weight·f(size)/size over the rows (Horvitz and Thompson 1952): f = 1 − e^(−size) counts
// the groups.
//
// The share of all rows that a group has is put together key by key, keys of few values first. The
// next value's share among the rows that agree so far is taken to be what it is among those that agree
// in all keys but the last one, unless more pairs of them agree in it than that makes likely. Then
// the sample is counted, and what was taken weighs as many rows as make these pairs likely (a
// Dirichlet prior over that of fewer keys, MacKay and Peto 1995).
//
// Without a sample one row stands for all, whose groups are of one size: keys are independent,
// and their values equally frequent.
type GroupSizes struct {
	Weight float64

	rows  float64 // of the relation
	keys  []sampledKey
	order []int // of keys: from the fewest values to the most
	sets  map[algebra.KeySet]*combinations
}

// sampledKey is a key of the sampled rows.
type sampledKey struct {
	number   []int32   // by row: of its value
	share    []float64 // by row: of all rows, that are guessed to have its value
	distinct float64   // values of all rows
}

// combinations are those of the values of a set of keys in the sampled rows.
type combinations struct {
	number []int32   // by row
	count  []int32   // by number: sampled rows
	share  []float64 // by row: of all rows, that are guessed to have its combination
	size   []float64 // share in rows of the relation; nil: not asked for yet
	groups float64   // that all rows have; 0: not asked for yet
}

// Of returns for each sampled row how many rows its group of a set has, in the mean of all that may
// be. The caller must not change it.
func (g *GroupSizes) Of(set algebra.KeySet) []float64 {
	c := g.combined(set)
	if c.size == nil {
		c.size = make([]float64, len(c.share))
		for row, share := range c.share {
			c.size[row] = share * g.rows
		}
	}
	return c.size
}

// Groups is how many groups a set has: of one key as many as it has values, which drawing rows at
// random would find a part of only.
func (g *GroupSizes) Groups(set algebra.KeySet) float64 {
	if bits.OnesCount64(uint64(set)) == 1 {
		return min(g.keys[bits.TrailingZeros64(uint64(set))].distinct, g.rows)
	}
	sizes, c := g.Of(set), g.sets[set]
	if c.groups == 0 {
		for _, size := range sizes {
			c.groups += g.Weight * -math.Expm1(-size) / size
		}
	}
	return c.groups
}

// What is looked at of a sample: so many rows times sets at most, one row of the sample for so many of
// the relation, since a choice should take little beside what is chosen, and not fewer rows than
// tell something.
const (
	mostCombined  = 1 << 14
	rowsPerSample = 32
	fewestSampled = 32
)

// GroupSizes guesses the sizes of the groups of an aggregation.
func (e *Estimator) GroupSizes(n *algebra.Aggregate) *GroupSizes {
	in := e.Of(n.Input)
	g := &GroupSizes{rows: max(in.Rows, 1), sets: make(map[algebra.KeySet]*combinations), keys: make([]sampledKey, len(n.Keys))}
	distinct := make([]float64, len(n.Keys))
	for i := range n.Keys {
		distinct[i] = max(in.Distinct(n.Keys[i].Expr), 1)
		g.order = append(g.order, i)
	}
	slices.SortStableFunc(g.order, func(a, b int) int { return cmp.Compare(distinct[a], distinct[b]) })
	sampled := in.sampledRows(int(min(g.rows/rowsPerSample, float64(mostCombined/len(g.steps(n.Sets))))))
	for i := range g.keys {
		numbers := in.numbers(n.Keys[i].Expr, sampled)
		if numbers == nil {
			sampled = nil
			break
		}
		g.keys[i] = newSampledKey(numbers, distinct[i])
	}
	if len(sampled) == 0 {
		sampled = []int{0}
		for i := range g.keys {
			g.keys[i] = sampledKey{number: []int32{0}, share: []float64{1 / distinct[i]}, distinct: distinct[i]}
		}
	}
	g.Weight = g.rows / float64(len(sampled))
	g.sets[0] = &combinations{number: make([]int32, len(sampled)), count: []int32{int32(len(sampled))}, share: slices.Repeat([]float64{1}, len(sampled))}
	return g
}

// steps are the sets by which those of an aggregation are put together.
func (g *GroupSizes) steps(sets []algebra.KeySet) map[algebra.KeySet]bool {
	all := map[algebra.KeySet]bool{0: true}
	var add func(set algebra.KeySet)
	add = func(set algebra.KeySet) {
		if all[set] || len(all) > mostCombined {
			return
		}
		all[set] = true
		if before := set &^ (1 << g.last(set)); before != 0 {
			add(before)
			add(g.coarser(set))
		}
	}
	for _, set := range sets {
		add(set)
	}
	return all
}

// last is the key of a set that has the most values.
func (g *GroupSizes) last(set algebra.KeySet) int {
	for i := len(g.order) - 1; ; i-- {
		if set.Has(g.order[i]) {
			return g.order[i]
		}
	}
}

// sampledRows are numbers of rows of the sample, most at most; none where they are too few.
func (p *Props) sampledRows(most int) (rows []int) {
	if p.sample == nil {
		return nil
	}
	for word, left := range p.drawn {
		for ; left != 0 && len(rows) < most; left &= left - 1 {
			rows = append(rows, word*64+bits.TrailingZeros64(left))
		}
	}
	if len(rows) < fewestSampled {
		return nil
	}
	return rows
}

// numbers numbers the values that an expression has in rows of the sample; nil where they are not
// known.
func (p *Props) numbers(e algebra.Expr, rows []int) []int32 {
	if len(rows) == 0 {
		return nil
	}
	numbers, known := make([]int32, len(rows)), make(map[value.Value]int32)
	for i, row := range rows {
		v, ok := p.sample.value(e, p.sample.rows[row])
		if !ok {
			return nil
		}
		number, seen := known[v]
		if !seen {
			number = int32(len(known))
			known[v] = number
		}
		numbers[i] = number
	}
	return numbers
}

// newSampledKey guesses the shares of a key's values. Values that the sample has once share with
// those that it has not what rows have one of them (Good 1953).
func newSampledKey(numbers []int32, distinct float64) sampledKey {
	k := sampledKey{number: numbers, distinct: distinct, share: make([]float64, len(numbers))}
	rows := float64(len(numbers))
	count := counted(numbers)
	equal := float64(pairs(count))
	if equal-uncertain*deviation(equal) <= rows*(rows-1)/distinct {
		for row := range k.share {
			k.share[row] = 1 / distinct
		}
		return k
	}
	once, several := 0.0, 0.0 // values
	for _, n := range count {
		if n == 1 {
			once++
		} else {
			several++
		}
	}
	for row, number := range numbers {
		if n := count[number]; n > 1 {
			k.share[row] = float64(n) / rows
		} else {
			k.share[row] = once / rows / max(distinct-several, once)
		}
	}
	return k
}

// uncertain is how many standard deviations a sample may be off by chance.
const uncertain = 3

// deviation is the standard deviation of a number of ordered pairs that are equal: unordered ones are
// as many as a Poisson variable.
func deviation(equal float64) float64 { return math.Sqrt(2 * max(equal, 2)) }

// counted counts rows by number.
func counted(numbers []int32) (count []int32) {
	for _, number := range numbers {
		for int(number) >= len(count) {
			count = append(count, 0)
		}
		count[number]++
	}
	return count
}

// paired numbers the combinations of the numbers that rows have.
func paired(groups, values []int32) []int32 {
	known := make(map[uint64]int32)
	out := make([]int32, len(groups))
	for row := range groups {
		both := uint64(groups[row])<<32 | uint64(values[row])
		number, seen := known[both]
		if !seen {
			number = int32(len(known))
			known[both] = number
		}
		out[row] = number
	}
	return out
}

// pairs are the ordered pairs of rows of equal numbers.
func pairs(count []int32) (n int64) {
	for _, c := range count {
		n += int64(c) * int64(c-1)
	}
	return n
}

// leastShare is below the share of one row of any relation, and far from what floating point holds.
const leastShare = 1e-60

// combined finds the combinations of a set.
func (g *GroupSizes) combined(set algebra.KeySet) *combinations {
	if c := g.sets[set]; c != nil {
		return c
	}
	last := g.last(set)
	before := set &^ (1 << last)
	own := g.keys[last].share
	if before != 0 && len(own) > 1 {
		own = g.combined(g.coarser(set)).within(g.combined(before &^ (1 << g.last(before))))
	}
	c := g.combined(before).with(g.keys[last].number, own)
	g.sets[set] = c
	return c
}

// coarser is a set of several keys without the key of the second most values.
func (g *GroupSizes) coarser(set algebra.KeySet) algebra.KeySet {
	return set &^ (1 << g.last(set&^(1<<g.last(set))))
}

// within are the shares of the rows' combinations among the rows with their combinations of fewer keys.
func (c *combinations) within(fewer *combinations) []float64 {
	shares := make([]float64, len(c.share))
	for row, share := range c.share {
		shares[row] = share / fewer.share[row]
	}
	return shares
}

// with are the combinations with the values of another key, which have shares of the rows as
// far as fewer keys say.
func (c *combinations) with(values []int32, shares []float64) *combinations {
	out := &combinations{number: paired(c.number, values), share: make([]float64, len(c.share))}
	out.count = counted(out.number)
	among := 0.0 // of the pairs of rows that agree so far: those likely to agree in the value too
	for row, number := range c.number {
		among += shares[row] * float64(c.count[number]-1)
	}
	before, equal := float64(pairs(c.count)), float64(pairs(out.count))
	weight := math.Inf(1) // rows that shares count for
	if equal-uncertain*deviation(equal) > among {
		weight = (before - equal) / (equal - among)
	}
	for row, share := range shares {
		if !math.IsInf(weight, 1) {
			share = (float64(out.count[out.number[row]]) + weight*share) / (float64(c.count[c.number[row]]) + weight)
		}
		out.share[row] = max(c.share[row]*share, leastShare)
	}
	return out
}
