package estimate

import (
	"math/bits"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/planner/value"
)

// sampled evaluates conditions on the sample of a table. What it finds is kept
// by condition, so that each is evaluated once for a plan.
type sampled struct {
	rows     [][]value.Value
	ordinals map[algebra.ColumnID]int
	whole    bool // the sample is the table
	found    map[algebra.Expr]rowSet
	args     []value.Value // of the calls that are being computed
}

// rowSet is a set of rows of a sample; nil where a condition cannot be evaluated
// on it.
type rowSet []uint64

func (s rowSet) count() int {
	n := 0
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// and gives the rows of both sets.
func (s rowSet) and(t rowSet) rowSet {
	out := make(rowSet, len(s))
	for i := range s {
		out[i] = s[i] & t[i]
	}
	return out
}

// newSampled gives nil for a table without a sample.
func newSampled(n *algebra.Scan) *sampled {
	rows := n.Table.Sample
	if len(rows) == 0 {
		return nil
	}
	s := &sampled{
		rows: rows, whole: int64(len(rows)) == n.Table.Rows,
		ordinals: make(map[algebra.ColumnID]int, len(n.Cols)), found: make(map[algebra.Expr]rowSet),
	}
	for i, col := range n.Cols {
		if n.Ordinals[i] >= len(rows[0]) {
			return nil
		}
		s.ordinals[col.ID] = n.Ordinals[i]
	}
	return s
}

// sampleOf gives the sample of a scan. Rules make scans anew that read fewer
// columns: these share what has been found on the one before.
func (e *Estimator) sampleOf(n *algebra.Scan) *sampled {
	if len(n.Cols) > 0 {
		if s := e.samples[n.Cols[0].ID]; s != nil && s.has(n) {
			return s
		}
	}
	s := newSampled(n)
	if s != nil {
		for _, col := range n.Cols {
			e.samples[col.ID] = s
		}
	}
	return s
}

// has tells whether all columns of a scan are those of the sample.
func (s *sampled) has(n *algebra.Scan) bool {
	for i, col := range n.Cols {
		if at, ok := s.ordinals[col.ID]; !ok || at != n.Ordinals[i] {
			return false
		}
	}
	return len(s.rows) == len(n.Table.Sample) && &s.rows[0] == &n.Table.Sample[0]
}

// all are the rows of the sample.
func (s *sampled) all() rowSet {
	out := make(rowSet, (len(s.rows)+63)/64)
	for i := range s.rows {
		out[i/64] |= 1 << (i % 64)
	}
	return out
}

// passing are the rows for which a condition is true.
func (s *sampled) passing(cond algebra.Expr) rowSet {
	if set, ok := s.found[cond]; ok {
		return set
	}
	set := make(rowSet, (len(s.rows)+63)/64)
	for i, row := range s.rows {
		v, ok := s.value(cond, row)
		if !ok {
			set = nil
			break
		}
		if v.B {
			set[i/64] |= 1 << (i % 64)
		}
	}
	s.found[cond] = set
	return set
}

// value computes an expression for a row. An error is NULL; ok is false for what
// is not of the table.
func (s *sampled) value(e algebra.Expr, row []value.Value) (v value.Value, ok bool) {
	switch e := e.(type) {
	case *algebra.Const:
		return e.Val, true
	case *algebra.ColumnRef:
		at, ok := s.ordinals[e.Column.ID]
		if !ok {
			return value.Value{}, false
		}
		return row[at], true
	case *algebra.Case:
		for _, when := range e.Whens {
			cond, ok := s.value(when.Cond, row)
			if !ok {
				return value.Value{}, false
			}
			if cond.B {
				return s.value(when.Then, row)
			}
		}
		if e.Else == nil {
			return value.Value{}, true
		}
		return s.value(e.Else, row)
	case *algebra.Call:
		return s.call(e, row)
	}
	return value.Value{}, false
}

func (s *sampled) call(e *algebra.Call, row []value.Value) (value.Value, bool) {
	if e.Func == algebra.In {
		return s.in(e, row)
	}
	first := len(s.args)
	defer func() { s.args = s.args[:first] }()
	for _, arg := range e.Args {
		v, ok := s.value(arg, row)
		if !ok {
			return value.Value{}, false
		}
		s.args = append(s.args, v)
	}
	v, err := eval.Call(e, s.args[first:])
	if err != nil {
		return value.Value{}, true
	}
	return v, true
}

// in looks a value up among constants.
func (s *sampled) in(e *algebra.Call, row []value.Value) (value.Value, bool) {
	v, ok := s.value(e.Args[0], row)
	if !ok || v.Kind == value.Null {
		return value.Value{}, ok
	}
	for _, arg := range e.Args[1:] {
		if c, ok := arg.(*algebra.Const); ok && c.Val.Kind != value.Null && eval.Compare(v, c.Val) == 0 {
			return value.Value{Kind: value.Bool, B: true}, true
		}
	}
	return value.Value{Kind: value.Bool}, true
}

// sampledDistinct counts the values of an expression in the sample; ok is false
// where there are so many that there may be more in the table.
func (p *Props) sampledDistinct(e algebra.Expr) (n float64, ok bool) {
	const repeated = 8 // rows for each value, at least
	if p.sample == nil {
		return 0, false
	}
	seen := make(map[value.Value]bool)
	rows := 0
	for i, row := range p.sample.rows {
		if p.drawn[i/64]&(1<<(i%64)) == 0 {
			continue
		}
		v, ok := p.sample.value(e, row)
		if !ok {
			return 0, false
		}
		rows++
		seen[v] = true
	}
	return float64(len(seen)), rows >= repeated*len(seen) && rows > 0
}
