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
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// distinctSet is an accumulator over the distinct values of its argument: a set of
// pairs of group and value, and the accumulator that takes each value once, when it is new.
type distinctSet struct {
	inner  accumulator.Accumulator
	layout *keytable.Layout
	set    keytable.Table
	dict   *runtime.Dictionary
	// Of the argument as first seen: equal numerics and intervals may look
	// different, and their keys do not tell how.
	shown accumulator.Accumulator
	cells int

	batch  keytable.Batch
	out    []uint32
	fresh  []int32 // rows whose values are new
	some   accumulator.CellBuffer
	picked vector.ViewBuffer
	ended  sync.Once // the adding to inner
	err    error
}

// New makes the accumulator of a spec with DISTINCT.
func New(s *accumulator.Spec, mem *exec.Memory) accumulator.Accumulator {
	if len(s.Args) != 1 {
		panic(exec.Internalf("DISTINCT of %d arguments", len(s.Args)))
	}
	group := kernel.Value{Type: kernel.I64, Range: kernel.Range{Known: true, Hi: math.MaxUint32}}
	arg := kernel.Value{Type: s.ArgType[0], Range: s.ArgRange}
	a := &distinctSet{layout: keytable.NewLayout([]kernel.Value{group, arg}, []bool{false, false}), batch: keytable.NewBatch(mem)}
	a.set = keytable.New(a.layout.Kind, mem)
	a.inner = accumulator.New(s, mem)
	if arg.Type == kernel.Num || arg.Type == kernel.Interval {
		shown := *s
		shown.Op = kernel.AccAny
		a.shown = accumulator.New(&shown, mem)
	}
	return a
}

func (a *distinctSet) Reserve(n int) {
	a.cells = max(a.cells, n)
	a.inner.Reserve(n)
}

func (a *distinctSet) Add(c *accumulator.Cells, args []*vector.View) {
	a.dict = vector.Longer(a.dict, args[0].Dict)
	group := vector.View{Form: vector.FormU32, N: c.N, U32: c.List(), Bounded: true, Hi: math.MaxUint32}
	a.layout.Encode(&a.batch, c.N, []*vector.View{&group, args[0]}, false)
	entries, next := spare.Room(a.batch.Arrays, &a.out, c.N), uint32(a.set.Len())
	a.set.Assign(&a.batch, entries)
	if a.shown != nil {
		a.shown.Reserve(a.set.Len())
		a.shown.Add(&accumulator.Cells{Form: vector.FormU32, N: c.N, U32: entries}, args)
	}
	a.addFresh(c, args[0], entries, next)
}

// addFresh adds the values of entries that are numbered from next on, each once.
func (a *distinctSet) addFresh(c *accumulator.Cells, arg *vector.View, entries []uint32, next uint32) {
	fresh, n := spare.Room(a.batch.Arrays, &a.fresh, c.N), 0
	for i, e := range entries {
		fresh[n] = int32(i)
		is := vector.B2i(e == next)
		n += int(is)
		next += uint32(is)
	}
	switch n {
	case 0:
	case c.N:
		a.inner.Add(c, []*vector.View{arg})
	default:
		picked := arg.Pick(fresh[:n], &a.picked)
		a.inner.Add(c.Pick(fresh[:n], &a.some), []*vector.View{&picked})
	}
}

func (a *distinctSet) Finalize() {}

func (a *distinctSet) Combine(src accumulator.Accumulator) {
	a.dict = vector.Longer(a.dict, src.(*distinctSet).dict)
}

func (a *distinctSet) Merge(src accumulator.Accumulator, from, to []uint32) {
	s := src.(*distinctSet)
	const nowhere = math.MaxUint32
	target := spare.New[uint32](a.batch.Arrays, s.cells)
	defer spare.Release(a.batch.Arrays, target)
	vector.Fill(target, nowhere)
	for i, f := range from {
		target[f] = to[i]
	}
	var groups []uint32
	var rows []int32
	s.each(func(group *vector.View, arg *vector.View) {
		groups, rows = groups[:0], rows[:0]
		for i := range group.N {
			if t := target[group.IntAt(i)]; t != nowhere {
				rows = append(rows, int32(i))
				groups = append(groups, t)
			}
		}
		if len(rows) == 0 {
			return
		}
		var buf vector.ViewBuffer
		picked := arg.Pick(rows, &buf)
		a.Add(&accumulator.Cells{Form: vector.FormU32, N: len(groups), U32: groups}, []*vector.View{&picked})
	})
}

// each calls f for all entries of the set, batch by batch.
func (a *distinctSet) each(f func(group, arg *vector.View)) {
	arrays := a.batch.Arrays
	k := keytable.Batch{Arrays: arrays}
	defer k.Free()
	for first := 0; first < a.set.Len(); first += vector.DefaultRows {
		entries := vector.Upwards(spare.New[uint32](arrays, min(a.set.Len()-first, vector.DefaultRows)), uint32(first))
		a.set.Get(entries, &k)
		cols := a.layout.Decode(&k, []*runtime.Dictionary{nil, a.dict}, arrays)
		if a.shown != nil {
			shown := a.shown.Chunks(entries, arrays)
			cols[1] = shown[0]
		}
		group, arg := chunkView(cols[0]), chunkView(cols[1])
		f(&group, &arg)
		vector.Discard(cols[0], arrays)
		vector.Discard(cols[1], arrays)
		spare.Release(arrays, entries)
	}
}

// chunkView is the view of all rows of a chunk.
func chunkView(c *runtime.Chunk) vector.View {
	o := vector.Operand{Typ: c.Type}
	b := vector.Batch{Rows: c.Rows, Vals: []*vector.Vector{{Type: c.Type, Raw: c}}}
	return o.Read(&b)
}

// Chunks ends the adding, since what is merged is added.
func (a *distinctSet) Chunks(groups []uint32, arrays *spare.Arrays) []*runtime.Chunk {
	a.ended.Do(func() { a.err = sqlstate.Run(a.inner.Finalize) })
	sqlstate.Check(a.err)
	return a.inner.Chunks(groups, arrays)
}

func (a *distinctSet) Reset() {
	a.inner.Reset()
	a.set.Reset()
	if a.shown != nil {
		a.shown.Reset()
	}
	a.ended = sync.Once{}
}

func (a *distinctSet) Width() int { return a.inner.Width() + 32 }
