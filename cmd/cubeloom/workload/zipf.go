package workload

import "math"

// A zipf draws ranks 0 … n−1 with probabilities proportional to
// 1/(rank+1)^skew, in constant time per draw (Walker's alias method, built as
// Vose describes it).
type zipf struct {
	n      int64
	accept []uint32 // nil when skew is 0: uniform
	alias  []uint32
}

// newZipf prepares draws from n ranks. The tables take 8 bytes per rank unless
// skew is 0.
func newZipf(n int64, skew float64) *zipf {
	if skew == 0 {
		return &zipf{n: n}
	}
	z := &zipf{n: n, accept: make([]uint32, n), alias: make([]uint32, n)}
	weight, sum := make([]float64, n), 0.0
	for i := range weight {
		weight[i] = math.Pow(float64(i+1), -skew)
		sum += weight[i]
	}
	var small, large []uint32
	for i := range weight {
		weight[i] *= float64(n) / sum
		if weight[i] < 1 {
			small = append(small, uint32(i))
		} else {
			large = append(large, uint32(i))
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		z.accept[s], z.alias[s] = threshold(weight[s]), l
		weight[l] -= 1 - weight[s]
		if weight[l] < 1 {
			large = large[:len(large)-1]
			small = append(small, l)
		}
	}
	// What is left has weight 1 but for rounding.
	for _, rest := range [][]uint32{small, large} {
		for _, i := range rest {
			z.accept[i], z.alias[i] = math.MaxUint32, i
		}
	}
	return z
}

func threshold(p float64) uint32 {
	return uint32(min(p*(1<<32), math.MaxUint32))
}

// rank maps a random 64-bit value to a rank in [0, n).
func (z *zipf) rank(x uint64) int64 {
	i := below(x, z.n)
	// mix64 makes the second draw independent of the bits that chose i.
	if z.accept == nil || uint32(mix64(x)) <= z.accept[i] {
		return i
	}
	return int64(z.alias[i])
}
