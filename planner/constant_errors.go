package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/planner/value"
)

// constantErrors gives the error of a constant that cannot be computed.
// PostgreSQL computes the constants of a query while it plans, so that 1/0 is
// an error even where no row needs it. What is looked at is what every plan of
// the query keeps: the conditions, and the output columns and aggregates of the
// outermost query; columns of derived tables that nobody reads are not.
// Projects is the number of projections above n: an outermost query has one.
func constantErrors(n algebra.Node, projects int) error {
	var err error
	switch n := n.(type) {
	case *algebra.Project:
		if projects++; projects == 1 {
			err = itemErrors(n.Items)
		}
	case *algebra.Filter:
		err = connectiveErrors(n.Conds, false)
	case *algebra.Aggregate:
		if projects <= 1 {
			err = aggregateErrors(n)
		}
	case *algebra.Sort, *algebra.Limit, *algebra.SetOp:
	default:
		return nil
	}
	for _, in := range n.Inputs() {
		if err == nil {
			err = constantErrors(in, projects)
		}
	}
	return err
}

func itemErrors(items []algebra.Item) error {
	for _, item := range items {
		if err := constantError(item.Expr); err != nil {
			return err
		}
	}
	return nil
}

func aggregateErrors(n *algebra.Aggregate) error {
	if err := itemErrors(n.Keys); err != nil {
		return err
	}
	for i := range n.Aggs {
		for _, e := range []algebra.Expr{n.Aggs[i].Arg, n.Aggs[i].Filter} {
			if err := constantError(e); err != nil {
				return err
			}
		}
	}
	return nil
}

// constantError gives the error of the first constant part of e that cannot be
// computed and that no constant condition before it rules out. E may be nil.
func constantError(e algebra.Expr) error {
	switch e := e.(type) {
	case *algebra.Case:
		return caseError(e)
	case *algebra.Call:
		if e.Func == algebra.And || e.Func == algebra.Or {
			return connectiveErrors(e.Args, e.Func == algebra.Or)
		}
		for _, arg := range e.Args {
			if err := constantError(arg); err != nil {
				return err
			}
		}
		if dependsOnSettings(e) {
			return nil
		}
		_, err := eval.Constant(e)
		return err
	}
	return nil
}

// dependsOnSettings tells whether an expression reads text as a date or time,
// which PostgreSQL does by its settings and therefore only where a row needs it.
func dependsOnSettings(e algebra.Expr) bool {
	found := false
	algebra.WalkExpr(e, func(e algebra.Expr) bool {
		if call, ok := e.(*algebra.Call); ok && call.Func == algebra.Cast && call.Args[0].Type().Kind == algebra.Text {
			found = found || isTime(call.Typ)
		} else if ok && call.Func == value.TZParse {
			found = true
		}
		return !found
	})
	return found
}

// connectiveErrors is constantError for the operands of AND or OR: those behind
// a constant that decides, false or true, are never computed.
func connectiveErrors(conds []algebra.Expr, decides bool) error {
	for _, cond := range conds {
		if err := constantError(cond); err != nil {
			return err
		}
		if c, _ := eval.Constant(cond); c != nil && c.Val.Kind == value.Bool && c.Val.B == decides {
			return nil
		}
	}
	return nil
}

// caseError is constantError for a CASE, which drops the branches that a
// constant condition rules out.
func caseError(e *algebra.Case) error {
	for _, when := range e.Whens {
		if err := constantError(when.Cond); err != nil {
			return err
		}
		cond, _ := eval.Constant(when.Cond)
		if cond != nil && !cond.Val.B {
			continue
		}
		if err := constantError(when.Then); err != nil || cond != nil {
			return err
		}
	}
	if e.Else == nil {
		return nil
	}
	return constantError(e.Else)
}
