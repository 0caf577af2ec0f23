package device

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"github.com/cubeloom/cubeloom/tests/share"
)

var (
	part  = flag.Int("device.share", 1, "where a test of a device tries many things of one kind, try one of so many of them")
	seed  = flag.Uint64("device.seed", 1, "which of them")
	check = flag.Uint64("device.check", 1, "one of so many kernels of an emulated device is compiled with the sanitizers, by -device.seed")
)

// checked reports whether a source is one of those that are compiled with the sanitizers, which
// take a third of what compiling and running a kernel takes.
func checked(source string) bool {
	hash := fnv.New64a()
	fmt.Fprintln(hash, *seed, source)
	return hash.Sum64()%max(*check, 1) == 0
}

// Draw returns a source of random numbers for a test, by its name and -device.seed.
func Draw(name string) *rand.Rand { return share.Draw(name, *seed) }

// Sampler returns a function that reports whether a test tries the next of many things. Of
// them it tries one of every, and with -device.share N one of N times as many.
func Sampler(name string, every int) func() bool {
	rnd := Draw(name)
	return func() bool { return rnd.IntN(max(every**part, 1)) == 0 }
}

// Some returns the things that a test tries where each takes long: all of them, or with -device.share one of
// so many, and one at least.
func Some[T any](name string, of []T, every int) []T {
	if Share() == 1 {
		return of
	}
	return share.Pick(Draw(name), of, every)
}

// Share is -device.share.
func Share() int { return max(*part, 1) }
