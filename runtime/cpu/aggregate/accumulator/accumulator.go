// Package accumulator holds what is accumulated of the rows of each group.
package accumulator

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// An Accumulator holds one accumulator of an Aggregate for every group. Groups
// are numbered from 0. It is used by one goroutine at a time, but for merge,
// which only reads src.
type Accumulator interface {
	// Reserve makes room for the groups below n. Groups that have not been
	// reserved before are empty.
	Reserve(n int)
	// Add takes rows: cells are the groups of them, args the arguments, of which
	// none is NULL.
	Add(c *Cells, args []*vector.View)
	// Finalize is called after the last add, before any merge from this
	// accumulator and before chunks.
	Finalize()
	// Combine prepares for merging groups of src, which has the same dynamic type
	// and has been finalized.
	Combine(src Accumulator)
	// Merge combines the groups from[i] of src, which has been combined, into the
	// groups to[i]. Calls for groups that lie apart may run at the same time.
	Merge(src Accumulator, from, to []uint32)
	// Chunks returns the result columns for the listed groups, which may be in arrays.
	Chunks(groups []uint32, arrays *spare.Arrays) []*runtime.Chunk
	// Reset empties all groups and keeps the memory.
	Reset()
	// Width is about how many bytes a group takes.
	Width() int
}

// presence is the part of an accumulator that knows which groups have had a
// row, where that is not every group.
type presence struct {
	mem *exec.Memory
	has *Flags // nil: every group has
}

func (p *presence) reservePresence(n int) {
	if p.has == nil {
		return
	}
	p.has.Reserve(n)
}

func (p *presence) note(c *Cells) {
	if p.has != nil {
		c.mark(p.has.Set)
	}
}

func (p *presence) mergePresence(src *presence, from, to []uint32) {
	if p.has != nil {
		p.has.Merge(src.has, from, to)
	}
}

func (p *presence) resetPresence() {
	if p.has != nil {
		p.has.Reset()
	}
}

// validity makes the NULL bitmap of the listed groups and counts the NULLs.
func (p *presence) validity(groups []uint32) (valid []byte, nulls int) {
	if p.has == nil {
		return nil, 0
	}
	valid = make([]byte, (len(groups)+7)/8)
	for i, g := range groups {
		set := p.has.Set[g]
		valid[i>>3] |= set << (i & 7)
		nulls += int(1 - set)
	}
	if nulls == 0 {
		return nil, 0
	}
	return valid, nulls
}

// Counter is count(*) and count(x).
type Counter struct{ counters }

func (a *Counter) Add(c *Cells, _ []*vector.View) { a.count(c) }

func (a *Counter) Finalize() { a.fold() }

func (a *Counter) Combine(Accumulator) {}

func (a *Counter) Merge(src Accumulator, from, to []uint32) {
	a.counters.merge(&src.(*Counter).counters, from, to)
}

func (a *Counter) Chunks(groups []uint32, arrays *spare.Arrays) []*runtime.Chunk {
	return []*runtime.Chunk{vector.NarrowGather(kernel.I64, a.Sums, groups, nil, 0, arrays)}
}

func (a *Counter) Width() int { return 8 }

// boolean is bool_and and bool_or.
type boolean struct {
	presence
	or   bool
	vals []uint8 // bool_or: whether one was true; bool_and: whether one was false
}

func (a *boolean) Reserve(n int) {
	a.vals = exec.Grown(a.mem, a.vals, n)
	a.reservePresence(n)
}

func (a *boolean) Add(c *Cells, args []*vector.View) {
	a.note(c)
	var flip int64 = 1
	if a.or {
		flip = 0
	}
	v := args[0]
	for i, k := range c.List() {
		a.vals[k] |= uint8(v.IntAt(i) ^ flip)
	}
}

func (a *boolean) Finalize() {}

func (a *boolean) Combine(Accumulator) {}

func (a *boolean) Merge(src Accumulator, from, to []uint32) {
	s := src.(*boolean)
	a.mergePresence(&s.presence, from, to)
	for i, f := range from {
		a.vals[to[i]] |= s.vals[f]
	}
}

func (a *boolean) Chunks(groups []uint32, _ *spare.Arrays) []*runtime.Chunk {
	c := &runtime.Chunk{Type: kernel.Bool, Enc: runtime.EncBits, Rows: len(groups), Bits: make([]byte, (len(groups)+7)/8)}
	c.Valid, c.Nulls = a.validity(groups)
	for i, g := range groups {
		bit := a.vals[g]
		if !a.or {
			bit ^= 1
		}
		c.Bits[i>>3] |= bit << (i & 7)
	}
	return []*runtime.Chunk{c}
}

func (a *boolean) Reset() {
	clear(a.vals)
	a.resetPresence()
}

func (a *boolean) Width() int { return 2 }
