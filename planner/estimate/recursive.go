package estimate

import "github.com/cubeloom/cubeloom/planner/algebra"

// Nothing is known of a recursion before it has run: its iterations are guessed to
// be this many, each with as many rows as the first, and few.
const (
	recursionIterations = 10
	workingRows         = 100
)

func recursive(rows float64, limit int64, cols []algebra.Column) *Props {
	if limit >= 0 {
		rows = min(rows, float64(limit))
	}
	rows = max(rows, 1)
	return &Props{Rows: rows, guess: func(id algebra.ColumnID) (Column, bool) {
		if place(cols, id) < 0 {
			return Column{}, false
		}
		return Column{Distinct: rows}, true
	}}
}
