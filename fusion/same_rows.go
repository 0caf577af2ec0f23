package fusion

import (
	"reflect"
	"slices"

	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/aggregate"
	"github.com/cubeloom/cubeloom/operators/build"
	"github.com/cubeloom/cubeloom/operators/filter"
	"github.com/cubeloom/cubeloom/operators/finalize"
	"github.com/cubeloom/cubeloom/operators/groups"
	"github.com/cubeloom/cubeloom/operators/probe"
	"github.com/cubeloom/cubeloom/operators/project"
	"github.com/cubeloom/cubeloom/operators/scan"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// sameRows compares operators with others that may make the same rows under other columns.
type sameRows struct {
	ops   []*Op
	names map[algebra.ColumnID]algebra.Expr // of the first operator, by the columns of the second
	// more are the columns that the second reads of its table and the first does not, by those
	// of the first's operators that could pass them on.
	more map[int][]added
}

// added is a column of a table that a scan does not read yet.
type added struct {
	algebra.Column
	ordinal int
	stats   algebra.Stats
}

// are reports whether operator a gives the rows of b, with columns that it does not read yet. It may
// miss that they are the same.
func (s *sameRows) are(a, b int) bool {
	if a == b {
		return true
	}
	x, y := s.ops[a], s.ops[b]
	if reflect.TypeOf(x.Operator) != reflect.TypeOf(y.Operator) || len(x.Inputs) != len(y.Inputs) {
		return false
	}
	if len(x.Inputs) > 0 && !(s.are(x.Inputs[0], y.Inputs[0]) && slices.Equal(x.Inputs[1:], y.Inputs[1:])) {
		return false
	}
	if !s.operators(x, y) {
		return false
	}
	if x.traits.Passes && len(x.Inputs) > 0 {
		s.more[a] = s.more[x.Inputs[0]]
	}
	return true
}

// operators compares two operators of one kind, whose inputs are the same.
func (s *sameRows) operators(x, y *Op) bool {
	switch a := x.Operator.(type) {
	case *scan.Operator:
		return s.scans(x.ID, a.Node, y.Operator.(*scan.Operator).Node)
	case *filter.Operator:
		return s.exprs(a.Conds, y.Operator.(*filter.Operator).Conds)
	case *project.Operator:
		return s.items(a.Items, y.Operator.(*project.Operator).Items)
	case *aggregate.Operator:
		b := y.Operator.(*aggregate.Operator)
		return s.items(a.Keys, b.Keys) && slices.EqualFunc(a.Accs, b.Accs, s.accumulators)
	case *groups.Operator:
		return true
	case *finalize.Operator:
		return slices.EqualFunc(a.Items, y.Operator.(*finalize.Operator).Items, s.finalized)
	case *probe.Operator:
		b := y.Operator.(*probe.Operator)
		return a.Kind == b.Kind && !a.Mark && !b.Mark && s.keys(a.Keys, b.Keys) && s.found(a, b) && s.exprs(a.Residual, b.Residual)
	case *build.Operator:
		b := y.Operator.(*build.Operator)
		return a.Members == b.Members && s.keys(a.Keys, b.Keys)
	}
	return false
}

// scans compares two scans: the first may have to read more columns.
func (s *sameRows) scans(id int, a, b *algebra.Scan) bool {
	if (tableInput{a.Table.Name, a.Table.Handle}) != (tableInput{b.Table.Name, b.Table.Handle}) {
		return false
	}
	for i, ordinal := range b.Ordinals {
		if at := slices.Index(a.Ordinals, ordinal); at >= 0 {
			s.name(a.Cols[at], b.Cols[i])
		} else {
			s.more[id] = append(s.more[id], added{b.Cols[i], ordinal, b.ColStats[i]})
		}
	}
	return true
}

// found compares the columns that two probes of one table read of it.
func (s *sameRows) found(a, b *probe.Operator) bool {
	for _, c := range b.Reads {
		at := slices.IndexFunc(a.Reads, func(r probe.Column) bool { return r.Of.ID == c.Of.ID })
		if at < 0 {
			return false
		}
		s.name(a.Reads[at].As, c.As)
	}
	return (a.Reads == nil) == (b.Reads == nil)
}

// of is the column of the first that a column of the second is. What the first does not read yet it is
// to read under the second's name.
func (s *sameRows) of(c algebra.Column) algebra.Column {
	if e, ok := s.names[c.ID]; ok {
		return e.(*algebra.ColumnRef).Column
	}
	return c
}

// name notes that a column of the second is one of the first.
func (s *sameRows) name(a, b algebra.Column) { s.names[b.ID] = a.Ref() }

func (s *sameRows) items(a, b []algebra.Item) bool {
	return slices.EqualFunc(a, b, func(a, b algebra.Item) bool {
		s.name(a.Column, b.Column)
		return s.exprsOf(a.Expr, b.Expr)
	})
}

func (s *sameRows) accumulators(a, b aggregate.Accumulator) bool {
	for i := range min(len(a.Cols), len(b.Cols)) {
		s.name(a.Cols[i], b.Cols[i])
	}
	return a.Op == b.Op && a.Distinct == b.Distinct && s.exprsOf(a.Arg, b.Arg) && s.exprsOf(a.Arg2, b.Arg2) && s.exprsOf(a.Filter, b.Filter)
}

func (s *sameRows) finalized(a, b finalize.Item) bool {
	s.name(a.Column, b.Column)
	return a.Func == b.Func && slices.EqualFunc(a.Accs, b.Accs, func(a, b algebra.Column) bool { return s.exprsOf(a.Ref(), b.Ref()) })
}

func (s *sameRows) keys(a, b []operators.Key) bool {
	return slices.EqualFunc(a, b, func(a, b operators.Key) bool {
		return a.Type == b.Type && a.NullSafe == b.NullSafe && s.exprsOf(a.Expr, b.Expr)
	})
}

func (s *sameRows) exprs(a, b []algebra.Expr) bool { return slices.EqualFunc(a, b, s.exprsOf) }

// exprsOf compares two expressions, which may be nil.
func (s *sameRows) exprsOf(a, b algebra.Expr) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return algebra.Equal(a, algebra.Substitute(b, s.names))
}
