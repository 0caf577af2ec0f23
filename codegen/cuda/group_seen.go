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
	note := fmt.Sprintf("whether a group has had a row (%d)", len(g.Layout.State))
	g.seen = append(g.seen, SeenField{filter: filter, nullable: nullable, term: g.newTerm(flagTerm, note)})
	g.seen[len(g.seen)-1].term.ones = true
	return len(g.seen) - 1
}

// Array is the array of the field.
func (s *SeenField) Array(e *Entry) string { return s.term.cells(e, 0) }

// Counted is the mask of the rows that it notes.
func (s *SeenField) Counted(e *Entry) string {
	return e.Counted(&kernel.Acc{Args: s.nullable, Filter: s.filter})
}

// accumulate notes the rows of a tile.
func (s *SeenField) accumulate(e *Entry) {
	e.Begin("")
	e.Line("const u32 rows = %s;", s.Counted(e))
	e.contribute("rows", []*term{&s.term}, func() []string { return []string{"1"} })
	e.End()
}
