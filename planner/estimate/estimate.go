// Package estimate guesses how many rows a plan gives and how many distinct
// values its columns have, from the statistics of its tables. What it says is
// never a proof; algebra.ColumnRanges and algebra.MaxRows give those.
package estimate

import (
	"math"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/value"
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

// Props is what is guessed of a relation.
type Props struct {
	Rows float64
	Cols map[algebra.ColumnID]Column

	sample *sampled // of the table whose rows, or some of them, these are; nil: none
	drawn  rowSet   // of the sample: those that are left
}

// Estimator remembers what it guessed of each node. It serves one goroutine,
// and nodes must not change, as they never do.
type Estimator struct {
	memo    map[algebra.Node]*Props
	samples map[algebra.ColumnID]*sampled // of the scans, by column
}

// guessTimes is how often a row is repeated, about.
const guessTimes = 4

// New makes an Estimator.
func New() *Estimator {
	return &Estimator{memo: make(map[algebra.Node]*Props), samples: make(map[algebra.ColumnID]*sampled)}
}

// Rows guesses the number of rows of n.
func (e *Estimator) Rows(n algebra.Node) float64 { return e.Of(n).Rows }

// Of guesses the properties of n. The result is shared: callers must not
// change it.
func (e *Estimator) Of(n algebra.Node) *Props {
	if p := e.memo[n]; p != nil {
		return p
	}
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
		return &Props{Rows: in.Rows * guessTimes, Cols: in.Cols}
	case *algebra.SetOp:
		return e.setOp(n)
	case *algebra.Recursive:
		return recursive(e.Of(n.Base).Rows*recursionRounds, n.Limit, n.Cols)
	case *algebra.Working:
		return recursive(workingRows, -1, n.Cols)
	}
	return &Props{Rows: 1}
}

func (e *Estimator) scan(n *algebra.Scan) *Props {
	p := &Props{Rows: float64(n.Table.Rows), Cols: make(map[algebra.ColumnID]Column, len(n.Cols))}
	if p.sample = e.sampleOf(n); p.sample != nil {
		p.drawn = p.sample.all()
	}
	for i, s := range n.ColStats {
		c := Column{Distinct: s.Distinct, HasBounds: s.HasBounds, Min: float64(s.Min), Max: float64(s.Max), Table: p.Rows, Dict: s.Dict}
		if p.Rows > 0 {
			c.Nulls = float64(s.Nulls) / p.Rows
		}
		if s.Unique && c.Distinct == 0 {
			c.Distinct = p.Rows
		}
		if width := c.Max - c.Min + 1; c.HasBounds && (c.Distinct == 0 || c.Distinct > width) {
			c.Distinct = min(width, max(p.Rows, 1))
		}
		c.Domain = c.Distinct
		p.Cols[n.Cols[i].ID] = c
	}
	return p
}

func values(n *algebra.Values) *Props {
	p := &Props{Rows: float64(len(n.Rows)), Cols: make(map[algebra.ColumnID]Column, len(n.Cols))}
	for i, col := range n.Cols {
		distinct := make(map[value.Value]bool)
		for _, row := range n.Rows {
			distinct[row[i]] = true
		}
		p.Cols[col.ID] = Column{Distinct: float64(len(distinct))}
	}
	return p
}

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
		d = max(d, p.Cols[ref.Column.ID].Domain)
	}
	return max(d, 1)
}

// column gives a column with a number of distinct values that is never 0.
func (p *Props) column(id algebra.ColumnID) Column {
	c := p.Cols[id]
	if c.Distinct == 0 {
		c.Distinct = max(p.Rows/10, 1)
	}
	c.Distinct = max(min(c.Distinct, p.Rows), 1)
	return c
}

// scaled is p with fewer rows: each column keeps the distinct values that so
// many rows drawn at random would have.
func (p *Props) scaled(rows float64) *Props {
	out := &Props{Rows: rows, Cols: make(map[algebra.ColumnID]Column, len(p.Cols))}
	for id, c := range p.Cols {
		c.Distinct = survivors(c.Distinct, p.Rows, rows)
		out.Cols[id] = c
	}
	return out
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
	out := in.scaled(in.Rows * in.Selectivity(n.Conds))
	for _, cond := range n.Conds {
		out.narrow(cond)
	}
	out.sample, out.drawn = in.sample, in.passing(n.Conds)
	return out
}

// narrow applies a comparison with constants to the column that it is about.
func (p *Props) narrow(cond algebra.Expr) {
	call, ok := cond.(*algebra.Call)
	if !ok || len(call.Args) < 2 {
		return
	}
	ref, ok := call.Args[0].(*algebra.ColumnRef)
	if !ok {
		return
	}
	c := p.Cols[ref.Column.ID]
	c.Nulls = 0
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
	p.Cols[ref.Column.ID] = c
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
	return &Props{Rows: in.Rows, Cols: in.items(n.Items)}
}

func (p *Props) items(items []algebra.Item) map[algebra.ColumnID]Column {
	cols := make(map[algebra.ColumnID]Column, len(items))
	for _, item := range items {
		if ref, ok := item.Expr.(*algebra.ColumnRef); ok {
			cols[item.Column.ID] = p.Cols[ref.Column.ID]
		} else {
			cols[item.Column.ID] = Column{Distinct: p.Distinct(item.Expr)}
		}
	}
	return cols
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
	out := &Props{Rows: left.Rows, Cols: make(map[algebra.ColumnID]Column, len(n.Cols))}
	switch n.Kind {
	case algebra.Union:
		out.Rows += right.Rows
	case algebra.Intersect:
		out.Rows = min(left.Rows, right.Rows) / 2
	}
	lcols, rcols := n.Left.Columns(), n.Right.Columns()
	for i, col := range n.Cols {
		l, r := left.Cols[lcols[i].ID], right.Cols[rcols[i].ID]
		c := l
		if n.Kind == algebra.Union {
			c = Column{Distinct: max(l.Distinct, r.Distinct), Nulls: max(l.Nulls, r.Nulls)}
			if l.HasBounds && r.HasBounds {
				c.HasBounds, c.Min, c.Max = true, min(l.Min, r.Min), max(l.Max, r.Max)
			}
		}
		out.Cols[col.ID] = c
	}
	return out
}
