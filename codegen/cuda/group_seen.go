package cuda

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// seenField tells for each cell whether it has had a row that passes filter and
// has none of some values NULL.
type seenField struct {
	filter   kernel.ValueID
	nullable []kernel.ValueID
	state    int
	plane    int
}

// seenOf gives what tells whether an accumulator has had a value; -1 where every
// group has.
func (g *grouping) seenOf(acc *kernel.Acc) int {
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

// seenBy gives the field of a condition, adding it where it is new.
func (g *grouping) seenBy(filter kernel.ValueID, nullable []kernel.ValueID) int {
	for i, s := range g.seen {
		if s.filter == filter && slices.Equal(s.nullable, nullable) {
			return i
		}
	}
	g.seen = append(g.seen, seenField{filter: filter, nullable: nullable, state: len(g.groups.State), plane: g.groups.Planes})
	g.groups.State = append(g.groups.State, 4)
	g.groups.Planes++
	return len(g.seen) - 1
}

func (s *seenField) array(e *entry) string {
	return e.arg(Arg{Kind: ArgState, Index: s.state}, "u32*", fmt.Sprintf("whether a group has had a row (%d)", s.state))
}

// counted is the mask of the rows that it notes.
func (s *seenField) counted(e *entry) string {
	return e.counted(&kernel.Acc{Args: s.nullable, Filter: s.filter})
}

// accumulate notes the rows of a tile.
func (s *seenField) accumulate(e *entry) {
	e.begin("")
	e.line("const u32 rows = %s;", s.counted(e))
	e.line("u32* const words = homes.words + %d * span;", s.plane)
	e.begin("ROWS if (bit(rows, r))")
	e.line("if (bit(local, r)) atomicOr(words + at[r], 1u);")
	e.line("else atomicOr(%s + at[r], 1u);", s.array(e))
	e.end()
	e.end()
}

// flush notes what a home has in its cell.
func (s *seenField) flush(e *entry) {
	e.begin("")
	e.line("u32 v = 0;")
	e.line("for (u32 c = 0; c < homes.copies; c++) v |= words[%d * span + c];", s.plane)
	e.line("if (v) atomicOr(%s + cell, 1u);", s.array(e))
	e.end()
}
