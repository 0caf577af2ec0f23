package estimate

import (
	"cmp"
	"math/bits"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

func (s rowSet) count() int {
	n := 0
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// and returns the rows of both sets.
func (s rowSet) and(t rowSet) rowSet {
	out := make(rowSet, len(s))
	for i := range s {
		out[i] = s[i] & t[i]
	}
	return out
}

// newSampled returns nil for a table without a sample.
func newSampled(n *algebra.Scan, m *value.Meter) *sampled {
	rows := n.Table.Sample.Rows()
	if len(rows) == 0 {
		return nil
	}
	s := &sampled{
		meter: m, sample: n.Table.Sample, rows: rows, whole: int64(len(rows)) == n.Table.Rows,
		ordinals: make(map[algebra.ColumnID]int, len(n.Cols)), found: make(map[algebra.Expr]rowSet),
	}
	for i, col := range n.Cols {
		if n.Ordinals[i] >= s.sample.Width() {
			return nil
		}
		s.ordinals[col.ID] = n.Ordinals[i]
	}
	return s
}

// sampleOf returns the sample of a scan. Rules make scans anew that read fewer
// columns: these share what has been found on the one before.
func (e *Estimator) sampleOf(n *algebra.Scan) *sampled {
	if len(n.Cols) > 0 {
		if s := e.samples[n.Cols[0].ID]; s != nil && s.has(n) {
			return s
		}
	}
	s := newSampled(n, e.meter)
	if s != nil {
		for _, col := range n.Cols {
			e.samples[col.ID] = s
		}
	}
	return s
}

// has reports whether all columns of a scan are those of the sample.
func (s *sampled) has(n *algebra.Scan) bool {
	for i, col := range n.Cols {
		if at, ok := s.ordinals[col.ID]; !ok || at != n.Ordinals[i] {
			return false
		}
	}
	return s.sample == n.Table.Sample
}

// all are the rows of the sample.
func (s *sampled) all() rowSet {
	out := make(rowSet, (len(s.rows)+63)/64)
	for i := range s.rows {
		out[i/64] |= 1 << (i % 64)
	}
	return out
}

// none is a set of no rows.
func (s *sampled) none() rowSet { return make(rowSet, (len(s.rows)+63)/64) }

// passing are the rows for which a condition is true.
func (s *sampled) passing(cond algebra.Expr) rowSet {
	if set, ok := s.found[cond]; ok {
		return set
	}
	set := s.evaluate(cond)
	s.found[cond] = set
	return set
}

// evaluate is passing for a condition that is new.
func (s *sampled) evaluate(cond algebra.Expr) rowSet {
	s.meter.Must(len(s.rows))
	if call, ok := cond.(*algebra.Call); ok && (call.Func == algebra.And || call.Func == algebra.Or) {
		return s.connective(call)
	}
	if at, ok := s.onlyColumn(cond); ok {
		return s.byValue(cond, at)
	}
	set := s.none()
	for i, row := range s.rows {
		v, ok := s.value(cond, row)
		if !ok {
			return nil
		}
		if v.B {
			set[i/64] |= 1 << (i % 64)
		}
	}
	return set
}

// connective makes the set of an AND or OR of those of its arguments.
func (s *sampled) connective(e *algebra.Call) rowSet {
	set := s.none()
	if e.Func == algebra.And {
		set = s.all()
	}
	for _, arg := range e.Args {
		passing := s.passing(arg)
		if passing == nil {
			return nil
		}
		for i, rows := range passing {
			if e.Func == algebra.And {
				set[i] &= rows
			} else {
				set[i] |= rows
			}
		}
	}
	return set
}

// onlyColumn is the place in the table of the one column that an expression
// depends on; ok is false where there is no such column.
func (s *sampled) onlyColumn(e algebra.Expr) (at int, ok bool) {
	at, ok = -1, true
	algebra.WalkExpr(e, func(e algebra.Expr) bool {
		switch e := e.(type) {
		case *algebra.ColumnRef:
			column, known := s.ordinals[e.Column.ID]
			ok = ok && known && (at < 0 || at == column)
			at = column
		case *algebra.Subquery:
			ok = false
		}
		return ok
	})
	return at, ok && at >= 0
}

// byValue is evaluate for a condition that depends on the column at a place alone:
// it is tried once for each value.
func (s *sampled) byValue(cond algebra.Expr, at int) rowSet {
	column := s.sample.Column(at)
	holds := make([]uint64, len(column.First)) // 1: for this value
	if !s.compare(cond, at, column, holds) {
		for i, row := range column.First {
			v, ok := s.value(cond, s.rows[row])
			if !ok {
				return nil
			}
			if v.B {
				holds[i] = 1
			}
		}
	}
	set := s.none()
	for i, of := range column.Of {
		set[i/64] |= holds[of] << (i % 64)
	}
	return set
}

// compare is byValue for a comparison of the column itself with constants; ok is
// false for other conditions.
func (s *sampled) compare(cond algebra.Expr, at int, column *algebra.SampleColumn, holds []uint64) (ok bool) {
	call, ok := cond.(*algebra.Call)
	if !ok || len(call.Args) < 2 {
		return false
	}
	_, isColumn := call.Args[0].(*algebra.ColumnRef)
	wanted, isComparison := orders[call.Func]
	if !isColumn || !isComparison || len(call.Args) > 2 && call.Func != algebra.In || len(call.Args) > longList {
		return false
	}
	for _, arg := range call.Args[1:] {
		if c, isConst := arg.(*algebra.Const); !isConst || c.Val.Kind == value.Null {
			return false
		}
	}
	for _, arg := range call.Args[1:] {
		s.meter.Must(len(column.First))
		c := &arg.(*algebra.Const).Val
		for i, row := range column.First {
			if v := &s.rows[row][at]; v.Kind != value.Null {
				holds[i] |= wanted >> (compared(v, c) + 1) & 1
			}
		}
	}
	return true
}

// compared is eval.Compare, which copies its arguments, of values that most often are
// integers or texts.
func compared(a, b *value.Value) int {
	switch {
	case a.Kind == value.Int && b.Kind == value.Int:
		return cmp.Compare(a.I, b.I)
	case a.Kind == value.Text && b.Kind == value.Text:
		return strings.Compare(a.S, b.S)
	}
	return eval.Compare(*a, *b)
}

// orders are, by comparison, the results of eval.Compare for which it holds: bit 0
// for less, bit 1 for equal, bit 2 for greater.
var orders = map[algebra.Func]uint64{
	algebra.Lt: 0b001, algebra.Le: 0b011, algebra.Eq: 0b010, algebra.Ne: 0b101, algebra.Ge: 0b110, algebra.Gt: 0b100,
	algebra.In: 0b010,
}

// failureWork has the meter look whether to go on: that may be what failed.
const failureWork = 1 << 20

// exprWork is what computing an expression costs at least, in bytes looked at.
const exprWork = 16

// value computes an expression for a row. An error is NULL; ok is false for what
// is not of the table.
func (s *sampled) value(e algebra.Expr, row []value.Value) (v value.Value, ok bool) {
	s.meter.Must(exprWork)
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
	used := s.meter.Used()
	v, err := s.apply(e, s.args[first:])
	s.meter.Settle(used, 0)
	if err != nil {
		s.meter.Must(failureWork)
		return value.Value{}, true
	}
	return v, true
}

// apply computes a function of values. The constant pattern of a LIKE is compiled for the
// first of them.
func (s *sampled) apply(e *algebra.Call, args []value.Value) (value.Value, error) {
	if e.Func != algebra.Like && e.Func != algebra.ILike || args[0].Kind == value.Null || !isConst(e.Args[1]) || !isConst(e.Args[2]) {
		return eval.Call(s.meter, e, args)
	}
	if s.pattern == nil || s.patternOf != e {
		pattern, err := value.NewLike(s.meter, args[1].S, args[2].S, e.Func == algebra.ILike)
		if err != nil {
			return value.Value{}, err
		}
		s.pattern, s.patternOf = pattern, e
	}
	matched, err := sqlstate.Try(func() bool { return sqlstate.Must(s.pattern.Match(s.meter, args[0].S)) })
	return value.Value{Kind: value.Bool, B: matched}, err
}

// isConst reports whether an expression is a constant other than NULL.
func isConst(e algebra.Expr) bool {
	c, ok := e.(*algebra.Const)
	return ok && c.Val.Kind != value.Null
}

// longList is how many operands an IN has at most that is compared element by element.
const longList = 32

// in looks a value up among constants.
func (s *sampled) in(e *algebra.Call, row []value.Value) (value.Value, bool) {
	v, ok := s.value(e.Args[0], row)
	if !ok || v.Kind == value.Null {
		return value.Value{}, ok
	}
	if len(e.Args) > longList {
		if s.listOf != e {
			s.meter.Must(exprWork * len(e.Args))
			s.list, s.listOf = newList(e), e
		}
		if found, ok := s.list.holds(v); ok {
			return value.Value{Kind: value.Bool, B: found}, true
		}
	}
	s.meter.Must(len(e.Args))
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
	for _, row := range p.sample.differing(e, p.drawn) {
		v, ok := p.sample.value(e, row)
		if !ok {
			return 0, false
		}
		seen[v] = true
	}
	rows := p.drawn.count()
	return float64(len(seen)), rows >= repeated*len(seen) && rows > 0
}

// differing returns rows of a set with all values that an expression has there: one
// for each value of the column that it depends on, where it depends on one.
func (s *sampled) differing(e algebra.Expr, of rowSet) [][]value.Value {
	at, single := s.onlyColumn(e)
	var column *algebra.SampleColumn
	var taken []bool // by value of the column
	if single {
		column = s.sample.Column(at)
		taken = make([]bool, len(column.First))
	}
	var rows [][]value.Value
	for i, row := range s.rows {
		if of[i/64]&(1<<(i%64)) == 0 {
			continue
		}
		if single {
			if taken[column.Of[i]] {
				continue
			}
			taken[column.Of[i]] = true
		}
		rows = append(rows, row)
	}
	return rows
}
