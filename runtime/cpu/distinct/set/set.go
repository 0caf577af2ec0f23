// Package set leaves out values that a group has had by a set of them.
package set

import (
	"math"
	"sync"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate/accumulator"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/keytable"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// distinctSet is an accumulator over the distinct values of its argument: a set of
// pairs of group and value, and the accumulator that takes each value once, at
// the end.
type distinctSet struct {
	inner  accumulator.Accumulator
	layout *keytable.Layout
	set    keytable.Table
	dict   *runtime.Dictionary
	// Of the argument as first seen: equal numerics and intervals may look
	// different, and their keys do not tell how.
	shown accumulator.Accumulator
	cells int

	batch keytable.Batch
	out   []uint32
	full  sync.Once
	err   error
}

// New makes the accumulator of a spec with DISTINCT.
func New(s *accumulator.Spec, mem *exec.Memory) (accumulator.Accumulator, error) {
	if len(s.Args) != 1 {
		return nil, exec.Internalf("DISTINCT of %d arguments", len(s.Args))
	}
	group := kernel.Value{Type: kernel.I64, Range: kernel.Range{Known: true, Hi: math.MaxUint32}}
	arg := kernel.Value{Type: s.ArgType[0], Range: s.ArgRange}
	a := &distinctSet{layout: keytable.NewLayout([]kernel.Value{group, arg}, []bool{false, false}), batch: keytable.Batch{Mem: mem}}
	a.set = keytable.New(a.layout.Kind, mem)
	var err error
	if a.inner, err = accumulator.New(s, mem); err != nil {
		return nil, err
	}
	if arg.Type == kernel.Num || arg.Type == kernel.Interval {
		shown := *s
		shown.Op = kernel.AccAny
		a.shown, err = accumulator.New(&shown, mem)
	}
	return a, err
}

func (a *distinctSet) Reserve(n int) error {
	a.cells = max(a.cells, n)
	return nil
}

func (a *distinctSet) Add(c *accumulator.Cells, args []*vector.View) error {
	a.dict = vector.Longer(a.dict, args[0].Dict)
	group := vector.View{Form: vector.FormU32, N: c.N, U32: c.List(), Bounded: true, Hi: math.MaxUint32}
	if err := a.layout.Encode(&a.batch, c.N, []*vector.View{&group, args[0]}, false); err != nil {
		return err
	}
	entries := vector.Room(&a.out, c.N)
	if err := a.set.Assign(&a.batch, entries); err != nil || a.shown == nil {
		return err
	}
	if err := a.shown.Reserve(a.set.Len()); err != nil {
		return err
	}
	return a.shown.Add(&accumulator.Cells{Form: vector.FormU32, N: c.N, U32: entries}, args)
}

func (a *distinctSet) Finalize() error { return nil }

func (a *distinctSet) Combine(src accumulator.Accumulator) error {
	a.dict = vector.Longer(a.dict, src.(*distinctSet).dict)
	return nil
}

func (a *distinctSet) Merge(src accumulator.Accumulator, from, to []uint32) error {
	s := src.(*distinctSet)
	const nowhere = math.MaxUint32
	target := make([]uint32, s.cells)
	vector.Fill(target, nowhere)
	for i, f := range from {
		target[f] = to[i]
	}
	var groups []uint32
	return s.each(func(group *vector.View, arg *vector.View) error {
		var rows []int32
		groups = groups[:0]
		for i := range group.N {
			if t := target[group.IntAt(i)]; t != nowhere {
				rows = append(rows, int32(i))
				groups = append(groups, t)
			}
		}
		if len(rows) == 0 {
			return nil
		}
		var buf vector.ViewBuffer
		picked := arg.Pick(rows, &buf)
		return a.Add(&accumulator.Cells{Form: vector.FormU32, N: len(groups), U32: groups}, []*vector.View{&picked})
	})
}

// each calls f for all entries of the set, batch by batch.
func (a *distinctSet) each(f func(group, arg *vector.View) error) error {
	all := vector.IdentityGroups(a.set.Len())
	var k keytable.Batch
	for len(all) > 0 {
		n := min(len(all), vector.DefaultRows)
		a.set.Get(all[:n], &k)
		cols := a.layout.Decode(&k, []*runtime.Dictionary{nil, a.dict})
		if a.shown != nil {
			shown, err := a.shown.Chunks(all[:n])
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
func chunkView(c *runtime.Chunk) vector.View {
	o := vector.Operand{Typ: c.Type}
	b := vector.Batch{Rows: c.Rows, Vals: []*vector.Vector{{Type: c.Type, Raw: c}}}
	return o.Read(&b)
}

// fill adds every distinct value to the inner accumulator and finalizes it.
func (a *distinctSet) fill() error {
	if err := a.inner.Reserve(a.cells); err != nil {
		return err
	}
	err := a.each(func(group, arg *vector.View) error {
		list := make([]uint32, group.N)
		for i := range list {
			list[i] = uint32(group.IntAt(i))
		}
		return a.inner.Add(&accumulator.Cells{Form: vector.FormU32, N: len(list), U32: list}, []*vector.View{arg})
	})
	if err != nil {
		return err
	}
	return a.inner.Finalize()
}

func (a *distinctSet) Chunks(groups []uint32) ([]*runtime.Chunk, error) {
	a.full.Do(func() { a.err = a.fill() })
	if a.err != nil {
		return nil, a.err
	}
	return a.inner.Chunks(groups)
}

func (a *distinctSet) Reset() {
	a.inner.Reset()
	a.set.Reset()
	if a.shown != nil {
		a.shown.Reset()
	}
	a.full = sync.Once{}
}

func (a *distinctSet) Width() int { return a.inner.Width() + 32 }
