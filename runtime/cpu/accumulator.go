package cpu

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// An accumulator holds one accumulator of an Aggregate for every group. Groups
// are numbered from 0. It is used by one goroutine at a time, but for merge,
// which only reads src.
type accumulator interface {
	// reserve makes room for the groups below n. Groups that have not been
	// reserved before are empty.
	reserve(n int) error
	// add takes rows: cells are the groups of them, args the arguments, of which
	// none is NULL.
	add(c *cells, args []*view) error
	// finalize is called after the last add, before any merge from this
	// accumulator and before chunks.
	finalize() error
	// combine prepares for merging groups of src, which has the same dynamic type
	// and has been finalized.
	combine(src accumulator) error
	// merge combines the groups from[i] of src, which has been combined, into the
	// groups to[i]. Calls for groups that lie apart may run at the same time.
	merge(src accumulator, from, to []uint32) error
	// chunks returns the result columns for the listed groups.
	chunks(groups []uint32) ([]*runtime.Chunk, error)
	// reset empties all groups and keeps the memory.
	reset()
	// width is about how many bytes a group takes.
	width() int
}

// presence is the part of an accumulator that knows which groups have had a
// row, where that is not every group.
type presence struct {
	mem *memory
	has *flags // nil: every group has
}

func (p *presence) reservePresence(n int) error {
	if p.has == nil {
		return nil
	}
	return p.has.reserve(n)
}

func (p *presence) note(c *cells) {
	if p.has != nil {
		c.mark(p.has.set)
	}
}

func (p *presence) mergePresence(src *presence, from, to []uint32) {
	if p.has != nil {
		p.has.merge(src.has, from, to)
	}
}

func (p *presence) resetPresence() {
	if p.has != nil {
		p.has.reset()
	}
}

// validity makes the NULL bitmap of the listed groups and counts the NULLs.
func (p *presence) validity(groups []uint32) (valid []byte, nulls int) {
	if p.has == nil {
		return nil, 0
	}
	valid = make([]byte, (len(groups)+7)/8)
	for i, g := range groups {
		set := p.has.set[g]
		valid[i>>3] |= set << (i & 7)
		nulls += int(1 - set)
	}
	if nulls == 0 {
		return nil, 0
	}
	return valid, nulls
}

// counter is count(*) and count(x).
type counter struct{ counters }

func (a *counter) add(c *cells, _ []*view) error {
	a.count(c)
	return nil
}

func (a *counter) finalize() error {
	a.fold()
	return nil
}

func (a *counter) combine(accumulator) error { return nil }

func (a *counter) merge(src accumulator, from, to []uint32) error {
	a.counters.merge(&src.(*counter).counters, from, to)
	return nil
}

func (a *counter) chunks(groups []uint32) ([]*runtime.Chunk, error) {
	return []*runtime.Chunk{narrowGather(kernel.I64, a.sums, groups, nil, 0)}, nil
}

func (a *counter) width() int { return 8 }

// boolean is bool_and and bool_or.
type boolean struct {
	presence
	or   bool
	vals []uint8 // bool_or: whether one was true; bool_and: whether one was false
}

func (a *boolean) reserve(n int) (err error) {
	if a.vals, err = grown(a.mem, a.vals, n); err != nil {
		return err
	}
	return a.reservePresence(n)
}

func (a *boolean) add(c *cells, args []*view) error {
	a.note(c)
	var flip int64 = 1
	if a.or {
		flip = 0
	}
	v := args[0]
	for i, k := range c.list() {
		a.vals[k] |= uint8(v.intAt(i) ^ flip)
	}
	return nil
}

func (a *boolean) finalize() error { return nil }

func (a *boolean) combine(accumulator) error { return nil }

func (a *boolean) merge(src accumulator, from, to []uint32) error {
	s := src.(*boolean)
	a.mergePresence(&s.presence, from, to)
	for i, f := range from {
		a.vals[to[i]] |= s.vals[f]
	}
	return nil
}

func (a *boolean) chunks(groups []uint32) ([]*runtime.Chunk, error) {
	c := &runtime.Chunk{Type: kernel.Bool, Enc: runtime.EncBits, Rows: len(groups), Bits: make([]byte, (len(groups)+7)/8)}
	c.Valid, c.Nulls = a.validity(groups)
	for i, g := range groups {
		bit := a.vals[g]
		if !a.or {
			bit ^= 1
		}
		c.Bits[i>>3] |= bit << (i & 7)
	}
	return []*runtime.Chunk{c}, nil
}

func (a *boolean) reset() {
	clear(a.vals)
	a.resetPresence()
}

func (a *boolean) width() int { return 2 }
