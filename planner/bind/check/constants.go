// Package check refuses bound plans that PostgreSQL would, and says what types of their
// columns somebody declared.
package check

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Constants returns the error of a constant that cannot be computed.
// PostgreSQL computes the constants of a query while it plans, so that 1/0 is
// an error even where no row needs it. What is looked at is what every plan of
// the query keeps: the conditions, and the output columns and aggregates of the
// outermost query; columns of derived tables that nobody reads are not.
// Projects is the number of projections above n: an outermost query has one.
func Constants(m *value.Meter, n algebra.Node, projects int) error {
	var err error
	switch n := n.(type) {
	case *algebra.Project:
		if projects++; projects == 1 {
			err = Items(m, n.Items)
		}
	case *algebra.Filter:
		err = conditionErrors(m, n.Conds)
	case *algebra.Aggregate:
		if projects <= 1 {
			err = aggregateErrors(m, n)
		}
	case *algebra.Spool:
		return Constants(m, n.Input, projects)
	case *algebra.Sort, *algebra.Limit, *algebra.SetOp:
	default:
		return nil
	}
	for _, in := range algebra.Inputs(n) {
		if err == nil {
			err = Constants(m, in, projects)
		}
	}
	return err
}

func Items(m *value.Meter, items []algebra.Item) error {
	for _, item := range items {
		if err := constantError(m, item.Expr); err != nil {
			return err
		}
	}
	return nil
}

func aggregateErrors(m *value.Meter, n *algebra.Aggregate) error {
	if err := Items(m, n.Keys); err != nil {
		return err
	}
	for i := range n.Aggs {
		for _, e := range []algebra.Expr{n.Aggs[i].Arg, n.Aggs[i].Filter} {
			if err := constantError(m, e); err != nil {
				return err
			}
		}
	}
	return nil
}

// constantError returns the error of the first constant part of e that cannot be
// computed and that no constant condition before it rules out. E may be nil.
func constantError(m *value.Meter, e algebra.Expr) error {
	_, err := constantPart(m, e)
	return err
}

// constantPart is constantError, and returns the value of e where it is known and small.
func constantPart(m *value.Meter, e algebra.Expr) (*algebra.Const, error) {
	switch e := e.(type) {
	case *algebra.Const:
		return e, nil
	case *algebra.Case:
		return constantCase(m, e)
	case *algebra.Call:
		if e.Func == algebra.And || e.Func == algebra.Or {
			return constantConnective(m, e)
		}
		if extract, ok := algebra.FloatField(e); ok {
			return constantField(m, e, extract)
		}
		return constantCall(m, e)
	}
	return nil, nil
}

// constantField is constantPart for a field as double precision, which is not computed as a
// numeric before.
func constantField(m *value.Meter, e, extract *algebra.Call) (*algebra.Const, error) {
	if k, err := constantPart(m, extract.Args[1]); k == nil || err != nil {
		return nil, err
	}
	return eval.Fold(m, e)
}

func constantCall(m *value.Meter, e *algebra.Call) (*algebra.Const, error) {
	args, known := make([]algebra.Expr, len(e.Args)), !isLeftToRows(e)
	for i, arg := range e.Args {
		k, err := constantPart(m, arg)
		if err != nil {
			return nil, err
		}
		if known = known && k != nil; known {
			args[i] = k
		}
	}
	if !known {
		return nil, m.Check(scope.ExprWork)
	}
	c := *e
	c.Args = args
	return eval.Fold(m, &c)
}

// isLeftToRows reports whether PostgreSQL computes a call only where a row needs it, also of constants: what
// a domain asks of a value, which ALTER DOMAIN changes, and reading text as a date or time, which it does by
// its settings.
func isLeftToRows(e *algebra.Call) bool {
	if e.Func == value.DomainKept {
		return true
	}
	if e.Func == algebra.Cast && e.Args[0].Type().Kind == algebra.Text {
		return convert.IsTime(e.Typ)
	}
	return e.Func == value.TZParse
}

// constantConnective is constantPart for AND and OR: the operands behind a constant
// that decides are never computed.
func constantConnective(m *value.Meter, e *algebra.Call) (*algebra.Const, error) {
	decides := e.Func == algebra.Or
	c := *e
	c.Args = nil
	for _, arg := range e.Args {
		k, err := constantPart(m, arg)
		if err != nil {
			return nil, err
		}
		if isBool(k, decides) {
			return k, nil
		}
		if k != nil {
			c.Args = append(c.Args, k)
		}
	}
	if len(c.Args) < len(e.Args) {
		return nil, nil
	}
	return eval.Fold(m, &c)
}

func isBool(c *algebra.Const, b bool) bool {
	return c != nil && c.Val.Kind == value.Bool && c.Val.B == b
}

// conditionErrors is constantError for conditions that all are to hold.
func conditionErrors(m *value.Meter, conds []algebra.Expr) error {
	for _, cond := range conds {
		k, err := constantPart(m, cond)
		if err != nil || isBool(k, false) {
			return err
		}
	}
	return nil
}

// constantCase is constantPart for a CASE, which drops the branches that a constant
// condition rules out.
func constantCase(m *value.Meter, e *algebra.Case) (*algebra.Const, error) {
	known := true
	for _, when := range e.Whens {
		cond, err := constantPart(m, when.Cond)
		if err != nil {
			return nil, err
		}
		if cond != nil && !cond.Val.B {
			continue
		}
		known = known && cond != nil
		then, err := constantPart(m, when.Then)
		if err != nil {
			return nil, err
		}
		if cond != nil {
			return branchOf(then, known, e.Typ), nil
		}
	}
	if e.Else == nil {
		return branchOf(&algebra.Const{}, known, e.Typ), nil
	}
	last, err := constantPart(m, e.Else)
	return branchOf(last, known, e.Typ), err
}

// branchOf is what a branch makes of a CASE, nil where it is not known.
func branchOf(c *algebra.Const, known bool, typ algebra.Type) *algebra.Const {
	if c == nil || !known {
		return nil
	}
	return &algebra.Const{Val: c.Val, Typ: typ}
}
