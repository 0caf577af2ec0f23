package cuda

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// seenOf returns what reports whether an accumulator has had a value; -1 where every
// group has.
func (g *Grouping) seenOf(acc *kernel.Acc) int {
	var nullable []kernel.ValueID
	for _, id := range acc.Args {
		if g.f.Values[id].Nullable {
			nullable = append(nullable, id)
		}
	}
	if acc.Filter == kernel.NoValue && nullable == nil && len(g.s.Keys) > 0 {
		return -1
	}
	return g.seenBy(acc.Filter, nullable)
}

// seenBy returns the field of a condition, adding it where it is new.
func (g *Grouping) seenBy(filter kernel.ValueID, nullable []kernel.ValueID) int {
	for i, s := range g.seen {
		if s.filter == filter && slices.Equal(s.nullable, nullable) {
			return i
		}
	}
	g.seen = append(g.seen, SeenField{filter: filter, nullable: nullable, state: len(g.Layout.State), plane: g.Layout.Planes})
	g.Layout.State = append(g.Layout.State, 4)
	g.Layout.Planes++
	return len(g.seen) - 1
}

func (s *SeenField) Array(e *Entry) string {
	return e.Arg(Arg{Kind: ArgState, Index: s.state}, "u32*", fmt.Sprintf("whether a group has had a row (%d)", s.state))
}

// Counted is the mask of the rows that it notes.
func (s *SeenField) Counted(e *Entry) string {
	return e.Counted(&kernel.Acc{Args: s.nullable, Filter: s.filter})
}

// accumulate notes the rows of a tile.
func (s *SeenField) accumulate(e *Entry) {
	e.Begin("")
	e.Line("const u32 rows = %s;", s.Counted(e))
	e.openPlane(s.plane)
	e.Begin("ROWS if (bit(rows, r))")
	e.either("atomicOr(words + at[r], 1u)", fmt.Sprintf("atomicOr(%s + %s, 1u)", s.Array(e), e.place()))
	e.End()
	e.End()
}

// flush notes what a slot has in its cell.
func (s *SeenField) flush(e *Entry) {
	e.Begin("")
	e.Line("u32 v = 0;")
	e.Line("for (u32 c = 0; c < slots.replicas; c++) v |= words[%d * span + c];", s.plane)
	e.Line("if (v) atomicOr(%s + cell, 1u);", s.Array(e))
	e.End()
}
