package workload

import (
	"fmt"
	"math"
	"math/bits"
)

func (s SSB) customers() int64 { return s.scaled(30_000) }

func (s SSB) suppliers() int64 { return s.scaled(2_000) }

func (s SSB) lineorders() int64 { return s.scaled(6_000_000) }

// parts is 200,000·(1+⌊log₂ SF⌋) from scale 1 on.
func (s SSB) parts() int64 {
	if s.SF < 1 {
		return s.scaled(200_000)
	}
	return 200_000 * int64(bits.Len64(uint64(s.SF)))
}

// SSB generates the Star Schema Benchmark: the fact table lineorder and the
// dimensions customer, supplier, part and date. Values follow the distributions
// of the specification and of its dbgen (prices in cents, order keys sparse,
// customers with keys divisible by three place no orders); they are not dbgen's
// values bit for bit.
type SSB struct {
	// SF is the scale factor, above 0 and at most MaxSSB.
	SF float64
}

// scaled is perUnit·SF, at least one.
func (s SSB) scaled(perUnit float64) int64 {
	return max(1, int64(math.Round(perUnit*s.SF)))
}

// Validate reports a scale factor out of range.
func (s SSB) Validate() error {
	if !(s.SF > 0 && s.SF <= MaxSSB) {
		return fmt.Errorf("scale factor %v of ssb is out of range: above 0, at most %d", s.SF, MaxSSB)
	}
	return nil
}

// MaxSSB is the largest scale factor whose order keys fit into an integer.
const MaxSSB = 300
