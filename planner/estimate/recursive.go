package estimate

import "github.com/cubeloom/cubeloom/planner/algebra"

// Nothing is known of a recursion before it has run: its rounds are guessed to
// be this many, each with as many rows as the first, and few.
const (
	recursionRounds = 10
	workingRows     = 100
)

func recursive(rows float64, limit int64, cols []algebra.Column) *Props {
	if limit >= 0 {
		rows = min(rows, float64(limit))
	}
	p := &Props{Rows: max(rows, 1), Cols: make(map[algebra.ColumnID]Column, len(cols))}
	for _, c := range cols {
		p.Cols[c.ID] = Column{Distinct: p.Rows}
	}
	return p
}
