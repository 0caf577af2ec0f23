// Package estimate guesses how many rows a plan has and how many distinct
// values its columns have, from the statistics of its tables. What it says is
// never a proof; algebra.ColumnRanges and algebra.MaxRows give those.
package estimate

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// guessTimes is how often a row is repeated, about.
const guessTimes = 4

// New makes an Estimator, whose guesses end by a panic that sqlstate.Catch takes where the
// meter, which may be nil, says so.
func New(m *value.Meter) *Estimator {
	return &Estimator{meter: m, machine: *machine.Current(), memo: make(map[algebra.Node]*Props), samples: make(map[algebra.ColumnID]*sampled)}
}

// nodeWork is what guessing a node costs at least, in bytes looked at.
const nodeWork = 1 << 10

// MaxRows is the greatest guess of a number of rows. Costs, products of a few guesses,
// are finite then, and can be compared.
const MaxRows = 1e100

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
	p.Rows = min(p.Rows, MaxRows)
	p.few = e.few(n)
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
		return joined(n, e.Of(n.Left), e.Of(n.Right))
	case *algebra.Aggregate:
		return aggregated(n, e.Of(n.Input))
	case *algebra.Window:
		return e.Of(n.Input)
	case *algebra.Sort:
		return limited(e.Of(n.Input), n.Limit, n.Offset)
	case *algebra.Limit:
		return limited(e.Of(n.Input), n.Count, n.Offset)
	case *algebra.Unnest:
		in := e.Of(n.Input)
		return &Props{Rows: in.Rows * guessTimes, guess: in.find}
	case *algebra.SetOp:
		return e.setOp(n)
	case *algebra.Recursive:
		limit := n.Limit
		if n.Counted != nil {
			limit = -1
		}
		return recursive(e.Of(n.Base).Rows*recursionIterations, limit, n.Cols)
	case *algebra.Spool:
		in := e.Of(n.Input)
		return &Props{Rows: in.Rows, guess: func(id algebra.ColumnID) (Column, bool) {
			col, ok := n.Of(id)
			if !ok {
				return Column{}, false
			}
			return in.find(col.ID)
		}}
	case *algebra.Working:
		return recursive(workingRows, -1, n.Cols)
	case algebra.Drawing:
		in := e.Of(algebra.Inputs(n)[0])
		return in.scaled(in.Rows * n.Share())
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

// few are the expressions of which conditions below, or in, a node leave few values.
func (e *Estimator) few(n algebra.Node) (all []few) {
	for _, in := range algebra.Inputs(n) {
		all = append(all, e.Of(in).few...)
	}
	filter, ok := n.(*algebra.Filter)
	if !ok {
		return all
	}
	for _, cond := range filter.Conds {
		if call, ok := cond.(*algebra.Call); ok && (call.Func == algebra.Eq || call.Func == algebra.In) {
			all = append(all, few{call.Args[0], float64(len(call.Args) - 1)})
		}
	}
	return all
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

// Groups guesses the number of groups of each grouping set.
func (e *Estimator) Groups(n *algebra.Aggregate) []float64 {
	in := e.Of(n.Input)
	return lists.Map(n.Sets, func(set algebra.KeySet) float64 { return in.groups(n.Keys, set) })
}
