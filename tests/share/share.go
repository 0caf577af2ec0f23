// Package share draws some of what a test tries in many ways, so that checks that run often take less
// time and cover everything after a while.
package share

import (
	"hash/fnv"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
)

// Variable is the environment variable that has tests try one of so many things, where they try many of one
// kind; without it they try all. SeedVariable chooses which.
const (
	Variable     = "CUBELOOM_TEST_SHARE"
	SeedVariable = "CUBELOOM_TEST_SEED"
)

// Some returns what a test is to try of many things, by its name: one of so many, and one at least, in their order.
func Some[T any](tb testing.TB, name string, of []T) []T {
	tb.Helper()
	every := max(number(tb, Variable), 1)
	if every == 1 {
		return of
	}
	return Pick(Draw(name, number(tb, SeedVariable)), of, int(every))
}

// Draw returns a source of random numbers for a test, by its name and a seed.
func Draw(name string, seed uint64) *rand.Rand {
	hash := fnv.New64a()
	hash.Write([]byte(name))
	return rand.New(rand.NewPCG(seed, hash.Sum64()))
}

// Pick draws one of so many things, and one at least, in their order.
func Pick[T any](rnd *rand.Rand, of []T, every int) []T {
	places := rnd.Perm(len(of))[:(len(of)+every-1)/every]
	slices.Sort(places)
	some := make([]T, len(places))
	for i, at := range places {
		some[i] = of[at]
	}
	return some
}

// number is that of an environment variable; 0 where it is not set.
func number(tb testing.TB, variable string) uint64 {
	tb.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		tb.Fatalf("%s is %q: it is a number", variable, text)
	}
	return n
}
