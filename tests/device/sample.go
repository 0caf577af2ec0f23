package device

import (
	"flag"
	"hash/fnv"
	"math/rand/v2"
)

var (
	share = flag.Int("device.share", 1, "where a test of a device tries many things of one kind, try one of so many of them")
	seed  = flag.Uint64("device.seed", 1, "which of them")
)

// Draw returns a source of random numbers for a test, by its name and -device.seed.
func Draw(name string) *rand.Rand {
	hash := fnv.New64a()
	hash.Write([]byte(name))
	return rand.New(rand.NewPCG(*seed, hash.Sum64()))
}

// Sampler returns a function that reports whether a test tries the next of many things. Of
// them it tries one of every, and with -device.share N one of N times as many.
func Sampler(name string, every int) func() bool {
	rnd := Draw(name)
	return func() bool { return rnd.IntN(max(every**share, 1)) == 0 }
}

// Share is -device.share.
func Share() int { return max(*share, 1) }
