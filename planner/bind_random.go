package planner

import (
	"math/rand/v2"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// random binds random(): each call has a seed of its own, from which and from the
// number of a row the value in that row is computed.
func (x *exprBinder) random(e *sql.FuncCall) (algebra.Expr, error) {
	if len(e.Args) > 0 {
		args, _, err := x.args(e)
		if err != nil {
			return nil, err
		}
		return nil, noFunction("random", args, e.Pos)
	}
	x.momentary = true
	seed := rand.Int64()
	if x.opts.Random != nil {
		seed = x.opts.Random()
	}
	x.randoms++
	return call(algebra.Random, algebra.TFloat64, e.Pos, int64Value(seed)), nil
}

// setSeed binds setseed(x) of a constant, which acts when the statement is planned
// to run.
func (x *exprBinder) setSeed(e *sql.FuncCall) (algebra.Expr, error) {
	args, positions, err := x.args(e)
	if err != nil {
		return nil, err
	}
	if len(args) != 1 || sqltype.CastNeeds(args[0].Type().Kind, algebra.Float64) != sqltype.Implicit {
		return nil, noFunction("setseed", args, e.Pos)
	}
	seed, err := x.coerce(args[0], algebra.TFloat64, sqltype.Implicit, positions[0])
	if err != nil {
		return nil, err
	}
	k, err := x.constant(seed, int(positions[0]))
	if err != nil || k.Val.Kind == value.Null {
		return textNull(), err
	}
	if f := k.Val.F; !(f >= -1 && f <= 1) {
		return nil, value.Errorf(value.CodeInvalidParameter, "setseed parameter %s is out of allowed range [-1,1]", value.FormatFloat64(f))
	}
	x.momentary = true
	if x.opts.SetSeed != nil {
		x.opts.SetSeed(k.Val.F)
	}
	return textConst(""), nil
}

// checkRandoms refuses random() in queries that are evaluated for each row of
// another one: they become joins, in which rows share values.
func (b *binder) checkRandoms(n algebra.Node) error {
	if b.randoms == 0 {
		return nil
	}
	var err error
	algebra.Walk(n, func(n algebra.Node) bool {
		if apply, ok := n.(*algebra.Apply); ok && err == nil {
			err = randomError(apply.Right, "LATERAL")
		}
		algebra.VisitExprs(n, func(e algebra.Expr) {
			algebra.WalkExpr(e, func(e algebra.Expr) bool {
				sub, ok := e.(*algebra.Subquery)
				if !ok || err != nil {
					return err == nil
				}
				if !algebra.References(sub).Empty() {
					err = randomError(sub.Plan, "a correlated subquery")
				}
				if err == nil {
					err = b.checkRandoms(sub.Plan)
				}
				return err == nil
			})
		})
		return err == nil
	})
	return err
}

// randomError is the refusal of the first random() in a plan and its subqueries.
func randomError(n algebra.Node, where string) error {
	var err error
	algebra.Walk(n, func(n algebra.Node) bool {
		algebra.VisitExprs(n, func(e algebra.Expr) {
			algebra.WalkExpr(e, func(e algebra.Expr) bool {
				switch e := e.(type) {
				case *algebra.Call:
					if e.Func == algebra.Random && err == nil {
						err = notSupported(sql.Pos(e.Pos), "random() in "+where+" is")
					}
				case *algebra.Subquery:
					if err == nil {
						err = randomError(e.Plan, where)
					}
				}
				return err == nil
			})
		})
		return err == nil
	})
	return err
}
