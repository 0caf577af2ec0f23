package rewrite

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// randoms numbers the rows for which random() is evaluated and computes it of the
// number: what it becomes is a function like others, so that no rule has to mind
// that two evaluations for one row would differ. In a filter the other conditions
// come first, since no filter passes the numbering.
//
//	before: project a, random() over t
//	after:  project a, random(number) over t with its rows numbered
//	never:  project abs(a): nothing of it is drawn
func randoms(c *context, n algebra.Node) algebra.Node {
	works := false
	algebra.Walk(n, func(n algebra.Node) bool {
		c.opts.Meter.Must(nodeWork)
		_, working := n.(*algebra.Working)
		works = works || working
		return true
	})
	return c.transform(n, func(n algebra.Node) algebra.Node {
		first := nodeRandom(n)
		switch {
		case first == nil:
			return n
		case works:
			c.refuseAt(first.Pos, "random() in a recursive query is")
			return n
		}
		if join, ok := n.(*algebra.Join); ok && join.Kind == algebra.JoinInner {
			inner := *join
			inner.Residual = nil
			n = &algebra.Filter{Input: &inner, Conds: join.Residual}
		}
		if len(algebra.Inputs(n)) != 1 {
			c.refuseAt(first.Pos, "random() in the condition of an outer join is")
			return n
		}
		return c.numbered(n)
	})
}

// numbered computes n over its numbered input.
func (c *context) numbered(n algebra.Node) algebra.Node {
	cols := n.Columns()
	in := algebra.Inputs(n)[0]
	if f, ok := n.(*algebra.Filter); ok {
		var plain, random []algebra.Expr
		for _, cond := range f.Conds {
			if firstRandom(cond) != nil {
				random = append(random, cond)
			} else {
				plain = append(plain, cond)
			}
		}
		if len(plain) > 0 {
			in = &algebra.Filter{Input: in, Conds: plain}
		}
		n = &algebra.Filter{Input: in, Conds: random}
	}
	number := c.newColumn(algebra.Column{Name: "row number", Type: algebra.TInt64})
	rows := &algebra.Window{Input: in, Calls: []algebra.WindowCall{
		{Column: number, Func: algebra.RowNumber, Frame: algebra.DefaultFrame()},
	}}
	n = algebra.MapExprs(n, func(e algebra.Expr) algebra.Expr {
		return algebra.RewriteExpr(e, func(e algebra.Expr) algebra.Expr {
			if call, ok := e.(*algebra.Call); ok && call.Func == algebra.Random {
				return &algebra.Call{Func: value.RandomOf, Args: []algebra.Expr{call.Args[0], number.Ref()}, Typ: call.Typ, Pos: call.Pos}
			}
			return e
		})
	})
	return withColumns(algebra.WithInputs(n, rows), cols)
}

// nodeRandom finds a call of random() that a node holds.
func nodeRandom(n algebra.Node) *algebra.Call {
	var found *algebra.Call
	algebra.VisitExprs(n, func(e algebra.Expr) {
		if found == nil {
			found = firstRandom(e)
		}
	})
	return found
}

func firstRandom(e algebra.Expr) *algebra.Call {
	var found *algebra.Call
	algebra.WalkExpr(e, func(e algebra.Expr) bool {
		if call, ok := e.(*algebra.Call); ok && call.Func == algebra.Random && found == nil {
			found = call
		}
		return found == nil
	})
	return found
}
