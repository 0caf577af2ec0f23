// Package sample is the operator that keeps some of the rows of a table, whatever they
// hold: TABLESAMPLE.
package sample

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/materialize"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// Operator keeps the rows whose positions a draw keeps. What is drawn for a position
// depends on it and on the seed alone, and so neither on threads, vectors, blocks and
// weaving nor on the place where the kernel runs.
type Operator struct {
	Position algebra.Expr
	Draw     algebra.Draw
}

// Traits implements operators.Operator.
func (o *Operator) Traits() operators.Traits {
	return operators.Traits{
		Name: "sample", Detail: o.Draw.String(), Passes: true, Result: operators.Thread,
		Needs: operators.Needs{Parts: machine.Parts{Stage: 1}},
	}
}

// Dependence implements operators.Operator.
func (o *Operator) Dependence(int) operators.Dependence { return operators.Thread }

// Columns implements operators.Operator.
func (o *Operator) Columns() []algebra.Column { return nil }

// Uses implements operators.Operator.
func (o *Operator) Uses() algebra.ColSet { return algebra.References(o.Position) }

// Skeleton implements operators.Operator.
func (o *Operator) Skeleton() operators.Skeleton {
	return operators.Skeleton{Partition: operators.Even, Compute: o.compute, Gather: materialize.Compact}
}

func (o *Operator) compute(w *operators.Weave) {
	position := w.Expr(o.Position)
	run := kernel.Aux{Bits: algebra.DrawMethods[o.Draw.Method]}
	drawn := w.Compute(kernel.OpDraw, kernel.I64, run, position, w.Integer(o.Draw.Seed))
	kept := math.RoundToEven(o.Draw.Percent / 100 * kernel.DrawLimit)
	w.Emit(&kernel.Filter{Cond: w.Compare(kernel.OpLt, drawn, w.Integer(int64(kept)))})
}
