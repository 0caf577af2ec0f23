package scope

import "math/rand/v2"

// Seed is the seed of what a node of the statement draws at random: the same each time
// that the node is bound, as it is for each reader of a common table expression.
func (b *Binder) Seed(node any, draw func() int64) int64 {
	b.Momentary = true
	seed, ok := b.seeds[node]
	if !ok {
		if draw == nil {
			draw = rand.Int64
		}
		seed = draw()
		if b.seeds == nil {
			b.seeds = make(map[any]int64)
		}
		b.seeds[node] = seed
	}
	return seed
}
