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
	kept []array
}

// array is memory without pointers, which may have been collected.
type array struct {
	first weak.Pointer[uint64]
	words int
}

// most is how many arrays are kept.
const most = 256

// take returns the smallest array with so many words that is not more than twice as large, which
// holds anything; nil where there is none.
func (p *Pool) take(words int) []uint64 {
	p.lock.Lock()
	defer p.lock.Unlock()
	for {
		best := -1
		for i, a := range p.kept {
			if a.words >= words && a.words <= 2*words && (best < 0 || a.words <= p.kept[best].words) {
				best = i
			}
		}
		if best < 0 {
			return nil
		}
		a := p.kept[best]
		if first := a.first.Value(); first != nil {
			p.kept = slices.Delete(p.kept, best, best+1)
			return unsafe.Slice(first, a.words)
		}
		p.kept = slices.DeleteFunc(p.kept, func(a array) bool { return a.first.Value() == nil })
	}
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
	p.kept = append(p.kept, a)
	if len(p.kept) > most { // a small one costs the least to make anew
		at := smallest(p.kept)
		p.kept = slices.Delete(p.kept, at, at+1)
	}
}

// smallest is the place of the smallest array.
func smallest(of []array) int {
	at := 0
	for i, a := range of {
		if a.words < of[at].words {
			at = i
		}
	}
	return at
}
