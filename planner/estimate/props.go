package estimate

import (
	"math"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/sql/value"
)

// column returns a column with a number of distinct values that is never 0.
func (p *Props) column(id algebra.ColumnID) Column {
	c := p.Column(id)
	if c.Distinct == 0 {
		c.Distinct = max(p.Rows/10, 1)
	}
	c.Distinct = max(min(c.Distinct, p.Rows), 1)
	return c
}

// usuallyAsked is of how many columns there is room for answers at first.
const usuallyAsked = 4

// Column is what is guessed of a column.
type Column struct {
	Distinct float64 // 0 where nothing is known
	Domain   float64 // distinct values before conditions on other columns left rows out; 0 where nothing is known
	Nulls    float64 // the share of rows that are NULL
	Min, Max float64 // bounds of integers of some scale, where HasBounds is set
	Table    float64 // rows of the table that the column is of, before any is left out; 0 for none

	Mean, Deviation float64 // of sums, integers of some scale; Deviation is 0 where nothing is known

	HasBounds bool
	Dict      bool // text of few values: a condition on it costs little
}

// Props is what is guessed of a relation. It serves one goroutine.
type Props struct {
	Rows float64

	// guess guesses a column; ok is false for one that the relation does not have.
	// Most columns of a plan are never asked for.
	guess func(algebra.ColumnID) (c Column, ok bool)
	asked []answer // what it gave; few columns are asked for

	sample *sampled // of the table whose rows, or some of them, these are; nil: none
	drawn  rowSet   // of the sample: those that are left

	few []few
}

// few is an expression that has few values where conditions hold.
type few struct {
	expr   algebra.Expr
	values float64
}

// answer is what is guessed of a column, if there is one.
type answer struct {
	Column
	id algebra.ColumnID
	ok bool
}

// find guesses a column; ok is false for one that the relation does not have.
func (p *Props) find(id algebra.ColumnID) (c Column, ok bool) {
	if p.guess == nil {
		return Column{}, false
	}
	for i := range p.asked {
		if a := &p.asked[i]; a.id == id {
			return a.Column, a.ok
		}
	}
	c, ok = p.guess(id)
	if p.asked == nil {
		p.asked = make([]answer, 0, usuallyAsked)
	}
	p.asked = append(p.asked, answer{c, id, ok})
	return c, ok
}

// Column guesses a column; it is the zero Column for one that the relation does
// not have.
func (p *Props) Column(id algebra.ColumnID) Column {
	c, _ := p.find(id)
	return c
}

// Estimator remembers what it guessed of each node. It serves one goroutine,
// and nodes must not change, as they never do.
type Estimator struct {
	memo    map[algebra.Node]*Props
	samples map[algebra.ColumnID]*sampled // of the scans, by column
	meter   *value.Meter                  // of the guesses; nil bounds nothing
	machine machine.Machine               // whose costs go by the guesses
}

// place is the place of a column among others, or -1.
func place(cols []algebra.Column, id algebra.ColumnID) int {
	for i := range cols {
		if cols[i].ID == id {
			return i
		}
	}
	return -1
}

// scaled is p with fewer rows: each column keeps the distinct values that so
// many rows drawn at random would have.
func (p *Props) scaled(rows float64) *Props {
	return &Props{Rows: rows, guess: func(id algebra.ColumnID) (Column, bool) {
		c, ok := p.find(id)
		c.Distinct = survivors(c.Distinct, p.Rows, rows)
		return c, ok
	}}
}

// survivors guesses how many of d distinct values remain when rows become kept.
func survivors(d, rows, kept float64) float64 {
	if d == 0 || rows == 0 || kept >= rows {
		return d
	}
	perValue := rows / d
	return min(d*(1-math.Pow(1-kept/rows, perValue)), kept)
}

// sampled evaluates conditions on the sample of a table. What it finds is kept
// by condition, so that each is evaluated once for a plan.
type sampled struct {
	sample   *algebra.Sample
	rows     [][]value.Value // of sample
	ordinals map[algebra.ColumnID]int
	whole    bool // the sample is the table
	found    map[algebra.Expr]rowSet
	args     []value.Value // of the calls that are being computed
	meter    *value.Meter
	// pattern is the compiled pattern of the LIKE that was computed last, patternOf.
	pattern   *value.Like
	patternOf *algebra.Call
	// list holds the constants of the long IN that was computed last, listOf.
	list   list
	listOf *algebra.Call
}

// rowSet is a set of rows of a sample; nil where a condition cannot be evaluated
// on it.
type rowSet []uint64
