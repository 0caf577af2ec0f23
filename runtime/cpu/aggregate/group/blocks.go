package group

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/keytable"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// Piece is a part of the result: so many groups, whose columns are made when they are asked
// for, or have been made and charged. Any goroutine may call its functions.
type Piece struct {
	Rows int
	made *runtime.Block
	make func(wanted func(ordinal int) bool) runtime.Block
}

// Made is a piece whose block has been made.
func Made(b runtime.Block) Piece { return Piece{Rows: b.Rows, made: &b} }

// Read is a piece of listed groups; keys makes the key columns, nil for those that an
// accumulator keeps.
func (a *Grouping) Read(g *Groups, list []uint32, keys func() []*runtime.Chunk) Piece {
	return Piece{Rows: len(list), make: func(wanted func(int) bool) runtime.Block {
		return a.columns(g, list, keys(), wanted)
	}}
}

// Listed is a list of lo … hi−1, one of the run's arrays.
func (a *Grouping) Listed(lo, hi int) []uint32 {
	return vector.Upwards(spare.New[uint32](a.Run.Mem.Arrays, hi-lo), uint32(lo))
}

// ReadRange is a piece of the groups lo … hi−1; keys makes the key columns of listed ones, as for Read.
func (a *Grouping) ReadRange(g *Groups, lo, hi int, keys func(list []uint32) []*runtime.Chunk) Piece {
	return Piece{Rows: hi - lo, make: func(wanted func(int) bool) runtime.Block {
		list := a.Listed(lo, hi)
		defer spare.Release(a.Run.Mem.Arrays, list)
		return a.columns(g, list, keys(list), wanted)
	}}
}

// readTable is a piece of the groups lo … hi−1 of a table.
func (a *Grouping) readTable(g *Groups, lo, hi int) Piece {
	return a.ReadRange(g, lo, hi, func(list []uint32) []*runtime.Chunk {
		k := keytable.Batch{Arrays: a.Run.Mem.Arrays}
		defer k.Free()
		g.Table.Get(list, &k)
		return a.Layout.Decode(&k, g.Dicts, a.Run.WithinOutput())
	})
}

// ReadAccs is a piece of listed groups without keys.
func (a *Grouping) ReadAccs(g *Groups, list []uint32) Piece {
	return a.Read(g, list, func() []*runtime.Chunk { return nil })
}

// Columns makes the columns of the accumulators of listed groups, and charges them.
func (a *Grouping) Columns(g *Groups, list []uint32) runtime.Block {
	p := a.ReadAccs(g, list)
	return a.Block(&p)
}

// ReadAll are pieces of all groups of a table.
func (a *Grouping) ReadAll(g *Groups) []Piece {
	var pieces []Piece
	for lo := 0; lo < g.Table.Len(); lo += runtime.BlockRows {
		pieces = append(pieces, a.readTable(g, lo, min(lo+runtime.BlockRows, g.Table.Len())))
	}
	return pieces
}

// Block makes the block of a piece, with all columns, and charges it.
func (a *Grouping) Block(p *Piece) runtime.Block {
	b := p.Load(func(int) bool { return true })
	if p.made == nil {
		sqlstate.Check(a.Run.Mem.Grow(exec.BlockBytes(&b)))
	}
	return b
}

// Load makes the columns of a piece for which wanted is true, and maybe others.
func (p *Piece) Load(wanted func(ordinal int) bool) runtime.Block {
	if p.made != nil {
		return *p.made
	}
	return p.make(wanted)
}

// columns makes the columns that are wanted of listed groups, and all keys.
func (a *Grouping) columns(g *Groups, list []uint32, keys []*runtime.Chunk, wanted func(ordinal int) bool) runtime.Block {
	cols := make([][]*runtime.Chunk, len(g.accs))
	of := func(acc int) []*runtime.Chunk {
		if cols[acc] == nil {
			cols[acc] = g.accs[acc].Chunks(list, a.Run.WithinOutput())
		}
		return cols[acc]
	}
	b := runtime.Block{Rows: len(list)}
	for i, c := range keys {
		if s := a.shown[i]; s >= 0 {
			chunks := of(s)
			c = chunks[0]
		}
		b.Cols = append(b.Cols, c)
	}
	for i, s := range a.results {
		first, n := len(b.Cols), len(a.In.Accs[i].Dst)
		if !slices.ContainsFunc(a.In.Accs[i].Dst, func(kernel.ValueID) bool { first++; return wanted(first - 1) }) {
			b.Cols = append(b.Cols, make([]*runtime.Chunk, n)...)
			continue
		}
		chunks := of(s)
		b.Cols = append(b.Cols, chunks...)
	}
	return b
}

// MergeTable merges the listed groups of a part into all.
func (a *Grouping) MergeTable(all, part *Groups, list []uint32) {
	all.Combine(part)
	to := spare.New[uint32](a.Run.Mem.Arrays, len(list))
	defer spare.Release(a.Run.Mem.Arrays, to)
	for lo := 0; lo < len(list); lo += vector.DefaultRows {
		hi := min(lo+vector.DefaultRows, len(list))
		part.Table.Get(list[lo:hi], &all.Batch)
		all.Table.Assign(&all.Batch, to[lo:hi])
	}
	all.Reserve(all.Table.Len())
	all.Merge(part, list, to)
}
