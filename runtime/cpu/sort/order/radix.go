package order

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// radixFrom is from how many rows on counting digits beats comparing.
const radixFrom = 256

// Entries sorts by prefix and, where prefixes are equal, by rest, which may
// be nil. scratch has room for as many entries.
func Entries(entries, scratch []vector.Entry, rest func(a, b vector.Entry) int) {
	if len(entries) < radixFrom {
		slices.SortFunc(entries, func(a, b vector.Entry) int {
			if c := cmp.Compare(a.Prefix, b.Prefix); c != 0 || rest == nil {
				return c
			}
			return rest(a, b)
		})
		return
	}
	radixSort(entries, scratch[:len(entries)])
	if rest != nil {
		sortTies(entries, rest)
	}
}

// sortTies sorts each run of equal prefixes.
func sortTies(entries []vector.Entry, rest func(a, b vector.Entry) int) {
	for lo := 0; lo < len(entries); {
		hi := lo + 1
		for hi < len(entries) && entries[hi].Prefix == entries[lo].Prefix {
			hi++
		}
		if hi-lo > 1 {
			slices.SortFunc(entries[lo:hi], rest)
		}
		lo = hi
	}
}

// radixSort sorts by prefix, eight bits at a time from the least significant,
// passing over digits in which all rows agree.
func radixSort(entries, scratch []vector.Entry) {
	var differ uint64
	for _, e := range entries {
		differ |= e.Prefix ^ entries[0].Prefix
	}
	from, to := entries, scratch
	for shift := bits.TrailingZeros64(differ) & 63; shift < 64 && differ>>shift != 0; shift += 8 {
		if differ>>shift&0xff == 0 {
			continue
		}
		radixPass(from, to, shift)
		from, to = to, from
	}
	if &from[0] != &entries[0] {
		long.Copy(entries, from)
	}
}

// radixPass distributes entries by the eight bits at shift, keeping the order
// of equal ones.
func radixPass(from, to []vector.Entry, shift int) {
	var next [256]int
	for _, e := range from {
		next[e.Prefix>>shift&0xff]++
	}
	sum := 0
	for d, n := range next {
		next[d] = sum
		sum += n
	}
	for _, e := range from {
		d := e.Prefix >> shift & 0xff
		to[next[d]] = e
		next[d]++
	}
}
