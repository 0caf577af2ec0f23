// Package spare hands the memory of runs that have ended to those that come.
//
// The machine makes a page when memory is first touched, which can take longer than to work on
// the page, and what the garbage collector frees is there after its next cycle only.
package spare

import (
	"slices"
	"sync"
	"unsafe"
	"weak"
)

// Pool is the memory that nobody uses any more. It keeps nothing from the collector. Safe for
// concurrent use.
type Pool struct {
	lock sync.Mutex
	kept []array // in ascending order of their lengths
}

// array is memory without pointers, which may have been collected.
type array struct {
	first weak.Pointer[uint64]
	words int
}

// most is how many arrays are kept.
const most = 1024

// take returns the smallest array with so many words that is not more than twice as large, which
// holds anything, and what is noted of it; nil where there is none.
func (p *Pool) take(words int) ([]uint64, array) {
	p.lock.Lock()
	defer p.lock.Unlock()
	for {
		best := p.from(words)
		if best == len(p.kept) || p.kept[best].words > 2*words {
			return nil, array{}
		}
		a := p.kept[best]
		if first := a.first.Value(); first != nil {
			p.kept = slices.Delete(p.kept, best, best+1)
			return unsafe.Slice(first, a.words), a
		}
		p.kept = slices.DeleteFunc(p.kept, func(a array) bool { return a.first.Value() == nil })
	}
}

// from is the place of the first array with so many words.
func (p *Pool) from(words int) int {
	at, _ := slices.BinarySearchFunc(p.kept, words, func(a array, words int) int { return a.words - words })
	return at
}

// Overwrites has arrays of any length used again, and overwritten when nobody is to read them
// any more. Tests set it, so that a reader who does shows.
var Overwrites = false

// give takes an array.
func (p *Pool) give(a array) {
	if first := a.first.Value(); Overwrites && first != nil {
		words := unsafe.Slice(first, a.words)
		for i := range words {
			words[i] = 0xdbdbdbdbdbdbdbdb
		}
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	p.kept = slices.Insert(p.kept, p.from(a.words), a)
	if len(p.kept) > most { // a small one costs the least to make anew
		p.kept = slices.Delete(p.kept, 0, 1)
	}
}
