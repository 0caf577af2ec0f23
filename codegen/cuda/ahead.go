package cuda

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// columnsAhead are the columns whose bits can be fetched a tile before: all that are read, where no row is left out
// and each has bits to fetch; nil otherwise.
func (e *Entry) columnsAhead() []kernel.ValueID {
	if _, ok := e.f.Source.(*kernel.Scan); !ok || e.f.GroupsSource() >= 0 || e.spreads() {
		return nil
	}
	var ids []kernel.ValueID
	seen, all := make(map[kernel.ValueID]bool), true
	note := func(id *kernel.ValueID) {
		if _, ok := e.sourceColumn(*id); !ok || seen[*id] {
			return
		}
		_, ok := e.fetchable(*id)
		seen[*id], all = true, all && ok
		ids = append(ids, *id)
	}
	for _, in := range e.f.Body {
		if _, ok := in.(*kernel.Compute); !ok {
			return nil
		}
	}
	kernel.VisitBlock(e.f.Body, note)
	for _, id := range e.reads {
		note(&id)
	}
	if !all {
		return nil
	}
	return ids
}

// openAhead declares the bits that are fetched ahead, and fetches those of the first tile.
func (e *Entry) openAhead(from, rows string) {
	if len(e.ahead) == 0 {
		return
	}
	for _, id := range e.ahead {
		c, _ := e.fetchable(id)
		e.Line("%s %s[R / 4] = {};", rawTypes[c.shape.Encoding], e.next(id))
	}
	e.fetchNext(fmt.Sprintf("%s + threadIdx.x * %s", from, e.laneStride()), rows)
}

// fetchNext fetches the rows of a thread whose first row is given.
func (e *Entry) fetchNext(first, rows string) {
	columns := ""
	for _, id := range e.ahead {
		c, _ := e.fetchable(id)
		columns += fmt.Sprintf(", %s, %s", e.next(id), e.dataArg(c))
	}
	e.Line("fetch(rows_from(%s, %s), %s%s);", first, rows, first, columns)
}

// takeAhead takes the bits of the tile, which have been fetched, and has those of the next one fetched.
func (e *Entry) takeAhead() {
	if e.fetched[e.ahead[0]] {
		return
	}
	copies := ""
	for _, id := range e.ahead {
		c, _ := e.fetchable(id)
		e.fetched[id] = true
		e.Line("%s %s[R / 4];", rawTypes[c.shape.Encoding], e.raw(id))
		copies += fmt.Sprintf("%s[q] = %s[q], ", e.raw(id), e.next(id))
	}
	e.Line("QUADS %s;", copies[:len(copies)-2])
	e.Line("const i64 ahead = first + (i64)gridDim.x * TILE;")
	e.fetchNext("ahead", e.sourceRows())
}

// next is where the bits of a column of the next tile go.
func (e *Entry) next(id kernel.ValueID) string { return e.name(id) + "_next" }

// laneStride is how many rows lie between the first rows of two neighbouring threads.
func (e *Entry) laneStride() string {
	if e.sideBySide {
		return "R"
	}
	return "4"
}
