package store

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Pick is a row of a table and the row of another relation that says what
// becomes of it.
type Pick struct {
	Row       int64 // position in the table
	Block, At int32 // of the other relation
}

// pickBytes is what a Pick takes, and with pickWork what it costs to put one in order.
const (
	pickBytes = 16
	pickWork  = 8
)

// Picks reads the positions of rows that column ordinal of rel names. They come
// in order and each once: of several rows of rel that name the same row the
// first counts. The meter is charged for them.
func Picks(rel runtime.Relation, ordinal int, m *value.Meter) (picks []Pick, err error) {
	defer sqlstate.Catch(&err)
	sqlstate.Check(m.Grow(pickBytes * int(rel.Rows())))
	picks = make([]Pick, 0, rel.Rows())
	var rows []int64
	for i := range rel.Blocks() {
		b := sqlstate.Must(rel.Load(i, []int{ordinal}))
		rows = DecodeInts(rows[:0], b.Cols[ordinal], 0, b.Rows)
		for at, row := range rows {
			picks = append(picks, Pick{Row: row, Block: int32(i), At: int32(at)})
		}
	}
	slices.SortFunc(picks, func(a, b Pick) int {
		m.Must(pickWork)
		if a.Row != b.Row {
			return cmp.Compare(a.Row, b.Row)
		}
		return cmp.Or(cmp.Compare(a.Block, b.Block), cmp.Compare(a.At, b.At))
	})
	return slices.CompactFunc(picks, func(a, b Pick) bool { return a.Row == b.Row }), nil
}

// Picked is the rows of rel that picks name, with its columns ordinals, which
// have these types.
func Picked(rel runtime.Relation, picks []Pick, types []algebra.Type, ordinals []int) (runtime.Relation, error) {
	return pickedOf(rowPart{rel, picks, types, ordinals})
}

// rowPart is some columns, which have these types, of the rows of rel that picks name.
type rowPart struct {
	rel      runtime.Relation
	picks    []Pick
	types    []algebra.Type
	ordinals []int
}

// pickedOf is a table of parts of equally many rows, side by side.
func pickedOf(parts ...rowPart) (_ *Table, err error) {
	defer sqlstate.Catch(&err)
	def := Definition{Name: "picked"}
	for _, part := range parts {
		for _, t := range part.types {
			def.Columns = append(def.Columns, Column{Name: strconv.Itoa(len(def.Columns)), Type: t})
		}
	}
	t := sqlstate.Must(NewTable(def))
	app := t.Append()
	for batch, from := app.NewBatch(), 0; from < len(parts[0].picks); from += runtime.BlockRows {
		at := 0
		for _, part := range parts {
			picks := part.picks[from:min(from+runtime.BlockRows, len(part.picks))]
			for _, o := range part.ordinals {
				appendPicks(batch.Col(at), part.rel, picks, o)
				at++
			}
		}
		sqlstate.Check(app.Add(sqlstate.Must(batch.Seal())))
	}
	return app.Finish()
}

// appendPicks appends column ordinal of the rows of rel that picks name.
func appendPicks(buf *Buffer, rel runtime.Relation, picks []Pick, ordinal int) {
	for len(picks) > 0 {
		n := run(picks, false)
		b := sqlstate.Must(rel.Load(int(picks[0].Block), []int{ordinal}))
		sqlstate.Check(buf.AppendChunk(b.Cols[ordinal], int(picks[0].At), int(picks[0].At)+n))
		picks = picks[n:]
	}
}

// run is how many picks at the beginning stand one behind the other in a block
// of the other relation and, if adjacent is set, in the table.
func run(picks []Pick, adjacent bool) int {
	n := 1
	for n < len(picks) && picks[n].Block == picks[0].Block && picks[n].At == picks[0].At+int32(n) &&
		(!adjacent || picks[n].Row == picks[0].Row+int64(n)) {
		n++
	}
	return n
}
