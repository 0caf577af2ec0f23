package rewrite

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/estimate"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// orderFilters puts the conditions of each filter in the order in which the
// least work is done: cheap ones that drop much first. A condition that may
// raise an error stays behind all that were written before it.
//
//	before: filter f LIKE '%x%y%' AND a = 3
//	after:  filter a = 3 AND f LIKE '%x%y%'
//	never:  filter f LIKE '%x%y%' AND 10 / a = 3: what may raise stays behind
func orderFilters(c *context, n algebra.Node) algebra.Node {
	est := c.est
	return c.transform(n, func(n algebra.Node) algebra.Node {
		switch n := n.(type) {
		case *algebra.Filter:
			if conds := orderConditions(n.Conds, n.Input, est); conds != nil {
				return &algebra.Filter{Input: n.Input, Conds: conds}
			}
		case *algebra.Join:
			if len(n.Residual) < 2 {
				return n
			}
			if conds := orderConditions(n.Residual, n, est); conds != nil {
				c := *n
				c.Residual = conds
				return &c
			}
		}
		return n
	})
}

// maxOrdered is how many conditions are put in order; more stay as they are.
const maxOrdered = 1000

// orderConditions returns nil where the order is good already.
func orderConditions(conds []algebra.Expr, in algebra.Node, est *estimate.Estimator) []algebra.Expr {
	if len(conds) < 2 || len(conds) > maxOrdered {
		return nil
	}
	props := est.Of(in)
	ranks := make([]float64, len(conds))
	raises := make([]bool, len(conds))
	for i, cond := range conds {
		ranks[i] = (1 - props.Selectivity([]algebra.Expr{cond})) / condCost(cond, props, &est.Machine().Planning.Conditions)
		raises[i] = mayRaiseOver(cond, in)
	}
	done := make([]bool, len(conds))
	out := make([]algebra.Expr, 0, len(conds))
	sorted := true
	for range conds {
		best, waiting := -1, false
		for i := range conds {
			if done[i] {
				continue
			}
			if (best < 0 || ranks[i] > ranks[best]) && !(raises[i] && waiting) {
				best = i
			}
			waiting = true
		}
		done[best] = true
		sorted = sorted && best == len(out)
		out = append(out, conds[best])
	}
	if sorted {
		return nil
	}
	return out
}

// mayRaiseOver reports whether evaluating an expression over a plan can raise an error.
// What is known of the plan's columns is looked for only where it could help.
func mayRaiseOver(e algebra.Expr, in algebra.Node) bool {
	return algebra.MayRaise(e, nil) && algebra.MayRaise(e, algebra.ColumnRanges(in))
}

// condCost guesses what evaluating an expression costs, in terms of comparing
// two integers.
func condCost(e algebra.Expr, props *estimate.Props, costs *machine.Conditions) float64 {
	cost := costs.Start
	algebra.WalkExpr(e, func(e algebra.Expr) bool {
		if call, ok := e.(*algebra.Call); ok {
			cost += callCost(call, props, costs)
		}
		return true
	})
	return cost
}

func callCost(e *algebra.Call, props *estimate.Props, costs *machine.Conditions) float64 {
	if e.Func == algebra.And || e.Func == algebra.Or || e.Func == algebra.Not {
		return costs.Logic
	}
	typ := e.Args[0].Type()
	kind := typ.Kind
	switch {
	case typ.IsString() && onDictionary(e.Args, props):
		// It is evaluated for each entry of a dictionary, and looked up for rows.
		return costs.Code
	case e.Func == algebra.Like || e.Func == algebra.ILike:
		return costs.Pattern
	case typ.IsString():
		return costs.Text
	case kind == algebra.Numeric || kind == algebra.Interval:
		return costs.Numeric
	case e.Func == algebra.In:
		return costs.Simple + costs.Entry*float64(len(e.Args))
	}
	return costs.Simple
}

// onDictionary reports whether the only column among the arguments is text of
// few values.
func onDictionary(args []algebra.Expr, props *estimate.Props) bool {
	ref, ok := args[0].(*algebra.ColumnRef)
	return ok && props.Column(ref.Column.ID).Dict && allConstant(args[1:])
}
