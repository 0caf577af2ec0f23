package workload

import "math/bits"

// A stream is a sequence of independent random 64-bit values addressed by
// position: one stream per random column, so that any row can be computed
// without those before it.
type stream uint64

// newStream returns the stream number id under seed.
func newStream(seed uint64, id int) stream {
	return stream(mix64(mix64(seed) + uint64(id)))
}

// at returns the value at position i.
func (s stream) at(i int64) uint64 {
	return mix64(uint64(s) + uint64(i)*goldenGamma)
}

// between returns a value in [lo, hi], uniform but for a bias below 2⁻³² for
// ranges below 2³².
func (s stream) between(i, lo, hi int64) int64 {
	return lo + below(s.at(i), hi-lo+1)
}

// goldenGamma is 2⁶⁴ divided by the golden ratio, made odd: the increment of
// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
// generators, 2014).
const goldenGamma = 0x9e3779b97f4a7c15

// mix64 is the finalizer of SplitMix64, a bijection of 64-bit values.
func mix64(x uint64) uint64 {
	x += goldenGamma
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// below maps a random 64-bit value to [0, n).
func below(x uint64, n int64) int64 {
	hi, _ := bits.Mul64(x, uint64(n))
	return int64(hi)
}

// spread draws the i-th of n ascending numbers below all, one of each n-th of them.
func spread(draw stream, i, n, all int64) int64 {
	first, next := share(i, all, n), share(i+1, all, n)
	return first + below(draw.at(i), next-first)
}

// share is i·all/n.
func share(i, all, n int64) int64 {
	hi, lo := bits.Mul64(uint64(i), uint64(all))
	q, _ := bits.Div64(hi, lo, uint64(n))
	return int64(q)
}
