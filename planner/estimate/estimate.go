// Package estimate guesses how many rows a plan gives and how many distinct
// values its columns have, from the statistics of its tables. What it says is
// never a proof; algebra.ColumnRanges and algebra.MaxRows give those.
package estimate

import (
	"math"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Column is what is guessed of a column.
type Column struct {
	Distinct float64 // 0 where nothing is known
	Domain   float64 // distinct values before conditions on other columns left rows out; 0 where nothing is known
	Nulls    float64 // the share of rows that are NULL
	Min, Max float64 // bounds of integers of some scale, where HasBounds is set
	Table    float64 // rows of the table that the column is of, before any is left out; 0 for none

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
}

// answer is what is guessed of a column, if there is one.
type answer struct {
	Column
	id algebra.ColumnID
	ok bool
}

// usuallyAsked is of how many columns there is room for answers at first.
const usuallyAsked = 4

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

// guessTimes is how often a row is repeated, about.
const guessTimes = 4

// New makes an Estimator, whose guesses end by a panic that value.Catch takes where the
// meter, which may be nil, says so.
func New(m *value.Meter) *Estimator {
	return &Estimator{meter: m, machine: *machine.Current(), memo: make(map[algebra.Node]*Props), samples: make(map[algebra.ColumnID]*sampled)}
}

// nodeWork is what guessing a node costs at least, in bytes looked at.
const nodeWork = 1 << 10

// Meter is that of the guesses, for who goes by them.
func (e *Estimator) Meter() *value.Meter { return e.meter }

// Machine is what operations cost where the plan is to run.
func (e *Estimator) Machine() *machine.Machine { return &e.machine }

// Rows guesses the number of rows of n.
func (e *Estimator) Rows(n algebra.Node) float64 { return e.Of(n).Rows }

// Of guesses the properties of n. The result is shared: callers must not
// change it.
func (e *Estimator) Of(n algebra.Node) *Props {
	if p := e.memo[n]; p != nil {
		return p
	}
	e.meter.Must(nodeWork)
	p := e.compute(n)
	e.memo[n] = p
	return p
}

func (e *Estimator) compute(n algebra.Node) *Props {
	switch n := n.(type) {
	case *algebra.Scan:
		return e.scan(n)
	case *algebra.Values:
		return values(n)
	case *algebra.Filter:
		return e.filter(n)
	case *algebra.Project:
		return e.project(n)
	case *algebra.Join:
		return e.join(n)
	case *algebra.Aggregate:
		return e.aggregate(n)
	case *algebra.Window:
		return e.Of(n.Input)
	case *algebra.Sort:
		return limited(e.Of(n.Input), n.Limit, n.Offset)
	case *algebra.Limit:
		return limited(e.Of(n.Input), n.Count, n.Offset)
	case *algebra.Repetition:
		in := e.Of(n.Input)
		return &Props{Rows: in.Rows * guessTimes, guess: in.find}
	case *algebra.SetOp:
		return e.setOp(n)
	case *algebra.Recursive:
		limit := n.Limit
		if n.Counted != nil {
			limit = -1
		}
		return recursive(e.Of(n.Base).Rows*recursionRounds, limit, n.Cols)
	case *algebra.Working:
		return recursive(workingRows, -1, n.Cols)
	}
	return &Props{Rows: 1}
}

func (e *Estimator) scan(n *algebra.Scan) *Props {
	p := &Props{Rows: float64(n.Table.Rows)}
	if p.sample = e.sampleOf(n); p.sample != nil {
		p.drawn = p.sample.all()
	}
	p.guess = func(id algebra.ColumnID) (Column, bool) {
		i := place(n.Cols, id)
		if i < 0 {
			return Column{}, false
		}
		return stored(&n.ColStats[i], p.Rows), true
	}
	return p
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

// stored is a column of a table of so many rows.
func stored(s *algebra.Stats, rows float64) Column {
	c := Column{Distinct: s.Distinct, HasBounds: s.HasBounds, Min: float64(s.Min), Max: float64(s.Max), Table: rows, Dict: s.Dict}
	if rows > 0 {
		c.Nulls = float64(s.Nulls) / rows
	}
	if s.Unique && c.Distinct == 0 {
		c.Distinct = rows
	}
	if width := c.Max - c.Min + 1; c.HasBounds && (c.Distinct == 0 || c.Distinct > width) {
		c.Distinct = min(width, max(rows, 1))
	}
	c.Domain = c.Distinct
	return c
}

func values(n *algebra.Values) *Props {
	p := &Props{Rows: float64(len(n.Rows))}
	p.guess = func(id algebra.ColumnID) (Column, bool) {
		i := place(n.Cols, id)
		if i < 0 {
			return Column{}, false
		}
		distinct := make(map[value.Value]bool)
		for _, row := range n.Rows {
			distinct[row[i]] = true
		}
		return Column{Distinct: float64(len(distinct))}, true
	}
	return p
}

// DistinctOf is the guessed number of distinct values of a column.
func (p *Props) DistinctOf(id algebra.ColumnID) float64 { return p.column(id).Distinct }

// Distinct is the guessed number of distinct values of an expression over a
// relation: at most that of all combinations of its columns.
func (p *Props) Distinct(e algebra.Expr) float64 {
	if ref, ok := e.(*algebra.ColumnRef); ok {
		return p.column(ref.Column.ID).Distinct
	}
	if d, ok := p.sampledDistinct(e); ok {
		return d
	}
	d := 1.0
	algebra.WalkExpr(e, func(e algebra.Expr) bool {
		if ref, ok := e.(*algebra.ColumnRef); ok {
			d *= p.column(ref.Column.ID).Distinct
		}
		return true
	})
	if call, ok := e.(*algebra.Call); ok && call.Func == algebra.Extract {
		d = min(d, extracted)
	}
	return min(d, p.Rows)
}

// extracted is how many values a field of times is taken to have at most.
const extracted = 100

// Domain is the guessed number of distinct values among which those of an
// expression are, had no conditions on other columns left rows out.
func (p *Props) Domain(e algebra.Expr) float64 {
	d := p.Distinct(e)
	if ref, ok := e.(*algebra.ColumnRef); ok {
		d = max(d, p.Column(ref.Column.ID).Domain)
	}
	return max(d, 1)
}

// column gives a column with a number of distinct values that is never 0.
func (p *Props) column(id algebra.ColumnID) Column {
	c := p.Column(id)
	if c.Distinct == 0 {
		c.Distinct = max(p.Rows/10, 1)
	}
	c.Distinct = max(min(c.Distinct, p.Rows), 1)
	return c
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

func (e *Estimator) filter(n *algebra.Filter) *Props {
	in := e.Of(n.Input)
	all := in.scaled(in.Rows * in.Selectivity(n.Conds))
	out := &Props{Rows: all.Rows, guess: func(id algebra.ColumnID) (Column, bool) {
		c, ok := all.find(id)
		for _, cond := range n.Conds {
			c.narrow(id, cond)
		}
		return c, ok
	}}
	out.sample, out.drawn = in.sample, in.passing(n.Conds)
	return out
}

// narrow applies a comparison with constants where it is about the column.
func (c *Column) narrow(id algebra.ColumnID, cond algebra.Expr) {
	call, ok := cond.(*algebra.Call)
	if !ok || len(call.Args) < 2 {
		return
	}
	ref, ok := call.Args[0].(*algebra.ColumnRef)
	if !ok || ref.Column.ID != id {
		return
	}
	x, known := constant(call.Args[1])
	switch call.Func {
	case algebra.Eq:
		c.Distinct, c.Domain = 1, 1
		c.Min, c.Max, c.HasBounds = x, x, known
	case algebra.In:
		c.Distinct = min(c.Distinct, float64(len(call.Args)-1))
		c.Domain = min(c.Domain, float64(len(call.Args)-1))
	case algebra.Lt, algebra.Le:
		c.cut(c.Min, x, known)
	case algebra.Gt, algebra.Ge:
		c.cut(x, c.Max, known)
	default:
		return
	}
	c.Nulls = 0
}

// cut narrows the bounds of a column, and with them its distinct values.
func (c *Column) cut(lo, hi float64, known bool) {
	if !c.HasBounds || !known || hi < lo {
		return
	}
	c.Min, c.Max = max(lo, c.Min), min(hi, c.Max)
	width := c.Max - c.Min + 1
	c.Distinct, c.Domain = max(min(c.Distinct, width), 1), max(min(c.Domain, width), 1)
}

func (e *Estimator) project(n *algebra.Project) *Props {
	in := e.Of(n.Input)
	return &Props{Rows: in.Rows, guess: func(id algebra.ColumnID) (Column, bool) { return in.item(n.Items, id) }}
}

// item guesses a column that is computed of the relation.
func (p *Props) item(items []algebra.Item, id algebra.ColumnID) (Column, bool) {
	for i := range items {
		if items[i].Column.ID != id {
			continue
		}
		if ref, ok := items[i].Expr.(*algebra.ColumnRef); ok {
			return p.Column(ref.Column.ID), true
		}
		return Column{Distinct: p.Distinct(items[i].Expr)}, true
	}
	return Column{}, false
}

func limited(in *Props, limit, offset int64) *Props {
	rows := max(in.Rows-float64(offset), 0)
	if limit >= 0 {
		rows = min(rows, float64(limit))
	}
	if rows == in.Rows {
		return in
	}
	return in.scaled(rows)
}

func (e *Estimator) setOp(n *algebra.SetOp) *Props {
	left, right := e.Of(n.Left), e.Of(n.Right)
	out := &Props{Rows: left.Rows}
	switch n.Kind {
	case algebra.Union:
		out.Rows += right.Rows
	case algebra.Intersect:
		out.Rows = min(left.Rows, right.Rows) / 2
	}
	lcols, rcols := n.Left.Columns(), n.Right.Columns()
	out.guess = func(id algebra.ColumnID) (Column, bool) {
		i := place(n.Cols, id)
		if i < 0 {
			return Column{}, false
		}
		l := left.Column(lcols[i].ID)
		if n.Kind != algebra.Union {
			return l, true
		}
		r := right.Column(rcols[i].ID)
		c := Column{Distinct: max(l.Distinct, r.Distinct), Nulls: max(l.Nulls, r.Nulls)}
		if l.HasBounds && r.HasBounds {
			c.HasBounds, c.Min, c.Max = true, min(l.Min, r.Min), max(l.Max, r.Max)
		}
		return c, true
	}
	return out
}
