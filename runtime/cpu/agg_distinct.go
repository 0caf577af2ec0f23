package cpu

import (
	"math"
	"sync"

	"github.com/cubeloom/cubeloom/runtime"
)

// distinctSet is an accumulator over the distinct values of its argument: a set of
// pairs of group and value, and the accumulator that takes each value once, at
// the end.
type distinctSet struct {
	inner  accumulator
	layout *keyLayout
	set    keyTable
	dict   *runtime.Dictionary
	// Of the argument as first seen: equal numerics and intervals may look
	// different, and their keys do not tell how.
	shown accumulator
	cells int

	batch keyBatch
	out   []uint32
	full  sync.Once
	err   error
}

func (a *distinctSet) reserve(n int) error {
	a.cells = max(a.cells, n)
	return nil
}

func (a *distinctSet) add(c *cells, args []*view) error {
	a.dict = longer(a.dict, args[0].dict)
	group := view{form: formU32, n: c.n, u32: c.list(), bounded: true, hi: math.MaxUint32}
	if err := a.layout.encode(&a.batch, c.n, []*view{&group, args[0]}, false); err != nil {
		return err
	}
	entries := room(&a.out, c.n)
	if err := a.set.assign(&a.batch, entries); err != nil || a.shown == nil {
		return err
	}
	if err := a.shown.reserve(a.set.len()); err != nil {
		return err
	}
	return a.shown.add(&cells{form: formU32, n: c.n, u32: entries}, args)
}

func (a *distinctSet) finalize() error { return nil }

func (a *distinctSet) combine(src accumulator) error {
	a.dict = longer(a.dict, src.(*distinctSet).dict)
	return nil
}

func (a *distinctSet) merge(src accumulator, from, to []uint32) error {
	s := src.(*distinctSet)
	const nowhere = math.MaxUint32
	target := make([]uint32, s.cells)
	fill(target, nowhere)
	for i, f := range from {
		target[f] = to[i]
	}
	var groups []uint32
	return s.each(func(group *view, arg *view) error {
		var rows []int32
		groups = groups[:0]
		for i := range group.n {
			if t := target[group.intAt(i)]; t != nowhere {
				rows = append(rows, int32(i))
				groups = append(groups, t)
			}
		}
		if len(rows) == 0 {
			return nil
		}
		var buf viewBuffer
		picked := arg.pick(rows, &buf)
		return a.add(&cells{form: formU32, n: len(groups), u32: groups}, []*view{&picked})
	})
}

// each calls f for all entries of the set, batch by batch.
func (a *distinctSet) each(f func(group, arg *view) error) error {
	all := identityGroups(a.set.len())
	var k keyBatch
	for len(all) > 0 {
		n := min(len(all), DefaultVectorRows)
		a.set.get(all[:n], &k)
		cols := a.layout.decode(&k, []*runtime.Dictionary{nil, a.dict})
		if a.shown != nil {
			shown, err := a.shown.chunks(all[:n])
			if err != nil {
				return err
			}
			cols[1] = shown[0]
		}
		group, arg := chunkView(cols[0]), chunkView(cols[1])
		if err := f(&group, &arg); err != nil {
			return err
		}
		all = all[n:]
	}
	return nil
}

// chunkView is the view of all rows of a chunk.
func chunkView(c *runtime.Chunk) view {
	o := operand{typ: c.Type}
	b := Batch{Rows: c.Rows, Vals: []*Vector{{Type: c.Type, Raw: c}}}
	return o.read(&b)
}

// fill adds every distinct value to the inner accumulator and finalizes it.
func (a *distinctSet) fill() error {
	if err := a.inner.reserve(a.cells); err != nil {
		return err
	}
	err := a.each(func(group, arg *view) error {
		list := make([]uint32, group.n)
		for i := range list {
			list[i] = uint32(group.intAt(i))
		}
		return a.inner.add(&cells{form: formU32, n: len(list), u32: list}, []*view{arg})
	})
	if err != nil {
		return err
	}
	return a.inner.finalize()
}

func (a *distinctSet) chunks(groups []uint32) ([]*runtime.Chunk, error) {
	a.full.Do(func() { a.err = a.fill() })
	if a.err != nil {
		return nil, a.err
	}
	return a.inner.chunks(groups)
}

func (a *distinctSet) reset() {
	a.inner.reset()
	a.set.reset()
	if a.shown != nil {
		a.shown.reset()
	}
	a.full = sync.Once{}
}

func (a *distinctSet) width() int { return a.inner.width() + 32 }
