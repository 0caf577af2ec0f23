// Package working is the operator that gives, within a recursive query, the rows
// that the round before added.
package working

import (
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/lower"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// Operator gives the working table of a recursive expression.
type Operator struct{ Node *algebra.Working }

// Traits implements operators.Operator.
func (o *Operator) Traits() operators.Traits {
	return operators.Traits{
		Name: "working", Detail: "the rows of the round before", Result: operators.Thread, Source: true,
		Needs: operators.Resources{Registers: 4}, // position, end, block, step
	}
}

// Dependence implements operators.Operator; the round before has ended.
func (o *Operator) Dependence(int) operators.Dependence { return operators.Thread }

// Columns implements operators.Operator.
func (o *Operator) Columns() []algebra.Column { return o.Node.Cols }

// Uses implements operators.Operator.
func (o *Operator) Uses() algebra.ColSet { return algebra.ColSet{} }

// Skeleton implements operators.Operator.
func (o *Operator) Skeleton() operators.Skeleton {
	return operators.Skeleton{Partition: operators.Even, Gather: operators.Compact}
}

// Fields are the columns in the form that follows from their types.
func (o *Operator) Fields() []lower.Field {
	fields := make([]lower.Field, len(o.Node.Cols))
	for i, c := range o.Node.Cols {
		fields[i] = lower.PlainField(c)
	}
	return fields
}
